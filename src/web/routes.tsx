import type { ComponentType } from "react";
import type { PublicKey } from "../i18n/t.ts";
import { Home } from "./home/Home.tsx";
import { NotFound } from "./home/NotFound.tsx";
import { lazyPart } from "./lazyPart.tsx";
import { officePage, officeSections, pageOf } from "./paths.ts";

export interface Route {
  /** What follows the language in the address. */
  page: string;
  Page: ComponentType;
  title: PublicKey;
  /** Public pages have a description, are rendered by the server and may be found by search engines. */
  description?: PublicKey;
  /** Only for holders of a token; others are sent home to sign in (spec B §2). */
  guarded?: boolean;
  /** The file of a lazily loaded page, as the build manifest names it: the server lets the browser fetch it at once. */
  file?: string;
  /** Pages of one area share what stands around them: going from one to another keeps it. */
  area?: string;
  /** A page of wide tables, which takes the room that there is. */
  wide?: boolean;
  /** Stands alone, as the server drew it: without header and without a script of the pages. */
  still?: boolean;
}

const Office = lazyPart(async () => (await import("./office/Office.tsx")).Office);

/** Every page, in one table. */
export const routes: readonly Route[] = [
  { page: "", Page: Home, title: "meta.home.title", description: "meta.home.description" },
  {
    page: "docs",
    Page: lazyPart(async () => (await import("./docs/Docs.tsx")).Docs),
    title: "meta.docs.title",
    description: "meta.docs.description",
    file: "src/web/docs/Docs.tsx",
  },
  {
    page: "help",
    Page: lazyPart(async () => (await import("./help/Help.tsx")).Help),
    title: "meta.help.title",
    description: "meta.help.description",
    file: "src/web/help/Help.tsx",
  },
  {
    page: "dashboard",
    Page: lazyPart(async () => (await import("./dashboard/Dashboard.tsx")).Dashboard),
    title: "meta.dashboard.title",
    guarded: true,
    file: "src/web/dashboard/Dashboard.tsx",
  },
  {
    page: "dashboard/api",
    Page: lazyPart(async () => (await import("./programs/Programs.tsx")).Programs),
    title: "meta.programs.title",
    guarded: true,
    file: "src/web/programs/Programs.tsx",
  },
  {
    page: "dashboard/payments",
    Page: lazyPart(async () => (await import("./payments/Payments.tsx")).Payments),
    title: "meta.payments.title",
    guarded: true,
    file: "src/web/payments/Payments.tsx",
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
    // Not guarded: who is no administrator is told so in place (spec O §4).
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

/** The page of an address; "route not found" for any other (spec B §2). */
export function routeOf(pathname: string): Route {
  const page = pageOf(pathname);
  return routes.find((route) => route.page === page) ?? missing;
}
