import { openAsBlob } from "node:fs";
import type { Letter, Order, Postern, WaitOptions } from "../client.ts";
import { columns, dollars, time } from "./words.ts";

/** The command was called wrongly; the message says how. */
export class Misuse extends Error {}

export class Given {
  readonly id: string;
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;

  constructor(id: string, values: Readonly<Record<string, string | boolean | undefined>>) {
    this.id = id;
    this.#values = values;
  }

  /** Empty when absent: on the wire both are the same. */
  text(option: string): string {
    const value = this.#values[option];
    return typeof value === "string" ? value : "";
  }

  is(option: string): boolean {
    return this.#values[option] === true;
  }

  number(option: string): number | undefined {
    const text = this.text(option);
    if (text !== "" && !/^\d+$/.test(text)) throw new Misuse(`--${option} is a whole number, not ${text}.`);
    return text === "" ? undefined : Number(text);
  }
}

/** Output of a command: `--json` prints `json`, if any, as one line, and nothing else. */
export interface Output {
  json: unknown;
  lines: readonly string[];
  beside?: readonly string[];
}

/** Opens the shop of the environment, with its token unless another is given. */
export type Open = (token?: string) => Postern;

export interface Command {
  summary: string;
  takesId?: true;
  /** `value` names the option's value; without it the option is a switch. */
  options: Record<string, { summary: string; value?: string; required?: true }>;
  run: (open: Open, given: Given, tell: (output: Output) => void) => Promise<void>;
}

const wishes = {
  subject: { value: "WORD", summary: "only a letter whose subject has this word" },
  regex: { value: "RE2", summary: "only a letter that matches; its first group is printed" },
  "max-price": { value: "DOLLARS", summary: "order nothing at a higher price" },
  note: { value: "TEXT", summary: "your own words for the order" },
} as const;
const timeout = { value: "SECONDS", summary: "wait for the letter no longer" } as const;
const waiting = { wait: { summary: "then wait for the letter, as postern wait does" }, timeout } as const;

export const commands: Readonly<Record<string, Command>> = {
  balance: {
    summary: "print the balance in dollars",
    options: {},
    run: async (open, _, tell) => {
      const balance = await open().balance();
      tell({ json: { balance }, lines: [balance] });
    },
  },
  quantity: {
    summary: "print the mail domains for a site: price and number of addresses",
    options: { site: { value: "SITE", summary: "whose letters are wanted", required: true } },
    run: async (open, given, tell) => {
      const offers = await open().quantity({ site: given.text("site") });
      const rows = Object.entries(offers).map(([domain, { price, count }]) => [
        domain,
        dollars(price),
        String(count),
      ]);
      tell({ json: offers, lines: columns(rows) });
    },
  },
  order: {
    summary: "order an address; prints its id and the address",
    options: {
      site: { value: "SITE", summary: "whose letters are wanted", required: true },
      domain: { value: "DOMAIN", summary: "the mail domain, or several with commas", required: true },
      ...wishes,
      ...waiting,
    },
    run: async (open, given, tell) => {
      const [site, domain] = [given.text("site"), given.text("domain")];
      const timeoutSeconds = given.number("timeout");
      const order = await open().order({ site, domain, ...wishesOf(given) });
      tell(ordered(order));
      if (given.is("wait")) tell(found(await order.waitForLetter({ timeoutSeconds })));
    },
  },
  wait: {
    summary: "wait for the letter; prints what the regex found, else the code, else the link",
    takesId: true,
    options: { timeout },
    run: async (open, given, tell) => {
      const options: WaitOptions = { timeoutSeconds: given.number("timeout") };
      tell(found(await open().waitForLetter(given.id, options)));
    },
  },
  cancel: {
    summary: "give the address back; prints the balance with its price",
    takesId: true,
    options: {},
    run: async (open, given, tell) => {
      const canceled = await open().cancel(given.id);
      tell({ json: canceled, lines: [canceled.balance] });
    },
  },
  reorder: {
    summary: "wait for another letter at the address of an activation that received one",
    takesId: true,
    options: { ...wishes, ...waiting },
    run: async (open, given, tell) => {
      const timeoutSeconds = given.number("timeout");
      const order = await open().reorder({ id: given.id, ...wishesOf(given) });
      tell(ordered(order));
      if (given.is("wait")) tell(found(await order.waitForLetter({ timeoutSeconds })));
    },
  },
  upload: {
    summary: "bring mailboxes as an investor; prints the id of the batch and how many were taken",
    options: {
      file: { value: "FILE", summary: "one login:password per line, UTF-8", required: true },
      sites: { value: "SITES", summary: "which it must not serve, with commas" },
    },
    run: async (open, given, tell) => {
      const [path, sites] = [given.text("file"), given.text("sites")];
      const file = await opened(path);
      const uploaded = await open().ask("uploadBatch", { file, sites });
      const { id_batch, accepted, rejected, domains, restricted = [] } = uploaded;
      const reasons = Object.entries(rejected).filter(([, count]) => count > 0);
      tell({
        json: { id_batch, accepted, rejected, domains, restricted },
        lines: [`${id_batch}  ${accepted}`],
        beside: reasons.map(([reason, count]) => `not taken, ${reason.replaceAll("_", " ")}: ${count}`),
      });
    },
  },
  mcp: {
    summary: "serve an assistant by the Model Context Protocol, over standard input and output",
    options: {
      http: { value: "PORT", summary: "over HTTP on this machine; each caller brings its own token" },
    },
    run: serve,
  },
  history: {
    summary: "print all orders, newest first, ten a page",
    options: { page: { value: "NUMBER", summary: "which page, from 1" } },
    run: async (open, given, tell) => {
      const page = await open().history(given.number("page"));
      const rows = Object.values(page.data)
        .flat()
        .map(({ id, created_at, status, email, from, letters }) => [
          id,
          time(created_at),
          status,
          email,
          from,
          letters[0]?.value ?? letters[0]?.code ?? "",
        ]);
      tell({ json: page, lines: columns(rows) });
    },
  },
};

async function serve(open: Open, given: Given, tell: (output: Output) => void): Promise<void> {
  const { serveProcess, servePort } = await import("./mcp/serve.ts").catch(explainMissing);
  const say = (line: string) => tell({ json: undefined, lines: [], beside: [line] });
  const port = given.number("http");
  if (port === undefined) {
    const postern = open();
    void warnOfOwnToken(postern, say);
    return serveProcess(postern, say);
  }
  // Without an address of the shop no caller could be answered.
  open("of each caller");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  await servePort(port, open, { tell: say, signal: stop.signal });
}

/** The package brings the protocol's SDK; in the repository it is a package of the tests (decision 067). */
function explainMissing(fault: unknown): never {
  const code = fault instanceof Error && "code" in fault ? fault.code : undefined;
  if (code !== "ERR_MODULE_NOT_FOUND") throw fault;
  throw new Misuse(
    "In the repository `mcp` needs packages of the tests: run `node scripts/setup.mjs packages-of-tests` once.",
  );
}

/** A limited token cannot list the tokens of its account. */
async function warnOfOwnToken(postern: Postern, say: (line: string) => void): Promise<void> {
  const isOwn = await postern.ask("tokens", {}).then(
    () => true,
    () => false,
  );
  if (isOwn)
    say(
      "postern: this token may spend the whole balance: make a limited one for the assistant, with a daily budget.",
    );
}

async function opened(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path, { type: "text/plain" });
  } catch {
    throw new Misuse(`${path} cannot be read.`);
  }
}

const wishesOf = (given: Given) => ({
  subject: given.text("subject"),
  regex: given.text("regex"),
  max_price: given.text("max-price"),
  note: given.text("note"),
});

function ordered(order: Order): Output {
  const { id, email, price, balance, expires_at } = order;
  return {
    json: order,
    lines: [`${id}  ${email}`],
    beside: [`${dollars(price)}, ${balance} left; it waits until ${time(expires_at)}`],
  };
}

function found(letter: Letter): Output {
  const { value, code, link, sender, subject } = letter;
  const what = value ?? code ?? link;
  const nothing = "There is neither a code nor a link in it; with --json the whole letter is printed.";
  return {
    json: letter,
    lines: what === undefined ? [] : [what],
    beside: [`from ${sender}: ${subject}`, ...(what === undefined ? [nothing] : [])],
  };
}
