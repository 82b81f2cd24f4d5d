// Addresses for the tests of a site's own sign-up: `postern-client/testing`, for any test runner.
import { type Letter, type Order, Postern, PosternError, type PosternOptions } from "../client.ts";
import { newKey } from "../key.ts";
import type { WaitOptions } from "../letters.ts";
import type { Filters } from "../order.ts";
import { pause } from "../pause.ts";

export interface InboxOptions extends PosternOptions {
  /** The site that sends the letter, such as app.example. */
  site: string;
  /** One or more mail domains, with commas between them. */
  domain: string;
  /** Only a letter whose subject has this word. */
  subject?: string | undefined;
  /** Only a letter that matches; its first group is the letter's `value`. */
  regex?: string | undefined;
  /** Names the attempt of the test: in one run of the program the same name is the same order, paid once. Absent: another order each time. */
  attempt?: string | undefined;
}

const letterSeconds = 60;
/** Between two looks for a letter with a code, after one without. */
const lookMilliseconds = 1_000;

/** An ordered address and its letters. */
export class Inbox {
  readonly address: string;
  readonly #postern: Postern;
  #order: Order;
  #hasLetter = false;

  constructor(postern: Postern, order: Order) {
    this.#postern = postern;
    this.#order = order;
    this.address = order.email;
  }

  /** The order that letters are read of. */
  get order(): Order {
    return this.#order;
  }

  /** Waits for the newest letter, for 60 seconds unless said otherwise. */
  async letter({ timeoutSeconds = letterSeconds, signal }: WaitOptions = {}): Promise<Letter> {
    const letter = await this.#order.waitForLetter({ timeoutSeconds, signal });
    this.#hasLetter = true;
    return letter;
  }

  /** Waits for a letter with a code and answers the code; letters without one, such as a welcome, may come before it. */
  async code(options: WaitOptions = {}): Promise<string> {
    return this.#find("code", options);
  }

  /** The same for the link that confirms. */
  async link(options: WaitOptions = {}): Promise<string> {
    return this.#find("link", options);
  }

  async #find(what: "code" | "link", { timeoutSeconds = letterSeconds, signal }: WaitOptions) {
    const end = performance.now() + timeoutSeconds * 1000;
    for (;;) {
      const left = Math.max(0, (end - performance.now()) / 1000);
      const letter = await this.letter({ timeoutSeconds: left, signal });
      const found = letter[what];
      if (found !== undefined) return found;
      if (performance.now() + lookMilliseconds > end)
        throw new Error(`The letter “${letter.subject}” from ${letter.sender} has no ${what}.`);
      await pause(lookMilliseconds, signal);
    }
  }

  /** Orders the address again, for a later letter of the same test, such as that of a forgotten password. */
  async again(filters: Filters = {}): Promise<void> {
    this.#order = await this.#order.reorder(filters);
    this.#hasLetter = false;
  }

  /** Cancels an order that still waits, which refunds its price; one with a letter stays as it is. */
  async release(): Promise<void> {
    const { id } = this.#order;
    if (this.#hasLetter) return;
    try {
      await this.#postern.waitForLetter(id, { timeoutSeconds: 0 });
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      if (error.value === "activation canceled") return;
      if (error.value !== "wait message") throw error;
      await this.#order.cancel().catch(ignoreEnded);
    }
  }
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof PosternError) || error.value !== "activation already canceled") throw error;
}

/** Told apart from other runs, which may use the same names at the same time. */
const run = newKey();

/** Orders an address for a test. */
export async function openInbox({
  attempt,
  site,
  domain,
  subject,
  regex,
  ...shop
}: InboxOptions): Promise<Inbox> {
  const postern = new Postern(shop);
  const key = attempt === undefined ? newKey() : await keyOf(attempt);
  return new Inbox(postern, await postern.order({ site, domain, subject, regex, client_order_id: key }));
}

async function keyOf(attempt: string): Promise<string> {
  const name = new TextEncoder().encode(`${run} ${attempt}`);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", name));
  return `test-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** What a fixture of Vitest is told of its test. */
interface VitestContext {
  task: {
    id: string;
    result?: { retryCount?: number | undefined; repeatCount?: number | undefined } | undefined;
  };
}

/** A fixture for Vitest: `const test = base.extend({ inbox: inboxFixture({ … }) })`. Each attempt of each test has an address of its own. */
export function inboxFixture(options: Omit<InboxOptions, "attempt">) {
  // Vitest reads from the source which other fixtures are used: the braces stay.
  return async ({ task }: VitestContext, use: (inbox: Inbox) => Promise<void>): Promise<void> => {
    const { retryCount = 0, repeatCount = 0 } = task.result ?? {};
    const inbox = await openInbox({ ...options, attempt: `${task.id} ${repeatCount} ${retryCount}` });
    await use(inbox);
    await inbox.release();
  };
}
