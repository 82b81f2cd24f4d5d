/**
 * Sandbox sites: free, the same every time, for tests of programs that order here. Their orders are orders like any other: they
 * wait, receive, expire, are listed, told as events, canceled and reordered. The mailbox is at a domain of the sandbox, whatever
 * mail domain is asked for. The key is the `site`; the sentence is for the documentation.
 */
export const sandboxSites = {
  "sandbox-ok":
    "A letter after 2 seconds: text and HTML, with the code 482915 and a link. Its subject contains the word in `subject`.",
  "sandbox-delay-20": "The same letter after 20 seconds.",
  "sandbox-html-only": "A letter after 2 seconds that has no text part, with the same code and link.",
  "sandbox-wrong-subject":
    "A letter after 2 seconds whose subject never contains the word in `subject`: the order keeps waiting, the timeline says why, and you can release the letter.",
  "sandbox-two-letters": "Two letters: with the code 482915 after 2 seconds, with the code 730264 after 4.",
  "sandbox-never": "No letter: the order waits until it expires or is canceled.",
  "sandbox-no-emails": "No address: the order gets `no emails`.",
} as const;

export const sandboxCode = "482915";
export const sandboxSecondCode = "730264";

/** How many addresses /email/quantity tells for a sandbox site, but for the one that has none. */
export const sandboxCount = 1_000;

/** Free orders of one account: within a minute, within a day, and waiting at the same time. One more is answered with HTTP 429. */
export const sandboxOrdersMinute = 60;
export const sandboxOrdersDay = 1_000;
export const sandboxOrdersWaiting = 100;
