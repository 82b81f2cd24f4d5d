// One node: asked as often as it bears, left alone while it is ill, and what the operator is told of it.
import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod/mini";
import {
  answerTo,
  brief,
  type Call,
  isRpcError,
  NodeTrouble,
  type Place,
  readExactly,
  readPlace,
  reasonOf,
  resultOf,
} from "./nodes.wire.ts";

/** One node during one piece of work. Every function throws NodeTrouble when the answer is not of the shape. */
export interface Node {
  /** Its host: addresses of nodes hold keys, so nothing else of them is ever shown. */
  readonly name: string;
  /** One call of JSON-RPC 2.0. */
  rpc<Shape>(shape: z.ZodMiniType<Shape>, method: string, params: readonly unknown[]): Promise<Shape>;
  /** Several calls at once, in as few requests as the node takes; the answers are in the order of the calls. */
  rpcAll<Shape>(shape: z.ZodMiniType<Shape>, calls: readonly Call[]): Promise<Shape[]>;
  get<Shape>(shape: z.ZodMiniType<Shape>, path: string): Promise<Shape>;
  post<Shape>(shape: z.ZodMiniType<Shape>, path: string, body: unknown): Promise<Shape>;
  /** Notes how far the chain is by this node, for the operator. */
  stands(height: bigint): void;
}

/** How a node is doing, for the operator. */
export interface NodeHealth {
  readonly name: string;
  /** Whether it answered last of all nodes of its chain. */
  readonly isInUse: boolean;
  readonly height: bigint | undefined;
  readonly answeredAt: Date | undefined;
  /** The last trouble, also when it is over. */
  readonly trouble: { readonly text: string; readonly at: Date } | undefined;
  readonly restsUntil: Date | undefined;
}

/** A node between pieces of work. */
export interface Known {
  readonly name: string;
  during(signal: AbortSignal): Node;
  isResting(): boolean;
  recovered(): void;
  failed(fault: NodeTrouble): void;
  health(): Omit<NodeHealth, "isInUse">;
}

interface Settings {
  readonly url: string;
  /** Tells nodes of one host apart. */
  readonly number: number;
  readonly requestsPerSecond: number;
  readonly keyHeader: string | undefined;
  readonly rpcPath: string;
  readonly clock: () => Date;
}

const timeoutMilliseconds = 10_000;
const batchMax = 100;
const restMaxMilliseconds = 60_000;
const askedRestMaxMilliseconds = 600_000;

/** Prepares a node; nothing is asked yet. */
export function openNode(settings: Settings): Known {
  const { url, number, requestsPerSecond, keyHeader, rpcPath, clock } = settings;
  const place = readPlace(url, keyHeader);
  const name = number === 1 ? place.host : `${place.host} (${number})`;
  const speak = openSpeech(place, requestsPerSecond, rpcPath);
  const known: { -readonly [Key in keyof Omit<NodeHealth, "isInUse" | "name">]: NodeHealth[Key] } = {
    height: undefined,
    answeredAt: undefined,
    trouble: undefined,
    restsUntil: undefined,
  };
  let failures = 0;
  return {
    name,
    during: (signal) => ({ name, ...speak(signal), stands: (height) => void (known.height = height) }),
    isResting: () => known.restsUntil !== undefined && clock() < known.restsUntil,
    recovered: () => {
      failures = 0;
      [known.restsUntil, known.answeredAt] = [undefined, clock()];
    },
    failed: (fault) => {
      const at = clock();
      known.trouble = { text: place.hide(fault.message), at };
      // Half of it by chance, so that processes that failed together do not come back together.
      const longest = Math.min(2 ** failures++ * 1000, restMaxMilliseconds);
      const asked = Math.min(fault.restMilliseconds ?? 0, askedRestMaxMilliseconds);
      known.restsUntil = new Date(at.getTime() + Math.max(asked, longest * (0.5 + Math.random() / 2)));
    },
    health: () => ({ name, ...known }),
  };
}

/** The ways to speak to a node, at its pace. */
function openSpeech(place: Place, requestsPerSecond: number, rpcPath: string) {
  const ask = openLine(place, requestsPerSecond);
  const trouble = (text: string, code?: number) => new NodeTrouble(place.hide(text), code);
  let most = batchMax;
  const of = <Shape>(shape: z.ZodMiniType<Shape>, said: unknown): Shape => {
    const read = shape.safeParse(said);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw trouble(`its answer is of another shape: ${issue?.path.join(".")} ${issue?.message}`);
  };
  /** Asks a batch; undefined when it is too much for the node, which is asked for less from then on. */
  const askSome = async (some: readonly Call[], signal: AbortSignal): Promise<unknown[] | undefined> => {
    const body = some.map((call, id) => ({ jsonrpc: "2.0", id, ...call }));
    try {
      const said = await ask(rpcPath, body, signal, some.length);
      if (Array.isArray(said)) return said;
      resultOf(said, "a batch", trouble);
      throw trouble("it answers a batch with one answer", 400);
    } catch (fault) {
      const refused = fault instanceof NodeTrouble ? fault.code : undefined;
      if (refused === undefined || !isTooMuch(refused) || some.length === 1) throw fault;
      most = Math.ceil(some.length / 2);
      return undefined;
    }
  };
  return (signal: AbortSignal): Omit<Node, "name" | "stands"> => ({
    rpc: async (shape, method, params) => {
      const said = await ask(rpcPath, { jsonrpc: "2.0", id: 1, method, params }, signal);
      return of(shape, resultOf(said, method, trouble));
    },
    rpcAll: async (shape, calls) => {
      const outcomes: ReturnType<typeof shape.parse>[] = [];
      while (outcomes.length < calls.length) {
        const some = calls.slice(outcomes.length, outcomes.length + most);
        const said = await askSome(some, signal);
        const results = said && some.map(({ method }, id) => resultOf(answerTo(said, id), method, trouble));
        for (const result of results ?? []) outcomes.push(of(shape, result));
      }
      return outcomes;
    },
    get: async (shape, path) => of(shape, await ask(path, undefined, signal)),
    post: async (shape, path, body) => of(shape, await ask(path, body, signal)),
  });
}

/** Refusals that fewer calls in a batch may heal: statuses of HTTP for a wrong or too long request, and those of JSON-RPC. */
const isTooMuch = (code: number) => [400, 413, 422].includes(code) || code < 0;

type Line = (path: string, body: unknown, signal: AbortSignal, calls?: number) => Promise<unknown>;

/** One request at a time's pace to the node; `calls` is how many it counts for. Answers the JSON that came back. */
function openLine(place: Place, requestsPerSecond: number): Line {
  const turn = pacer(1000 / requestsPerSecond);
  return async (path, body, signal, calls = 1) => {
    await turn(signal, calls);
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(place.at(path), {
        method: body === undefined ? "GET" : "POST",
        headers: { accept: "application/json", ...(body === undefined ? {} : json), ...place.headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // Elsewhere is not where the operator sent us.
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
      });
      text = await answer.text();
    } catch (fault) {
      if (signal.aborted) throw fault;
      throw new NodeTrouble(`it does not answer (${place.hide(reasonOf(fault))})`);
    }
    // JSON-RPC says its errors with the status 500 too; other refusals need be no JSON at all.
    const said = readExactly(text);
    if (!answer.ok && !isRpcError(said)) throw refusal(answer, place.hide(text));
    if (said === undefined) throw new NodeTrouble(`its answer is no JSON: ${brief(place.hide(text))}`);
    return said;
  };
}

const json = { "content-type": "application/json" };

function refusal({ status, headers }: Response, text: string): NodeTrouble {
  const seconds = Number(headers.get("retry-after") ?? "");
  const rest = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
  return new NodeTrouble(`it answers ${status}: ${brief(text)}`, status, rest);
}

/** Lets requests pass one after another, so far apart for each call in them. */
function pacer(milliseconds: number): (signal: AbortSignal, calls: number) => Promise<void> {
  let nextAt = 0;
  return async (signal, calls) => {
    const at = Math.max(performance.now(), nextAt);
    nextAt = at + milliseconds * calls;
    const wait = at - performance.now();
    if (wait > 1) await pause(wait, undefined, { signal });
  };
}
