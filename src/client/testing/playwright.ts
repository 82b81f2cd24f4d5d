// `postern-client/playwright`: Playwright's `test` with an address for each test.
import { test as base } from "@playwright/test";
import { type Inbox, type InboxOptions, openInbox } from "./inbox.ts";

export { expect } from "@playwright/test";
export type { Inbox } from "./inbox.ts";

type Chosen = Pick<InboxOptions, "site" | "domain" | "subject" | "regex">;

/** For `defineConfig<PosternUse>({ use: { postern: { … } } })`. */
export interface PosternUse {
  /** The shop, a token of it, and what each test orders. */
  postern: Omit<InboxOptions, "attempt"> | undefined;
}

export interface PosternFixtures {
  /** The test's own address. */
  inbox: Inbox;
  /** Another one, for a test that needs several; released at the end too. */
  openInbox: (chosen?: Partial<Chosen>) => Promise<Inbox>;
}

/** Each attempt of each test has addresses of its own; those that still wait for a letter at its end are canceled and refunded. */
export const test = base.extend<PosternFixtures & PosternUse>({
  postern: [undefined, { option: true }],
  openInbox: async ({ postern }, use, { testId, repeatEachIndex, retry }) => {
    if (!postern)
      throw new Error("playwright.config.ts says no shop: set use.postern to { url, token, site, domain }.");
    const opened: Promise<Inbox>[] = [];
    await use((chosen) => {
      const attempt = `${testId} ${repeatEachIndex} ${retry} ${opened.length}`;
      const inbox = openInbox({ ...postern, ...chosen, attempt });
      opened.push(inbox);
      return inbox;
    });
    const all = await Promise.allSettled(opened);
    const inboxes = all.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    await Promise.all(inboxes.map((inbox) => inbox.release()));
  },
  inbox: async ({ openInbox }, use) => {
    await use(await openInbox());
  },
});
