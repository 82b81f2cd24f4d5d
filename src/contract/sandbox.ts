/**
 * Sandbox sites: free, the same every time, for tests of programs that order here. Their orders are orders like any other: they
 * wait, receive, expire, are listed, told as events, canceled and reordered. The mailbox is at a domain of the sandbox, whatever
 * mail domain is asked for. What each does is said by `docs.sandbox.*` of the catalogues.
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

/** How many addresses /email/quantity tells for a sandbox site, but for the one that has none. */
export const sandboxCount = 1_000;

/** Free orders of one account: within a minute, within a day, and waiting at the same time. One more is answered with HTTP 429. */
export const sandboxOrdersMinute = 60;
export const sandboxOrdersDay = 1_000;
export const sandboxOrdersWaiting = 100;
