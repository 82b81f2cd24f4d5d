// A chain in memory and a node of it, in the language of each kind of node, that misbehaves as it is told.
import { text as textIn } from "node:stream/consumers";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** `inside`: a contract pays within a call, so that no transaction is to the address. */
export type Kind = "coin" | "token" | "inside";

export interface Paid {
  readonly txid: string;
  readonly kind: Kind;
  readonly to: string;
  readonly amount: bigint;
}

export interface Block {
  readonly height: number;
  /** 64 hexadecimal digits. */
  readonly id: string;
  readonly parent: string;
  readonly at: number;
  readonly paid: readonly Paid[];
}

/** What a node sees of the chain: its blocks up to the newest that it has. */
export interface View {
  readonly top: number;
  readonly blocks: readonly Block[];
  /** Payments that wait for a block. */
  readonly waiting: readonly Paid[];
  readonly now: number;
  find(txid: string): { block: Block; paid: Paid } | undefined;
  sum(to: string, kinds: readonly Kind[], height?: number): bigint;
}

export interface World {
  now: number;
  readonly came: Paid[];
  pay(kind: Kind, to: string, amount: bigint): void;
  mine(blocks: number): void;
  view(lag: number): View;
}

export const digest = (text: string) => createHash("sha256").update(text).digest("hex");

export function openWorld(first: (height: number) => string | undefined, seed: string): World {
  const blocks: Block[] = [];
  const came: Paid[] = [];
  let waiting: Paid[] = [];
  const world: World = {
    now: 1_900_000_000,
    came,
    pay: (kind, to, amount) => {
      const paid = { txid: digest(`${seed} payment ${came.length}`), kind, to, amount };
      came.push(paid);
      waiting.push(paid);
    },
    mine: (count) => {
      for (let made = 0; made < count; made++) {
        const height = blocks.length;
        const id = first(height) ?? digest(`${seed} block ${height}`);
        const parent = blocks.at(-1)?.id ?? "0".repeat(64);
        blocks.push({ height, id, parent, at: world.now - count + made, paid: waiting });
        waiting = [];
      }
    },
    view: (lag) => {
      const top = Math.max(0, blocks.length - 1 - lag);
      const seen = blocks.slice(0, top + 1);
      return {
        top,
        blocks: seen,
        waiting: lag === 0 ? waiting : [],
        now: world.now,
        find: (txid) => {
          for (const block of seen)
            for (const paid of block.paid) if (paid.txid === txid) return { block, paid };
          return undefined;
        },
        sum: (to, kinds, height = top) =>
          seen
            .slice(0, height + 1)
            .flatMap(({ paid }) => paid)
            .filter((one) => one.to === to && kinds.includes(one.kind))
            .reduce((sum, { amount }) => sum + amount, 0n),
      };
    },
  };
  return world;
}

export const moods = [
  "refuses",
  "hangs up",
  "lags",
  "goes back",
  "is empty",
  "repeats",
  "respells",
  "is odd",
] as const;
export type Mood = (typeof moods)[number];

export interface Question {
  /** The method or the path, without what is asked for. */
  readonly name: string;
  readonly params: readonly unknown[];
  /** Of a question that is no JSON-RPC. */
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A kind of node: which questions there are, and what it answers. `undefined`: it does not know the question. */
export interface Language {
  readonly names: readonly string[];
  nameOf?(url: URL): string;
  answer(view: View, question: Question): unknown;
}

export class Refused extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface MoodyNode {
  readonly url: string;
  world: World;
  language: Language;
  mood: (name: string) => Mood | undefined;
  close(): Promise<void>;
}

const refusals: readonly (readonly [number, string])[] = [
  [-32_005, "rate limited"],
  [-32_000, "header not found"],
  [-32_603, "internal error"],
  [19, "temporary failure"],
  [429, "too many requests"],
];

export async function openMoodyNode(world: World, language: Language): Promise<MoodyNode> {
  let refused = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const text = await textIn(request);
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      const body: unknown = text === "" ? {} : JSON.parse(text);
      const isRpc =
        Array.isArray(body) ||
        (typeof body === "object" && body !== null && "method" in body && "id" in body);
      const ask = (name: string, one: Record<string, unknown>) => {
        const mood = node.mood(name);
        if (mood === "hangs up") throw new Error("it hangs up");
        if (mood === "refuses") {
          const [code, message] = refusals[refused++ % refusals.length] ?? [429, "too many requests"];
          throw new Refused(code, message);
        }
        const lag = mood === "lags" ? 1 : mood === "goes back" ? 5 : 0;
        const params = (one["params"] ?? []) as unknown[];
        return inMood(mood, node.language.answer(node.world.view(lag), { name, params, url, body: one }));
      };
      try {
        if (isRpc) {
          const calls = [body].flat() as Record<string, unknown>[];
          const said = calls.map((one) => rpcAnswer(one, () => ask(String(one["method"]), one)));
          return void response.end(show(Array.isArray(body) ? said : said[0]));
        }
        const said = ask(node.language.nameOf?.(url) ?? url.pathname, body as Record<string, unknown>);
        if (said === undefined) response.writeHead(404).end("not found");
        else response.end(show(said));
      } catch (fault) {
        if (!(fault instanceof Refused)) return void response.destroy();
        response.writeHead([429, 503, 500][refused % 3] ?? 500).end(fault.message);
      }
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const node: MoodyNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    world,
    language,
    mood: () => undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return node;
}

function rpcAnswer({ id }: Record<string, unknown>, ask: () => unknown): unknown {
  try {
    return { jsonrpc: "2.0", id, result: ask() ?? null };
  } catch (fault) {
    if (!(fault instanceof Refused)) throw fault;
    return { jsonrpc: "2.0", id, error: { code: fault.code, message: fault.message } };
  }
}

const show = (said: unknown) =>
  JSON.stringify(said, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value));

function inMood(mood: Mood | undefined, said: unknown): unknown {
  if (mood === "is odd") return { odd: [true] };
  if (mood === "is empty") return emptied(said);
  if (mood === "repeats") return listsIn(said, (list) => [...list, ...list]);
  return mood === "respells" ? respelt(said) : said;
}

const isObject = (said: unknown): said is Record<string, unknown> =>
  typeof said === "object" && said !== null && !Array.isArray(said);

/** A list without its entries; an answer that is more than a list is missing. */
function emptied(said: unknown): unknown {
  if (Array.isArray(said)) return [];
  const isList = isObject(said) && Object.values(said).every((value) => Array.isArray(value));
  if (isList) return listsIn(said, () => []);
  return isObject(said) ? {} : null;
}

function listsIn(said: unknown, change: (list: unknown[]) => unknown[]): unknown {
  if (Array.isArray(said)) return change(said);
  if (!isObject(said)) return said;
  const entries = Object.entries(said).map(([name, value]) => [
    name,
    Array.isArray(value) ? change(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** The same in another spelling: digits of ids in upper case. */
function respelt(said: unknown): unknown {
  if (typeof said === "string")
    return /^(0x)?[0-9a-f]{64}$/.test(said) ? said.replace(/[0-9a-f]{64}$/, (id) => id.toUpperCase()) : said;
  if (Array.isArray(said)) return said.map(respelt);
  if (!isObject(said)) return said;
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [name, respelt(value)]));
}
