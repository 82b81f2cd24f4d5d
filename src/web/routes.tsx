import type { ComponentType } from "react";
import type { PublicKey } from "../i18n/t.ts";
import { Home } from "./home/Home.tsx";
import { NotFound } from "./home/NotFound.tsx";
import { lazyPart } from "./lazyPart.tsx";
import { type DocsPage, docsPages, docsPath, officePage, officeSections, pageOf } from "./paths.ts";

export interface Route {
  page: string;
  Page: ComponentType;
  title: PublicKey;
  /** Only on public pages, which the server renders and search engines index. */
  description?: PublicKey;
  /** A page of the documentation that is called by its own title. */
  docs?: DocsPage;
  /** Requires a token; sends others home to sign in (spec B §2). */
  guarded?: boolean;
  /** The file of a lazy page in the build manifest, for preloading. */
  file?: string;
  /** Pages of one area keep their shared frame mounted. */
  area?: string;
  wide?: boolean;
  /** Static: no header and no script. */
  still?: boolean;
}

const Docs = lazyPart(async () => (await import("./docs/Docs.tsx")).Docs);
const Dashboard = lazyPart(async () => (await import("./dashboard/Dashboard.tsx")).Dashboard);
const Office = lazyPart(async () => (await import("./office/Office.tsx")).Office);

const modes = [
  { page: "dashboard", title: "meta.dashboard.title" },
  { page: "dashboard/partner", title: "meta.partner.title" },
  { page: "dashboard/investor", title: "meta.investor.title" },
] as const;

export const routes: readonly Route[] = [
  { page: "", Page: Home, title: "meta.home.title", description: "meta.home.description" },
  ...docsPages.map((page): Route => ({
    page: docsPath(page),
    Page: Docs,
    title: "meta.docs.title",
    description: "meta.docs.description",
    ...(page === "start" ? {} : { docs: page }),
    area: "docs",
    wide: true,
    file: "src/web/docs/Docs.tsx",
  })),
  {
    page: "help",
    Page: lazyPart(async () => (await import("./help/Help.tsx")).Help),
    title: "meta.help.title",
    description: "meta.help.description",
    file: "src/web/help/Help.tsx",
  },
  ...modes.map(({ page, title }): Route => ({
    page,
    Page: Dashboard,
    title,
    guarded: true,
    area: "dashboard",
    file: "src/web/dashboard/Dashboard.tsx",
  })),
  {
    page: "dashboard/order",
    Page: lazyPart(async () => (await import("./orders/page/OrderPage.tsx")).OrderPage),
    title: "meta.order.title",
    guarded: true,
    file: "src/web/orders/page/OrderPage.tsx",
  },
  {
    page: "dashboard/api",
    Page: lazyPart(async () => (await import("./programs/Programs.tsx")).Programs),
    title: "meta.programs.title",
    guarded: true,
    file: "src/web/programs/Programs.tsx",
  },
  {
    page: "dashboard/security",
    Page: lazyPart(async () => (await import("./security/Security.tsx")).Security),
    title: "meta.security.title",
    guarded: true,
    file: "src/web/security/Security.tsx",
  },
  {
    page: "dashboard/payments",
    Page: lazyPart(async () => (await import("./payments/list/Payments.tsx")).Payments),
    title: "meta.payments.title",
    guarded: true,
    file: "src/web/payments/list/Payments.tsx",
  },
  {
    page: "dashboard/statement",
    Page: lazyPart(async () => (await import("./statement/Statement.tsx")).Statement),
    title: "meta.statement.title",
    guarded: true,
    file: "src/web/statement/Statement.tsx",
  },
  {
    page: "payments/pay",
    Page: lazyPart(async () => (await import("./payments/Payment.tsx")).Payment),
    title: "meta.payment.title",
    guarded: true,
    file: "src/web/payments/Payment.tsx",
  },
  ...officeSections.map((section): Route => ({
    page: officePage(section),
    Page: Office,
    title: "meta.office.title",
    // Not guarded: the page itself denies others (spec O §4).
    area: "admin",
    wide: true,
    file: "src/web/office/Office.tsx",
  })),
  {
    page: "admin/stories",
    Page: lazyPart(async () => (await import("./admin/StoriesAdmin.tsx")).StoriesAdmin),
    title: "meta.storiesAdmin.title",
    file: "src/web/admin/StoriesAdmin.tsx",
  },
  {
    page: "offline",
    Page: lazyPart(async () => (await import("./offline/Offline.tsx")).Offline),
    title: "offline.title",
    file: "src/web/offline/Offline.tsx",
    still: true,
  },
];

const missing: Route = { page: "*", Page: NotFound, title: "meta.missing.title" };

/** The route of an address, or "route not found" (spec B §2). */
export function routeOf(pathname: string): Route {
  const page = pageOf(pathname);
  return routes.find((route) => route.page === page) ?? missing;
}
