// Logs and counts what concerns the security of accounts: refused calls, and what was done to an account.
import type { Metric } from "./health.ts";
import { now } from "./platform/clock.ts";
import type { DoneCall, RefusedCall } from "./platform/http/call.ts";

const kinds = ["login", "code", "admin", "session", "proof", "limit"] as const;
type Kind = (typeof kinds)[number];

const passwordFaults = new Set<string>(["user not found", "invalid password"]);
const codeFaults = new Set<string>(["invalid code", "token expired"]);
const codeCalls = new Set(["activate", "changePassword", "disown"]);
/** What opens an account, or changes who may enter it. */
const accountCalls = new Set([
  ...codeCalls,
  "authorize",
  "endOtherSessions",
  "endSession",
  "openToPrograms",
  "prove",
  "replaceToken",
  "addToken",
  "removeToken",
  "addWebhook",
  "changeWebhook",
  "replaceWebhookSecret",
]);

/** A program beyond its limit asks on: one line a minute for each caller and call says enough. */
const limitLineMs = 60_000;
const limitLinesMax = 10_000;

interface Parts {
  readonly log: {
    info(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** The account of an e-mail address: the log names accounts that exist by their number. */
  readonly idOf: (email: string) => Promise<bigint | undefined>;
}

interface Watch {
  readonly refused: (call: RefusedCall) => void;
  readonly done: (call: DoneCall) => void;
  readonly metrics: readonly Metric[];
}

export function openWatch({ log, idOf }: Parts): Watch {
  const counts = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
  let disowned = 0;
  const isLimitNews = onceAMinute();
  return {
    refused: (call) => {
      const kind = kindOf(call);
      if (kind === undefined) return;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const { endpoint, value, caller, address, asked } = call;
      if (kind === "limit" && !isLimitNews(`${caller?.userId ?? address} ${endpoint.name}`)) return;
      const account = caller ? `user ${caller.userId}` : kind === "limit" ? undefined : asked?.["email"];
      log.info({ kind, call: endpoint.path, value, address, account }, "refused");
    },
    done: ({ endpoint, caller, address, asked }) => {
      if (!accountCalls.has(endpoint.name)) return;
      if (endpoint.name === "disown") disowned++;
      const email = asked?.["email"];
      const found = typeof email === "string" ? idOf(email) : undefined;
      void Promise.resolve(caller?.userId ?? found).then(
        (userId) =>
          log.info({ kind: "account", call: endpoint.path, address, account: `user ${userId}` }, "done"),
        (err: unknown) =>
          log.error({ err, call: endpoint.path, address }, "whose account it was is not known"),
      );
    },
    metrics: [
      { name: "postern_refused_total", labels: ["kind"], read: () => counts },
      { name: "postern_disowned_total", labels: [], read: () => new Map([["", disowned]]) },
    ],
  };
}

function kindOf({ endpoint, value }: RefusedCall): Kind | undefined {
  if (value === "limit") return "limit";
  // A call that only a person may make: of the token of programs, and of a session without a fresh proof.
  if (value === "session" || value === "proof") return value;
  if (endpoint.name === "authorize" || endpoint.name === "prove")
    return passwordFaults.has(value) ? "login" : undefined;
  if (codeCalls.has(endpoint.name)) return codeFaults.has(value) ? "code" : undefined;
  return endpoint.access === "admin" && refusedToStrangers.has(value) ? "admin" : undefined;
}

function onceAMinute(): (key: string) => boolean {
  const told = new Map<string, number>();
  return (key) => {
    const at = now().getTime();
    if (at - (told.get(key) ?? -Infinity) < limitLineMs) return false;
    if (told.size >= limitLinesMax) told.clear();
    told.set(key, at);
    return true;
  };
}

const refusedToStrangers = new Set<string>(["token", "no access", "token limit"]);
