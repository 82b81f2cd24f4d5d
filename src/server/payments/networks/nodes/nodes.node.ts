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

/** One node during one piece of work. Every function throws NodeTrouble when the answer has another shape. */
export interface Node {
  /** The host alone: URLs of nodes hold keys. */
  readonly name: string;
  rpc<Shape>(shape: z.ZodMiniType<Shape>, method: string, params: readonly unknown[]): Promise<Shape>;
  /** Several calls in as few requests as the node takes, answered in the order of the calls. */
  rpcAll<Shape>(shape: z.ZodMiniType<Shape>, calls: readonly Call[]): Promise<Shape[]>;
  get<Shape>(shape: z.ZodMiniType<Shape>, path: string): Promise<Shape>;
  post<Shape>(shape: z.ZodMiniType<Shape>, path: string, body: unknown): Promise<Shape>;
  /** Notes the node's height for the operator. */
  stands(height: bigint): void;
  /** Tells the operator what this node cannot do, although it goes on working. */
  warns(text: string): void;
}

export interface NodeHealth {
  readonly name: string;
  readonly isInUse: boolean;
  readonly height: bigint | undefined;
  readonly answeredAt: Date | undefined;
  readonly trouble: { readonly text: string; readonly at: Date } | undefined;
  readonly restsUntil: Date | undefined;
}

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
  readonly number: number;
  readonly requestsPerSecond: number;
  readonly keyHeader: string | undefined;
  readonly rpcPath: string;
  readonly clock: () => Date;
}

const timeoutMilliseconds = 10_000;
const batchMax = 100;
const restMaxMilliseconds = 60_000;
const requestedRestMaxMilliseconds = 600_000;

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
    during: (signal) => ({
      name,
      ...speak(signal),
      stands: (height) => void (known.height = height),
      warns: (text) => void (known.trouble = { text: place.hide(text), at: clock() }),
    }),
    isResting: () => known.restsUntil !== undefined && clock() < known.restsUntil,
    recovered: () => {
      failures = 0;
      [known.restsUntil, known.answeredAt] = [undefined, clock()];
    },
    failed: (fault) => {
      const at = clock();
      known.trouble = { text: place.hide(fault.message), at };
      // Half of the rest is random, so that processes do not return together.
      const longest = Math.min(2 ** failures++ * 1000, restMaxMilliseconds);
      const requested = Math.min(fault.restMilliseconds ?? 0, requestedRestMaxMilliseconds);
      known.restsUntil = new Date(at.getTime() + Math.max(requested, longest * (0.5 + Math.random() / 2)));
    },
    health: () => ({ name, ...known }),
  };
}

function openSpeech(place: Place, requestsPerSecond: number, rpcPath: string) {
  const ask = openLine(place, requestsPerSecond);
  const trouble = (text: string, code?: number) => new NodeTrouble(place.hide(text), code);
  let [most, answered] = [batchMax, 0];
  const of = <Shape>(shape: z.ZodMiniType<Shape>, answer: unknown): Shape => {
    const read = shape.safeParse(answer);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw trouble(`its answer is of another shape: ${issue?.path.join(".")} ${issue?.message}`);
  };
  const askOne = async ({ method, params }: Call, signal: AbortSignal): Promise<unknown> =>
    resultOf(await ask(rpcPath, { jsonrpc: "2.0", id: 1, method, params }, signal), method, trouble);
  // A single call goes without an array: some nodes take none.
  const askSome = async (some: readonly Call[], signal: AbortSignal): Promise<unknown[]> => {
    const [first] = some;
    if (first && some.length === 1) return [await askOne(first, signal)];
    const body = some.map((call, id) => ({ jsonrpc: "2.0", id, ...call }));
    const answers = await ask(rpcPath, body, signal, some.length);
    if (!Array.isArray(answers)) {
      resultOf(answers, "a batch", trouble);
      throw trouble("it answers a batch with one answer", 0);
    }
    return some.map(({ method }, id) => resultOf(answerTo(answers, id), method, trouble));
  };
  return (signal: AbortSignal): Omit<Node, "name" | "stands" | "warns"> => ({
    rpc: async (shape, method, params) => of(shape, await askOne({ method, params }, signal)),
    rpcAll: async (shape, calls) => {
      const outcomes: ReturnType<typeof shape.parse>[] = [];
      const before = most;
      while (outcomes.length < calls.length) {
        const some = calls.slice(outcomes.length, outcomes.length + most);
        try {
          const results = await askSome(some, signal);
          outcomes.push(...results.map((result) => of(shape, result)));
        } catch (fault) {
          // Providers refuse a batch that is too long for them in many words: any refusal halves it.
          if (!isRefusal(fault)) throw fault;
          // What is refused alone too was not refused for its length.
          if (some.length === 1) {
            most = before;
            throw fault;
          }
          [most, answered] = [Math.ceil(some.length / 2), 0];
          continue;
        }
        if (++answered % growsAfter === 0) most = Math.min(most * 2, batchMax);
      }
      return outcomes;
    },
    get: async (shape, path) => of(shape, await ask(path, undefined, signal)),
    post: async (shape, path, body) => of(shape, await ask(path, body, signal)),
  });
}

// After a busy hour a node takes long batches again; one that never does is refused one request in so many.
const growsAfter = 50;

const isRefusal = (fault: unknown): boolean =>
  fault instanceof NodeTrouble && fault.code !== undefined && fault.restMilliseconds === undefined;

type Line = (path: string, body: unknown, signal: AbortSignal, calls?: number) => Promise<unknown>;

/** Sends paced requests; `calls` is how many one counts for. Returns the parsed JSON. */
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
        // A redirect leads to a host that the operator did not choose.
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
      });
      text = await answer.text();
    } catch (fault) {
      if (signal.aborted) throw fault;
      throw new NodeTrouble(`it does not answer (${place.hide(reasonOf(fault))})`);
    }
    // JSON-RPC reports errors with status 500 too; other refusals may not be JSON.
    const parsed = readExactly(text);
    if (!answer.ok && !isRpcError(parsed)) throw refusal(answer, place.hide(text));
    if (parsed === undefined) throw new NodeTrouble(`its answer is no JSON: ${brief(place.hide(text))}`);
    return parsed;
  };
}

const json = { "content-type": "application/json" };

function refusal({ status, headers }: Response, text: string): NodeTrouble {
  const seconds = Number(headers.get("retry-after") ?? "");
  const rest = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
  return new NodeTrouble(
    `it answers ${status}: ${brief(text)}`,
    status,
    rest === undefined ? {} : { restMilliseconds: rest },
  );
}

function pacer(milliseconds: number): (signal: AbortSignal, calls: number) => Promise<void> {
  let nextAt = 0;
  return async (signal, calls) => {
    const at = Math.max(performance.now(), nextAt);
    nextAt = at + milliseconds * calls;
    const wait = at - performance.now();
    if (wait > 1) await pause(wait, undefined, { signal });
  };
}
