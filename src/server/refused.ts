// Logs and counts what concerns the security of accounts: refused calls, and what was done to an account.
import { securityCalls } from "../contract/account/security.ts";
import type { Metric } from "./health.ts";
import { now } from "./platform/clock.ts";
import type { DoneCall, RefusedCall } from "./platform/http/call.ts";
import { placeOf } from "./platform/http/place.ts";
import type { Happened } from "./security/security.ts";

const kinds = ["login", "code", "admin", "session", "proof", "limit"] as const;
type Kind = (typeof kinds)[number];

const passwordFaults = new Set<string>(["user not found", "invalid password"]);
const codeFaults = new Set<string>(["invalid code", "invalid passkey", "token expired"]);
const passwordCalls = new Set(["authorize", "prove", "setPassword"]);
const codeCalls = new Set([
  "activate",
  "addApp",
  "authorizeFactor",
  "changePassword",
  "confirmEmail",
  "disown",
  "prove",
]);
const accountCalls = new Set<string>(securityCalls);

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
  /** The account of a token. */
  readonly callerOf: (token: string) => Promise<{ userId: bigint } | undefined>;
  /** Keeps what happened for the owner of the account and for the operator. */
  readonly keep: (happened: Happened) => Promise<void>;
}

interface Watch {
  readonly refused: (call: RefusedCall) => void;
  readonly done: (call: DoneCall) => void;
  readonly metrics: readonly Metric[];
}

export function openWatch({ log, idOf, callerOf, keep }: Parts): Watch {
  const aboutWhom = async ({ caller, asked, begun }: DoneCall): Promise<bigint | undefined> => {
    const email = asked?.["email"];
    if (caller) return caller.userId;
    if (typeof email === "string") return idOf(email);
    return begun === undefined ? undefined : (await callerOf(begun))?.userId;
  };
  const keepCall = async (call: DoneCall, userId: bigint | undefined, refused?: string): Promise<void> => {
    const { endpoint, caller, asked } = call;
    const user = asked?.["user"];
    const about = typeof user === "bigint" ? { userId: user, byId: caller?.userId } : { userId };
    const { address, userAgent } = call;
    const place = placeOf({ address, ...(userAgent !== undefined && { userAgent }) });
    await keep({ at: now(), call: endpoint.name, refused, ...about, ...place });
  };
  const lost =
    ({ endpoint, address }: DoneCall) =>
    (err: unknown) =>
      log.error({ err, call: endpoint.path, address }, "an event of security was not kept");
  const counts = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
  const done = new Map<string, number>(securityCalls.map((name) => [name, 0]));
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
      void aboutWhom(call)
        .then((userId) => keepCall(call, userId, value))
        .catch(lost(call));
    },
    done: (call) => {
      const { endpoint, address } = call;
      if (!accountCalls.has(endpoint.name)) return;
      done.set(endpoint.name, (done.get(endpoint.name) ?? 0) + 1);
      void aboutWhom(call)
        .then((userId) => {
          log.info({ kind: "account", call: endpoint.path, address, account: `user ${userId}` }, "done");
          return keepCall(call, userId);
        })
        .catch(lost(call));
    },
    metrics: [
      { name: "postern_refused_total", labels: ["kind"], read: () => counts },
      { name: "postern_account_total", labels: ["call"], read: () => done },
      { name: "postern_disowned_total", labels: [], read: () => new Map([["", done.get("disown") ?? 0]]) },
    ],
  };
}

function kindOf({ endpoint, value }: RefusedCall): Kind | undefined {
  if (value === "limit") return "limit";
  // A call that only a person may make: of the token of programs, and of a session without a fresh proof.
  if (value === "session" || value === "proof") return value;
  if (passwordCalls.has(endpoint.name) && passwordFaults.has(value)) return "login";
  if (codeCalls.has(endpoint.name)) return codeFaults.has(value) ? "code" : undefined;
  return endpoint.access === "admin" && refusedToStrangers.has(value) ? "admin" : undefined;
}

function onceAMinute(): (key: string) => boolean {
  const loggedAt = new Map<string, number>();
  return (key) => {
    const at = now().getTime();
    if (at - (loggedAt.get(key) ?? -Infinity) < limitLineMs) return false;
    if (loggedAt.size >= limitLinesMax) loggedAt.clear();
    loggedAt.set(key, at);
    return true;
  };
}

const refusedToStrangers = new Set<string>(["token", "no access", "token limit"]);
