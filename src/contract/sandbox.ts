/**
 * Sandbox sites: free and the same every time, for tests of programs. Their orders behave like any other, at a mailbox of the
 * sandbox domain. The guide of the sandbox (i18n/docs) says what each does.
 */
export const sandboxSites = [
  "sandbox-ok",
  "sandbox-delay-20",
  "sandbox-html-only",
  "sandbox-wrong-subject",
  "sandbox-two-letters",
  "sandbox-never",
  "sandbox-no-emails",
] as const;
export type SandboxSite = (typeof sandboxSites)[number];

export const sandboxCode = "482915";
export const sandboxSecondCode = "730264";

/** The stock of a sandbox site in /email/quantity, except the empty one. */
export const sandboxCount = 1_000;

/** Free orders of one account: a minute, a day, waiting at once. More are answered with HTTP 429. */
export const sandboxOrdersMinute = 60;
export const sandboxOrdersDay = 1_000;
export const sandboxOrdersWaiting = 100;
