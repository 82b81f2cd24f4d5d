/**
 * Sandbox sites: free and the same every time, for tests of programs. Their orders behave like any other, at a mailbox of the
 * sandbox domain. The key is the `site`; the sentence is for the documentation.
 */
export const sandboxSites = {
  "sandbox-ok":
    "A letter after 2 seconds: text and HTML, with the code 482915 and a link. Its subject holds the word that `subject` asks for.",
  "sandbox-delay-20": "The same letter after 20 seconds.",
  "sandbox-html-only": "A letter after 2 seconds that has no text part, with the same code and link.",
  "sandbox-wrong-subject":
    "A letter after 2 seconds whose subject never holds the word that `subject` asks for: the order goes on waiting, the timeline tells why, and the letter can be released.",
  "sandbox-two-letters": "Two letters: with the code 482915 after 2 seconds, with the code 730264 after 4.",
  "sandbox-never": "No letter: the order waits until it expires or is canceled.",
  "sandbox-no-emails": "No address: the order is answered `no emails`.",
} as const;

export const sandboxCode = "482915";
export const sandboxSecondCode = "730264";

/** The stock of a sandbox site in /email/quantity, except the empty one. */
export const sandboxCount = 1_000;

/** Free orders of one account: a minute, a day, waiting at once. More are answered with HTTP 429. */
export const sandboxOrdersMinute = 60;
export const sandboxOrdersDay = 1_000;
export const sandboxOrdersWaiting = 100;
