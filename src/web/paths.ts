import { isLanguage, type Language } from "../i18n/languages.ts";

export const officeSections = [
  "overview",
  "days",
  "find",
  "setup",
  "domains",
  "prices",
  "pricechanges",
  "hosts",
  "sites",
  "letters",
  "outcomes",
  "users",
  "user",
  "order",
  "payment",
  "batch",
  "letter",
  "orders",
  "payments",
  "chains",
  "rates",
  "adjustments",
  "partners",
  "held",
  "investors",
  "batches",
  "shares",
  "complaints",
  "questions",
  "withdrawals",
  "tasks",
  "health",
  "security",
  "journal",
] as const;
export type OfficeSection = (typeof officeSections)[number];

/** Pages of one thing, by its number: they are reached from where the number stands. */
export const officeObjects = ["user", "order", "payment", "batch", "letter"] as const;
export type OfficeObject = (typeof officeObjects)[number];
export const isOfficeObject = (section: OfficeSection): section is OfficeObject =>
  (officeObjects as readonly OfficeSection[]).includes(section);

export const officePage = (section: OfficeSection) => (section === "overview" ? "admin" : `admin/${section}`);

/** The pages of the documentation; `start` has the calls of spec B §2. */
export const docsPages = [
  "start",
  "sandbox",
  "errors",
  "events",
  "webhooks",
  "tokens",
  "testing",
  "orders",
  "payments",
  "account",
  "partners",
  "investors",
  "changelog",
] as const;
export type DocsPage = (typeof docsPages)[number];

export const docsPath = (page: DocsPage) => (page === "start" ? "docs" : `docs/${page}`);

export const paths = {
  home: (language: Language) => `/${language}`,
  docs: (language: Language, page: DocsPage = "start") => `/${language}/${docsPath(page)}`,
  dashboard: (language: Language, order?: { from: string; to: string }) =>
    `/${language}/dashboard${order ? `?${new URLSearchParams(order)}` : ""}`,
  order: (language: Language, id: string) => `/${language}/dashboard/order?${new URLSearchParams({ id })}`,
  partner: (language: Language) => `/${language}/dashboard/partner`,
  investor: (language: Language) => `/${language}/dashboard/investor`,
  programs: (language: Language) => `/${language}/dashboard/api`,
  statement: (language: Language) => `/${language}/dashboard/statement`,
  payments: (language: Language) => `/${language}/dashboard/payments`,
  security: (language: Language) => `/${language}/dashboard/security`,
  help: (language: Language) => `/${language}/help`,
  storiesAdmin: (language: Language) => `/${language}/admin/stories`,
  pay: (language: Language, id: string) => `/${language}/payments/pay?${new URLSearchParams({ id })}`,
  office: (language: Language, section: OfficeSection = "overview") => `/${language}/${officePage(section)}`,
  officeObject: (language: Language, object: OfficeObject, id: string) =>
    `/${language}/${officePage(object)}?${new URLSearchParams({ id })}`,
};

/** The pages of the dashboard that are modes of it (spec O §1), and their modes. */
export const modeOfPage = {
  dashboard: "user",
  "dashboard/partner": "partner",
  "dashboard/investor": "investor",
} as const;
export const isModePage = (page: string | undefined): page is keyof typeof modeOfPage =>
  page !== undefined && Object.hasOwn(modeOfPage, page);
export type Mode = (typeof modeOfPage)[keyof typeof modeOfPage];

/** The dashboard in a mode. */
export const dashboardOf = (language: Language, mode: Mode): string =>
  paths[mode === "user" ? "dashboard" : mode](language);

/** The path after the language, without trailing slashes; undefined without a language. */
export function pageOf(pathname: string): string | undefined {
  const [, first, ...rest] = pathname.split("/");
  return isLanguage(first) ? rest.join("/").replace(/\/+$/, "") : undefined;
}

/** The same address in another language (spec B §2). */
export function inLanguage(language: Language, pathname: string): string {
  const page = pageOf(pathname);
  return page ? `/${language}/${page}` : paths.home(language);
}
