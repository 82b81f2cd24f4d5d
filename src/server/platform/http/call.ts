import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { type Endpoint, headerOf, withoutBlanks, withoutEdges } from "../../../contract/endpoint.ts";
import { prove } from "../../../contract/account/proof.ts";
import { proofSeconds } from "../../../contract/limits.ts";
import type { TokenLimit } from "../../../contract/refusals.ts";
import { authorize } from "../../../contract/users.ts";
import { now, secondsAfter } from "../clock.ts";
import { type Caller, Limited, type RefusalExtras, Refused, type Route } from "./answer.ts";
import { BatcherFull } from "../db/batcher.ts";
import { wasLost } from "../db/db.ts";
import { type Ids, plainIds } from "../ids.ts";
import { type Call, Facts } from "./call.facts.ts";
import { addressOf } from "./client-address.ts";
import { isKnown, tagOf } from "./etag.ts";
import { Unchanged, Versioned } from "./send.ts";

export interface CallHooks {
  /** Undefined when the token is invalid. */
  readonly callerOf: (token: string, address: string) => Promise<Caller | undefined>;
  /** Counts a call; returns the seconds to wait when it exceeds the limit. */
  readonly admit: (key: string) => Promise<number | undefined>;
  /** Called before the answer to a call that may have changed something, so that the caller's next read is fresh. */
  readonly changed?: (userId: bigint) => void;
  /** Of a call beyond a limit too, with the value "limit". */
  readonly refused?: (call: RefusedCall) => void;
  readonly done?: (call: DoneCall) => void;
  /** Administrators without a second factor may only look. */
  readonly adminsNeedFactor?: boolean;
  /** How ids are told; left out: as they are. */
  readonly ids?: Ids;
  /** Whether the token of an administrator opens the back office (OFFICE_TOKEN_ACTS). */
  readonly officeTokens?: boolean | undefined;
}

export interface DoneCall {
  readonly endpoint: Endpoint;
  readonly caller: Caller | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly asked?: Readonly<Record<string, unknown>> | undefined;
  /** The token of the session that the answer began. */
  readonly begun?: string | undefined;
}

export interface RefusedCall extends DoneCall {
  readonly value: string;
}

type Parameters = Readonly<Record<string, unknown>>;

/** So long a call with a key is run again after the database was lost: with Patroni a fail-over takes up to 25 seconds. */
const lostSeconds = 30;
const lostPauseMs = 500;

/**
 * Runs a call and answers its outcome. Where the database is lost meanwhile, it is unknown what became of the call: one that names its
 * work by a key is run again until that is known, because it does nothing twice; any other throws.
 */
export async function runCall(route: Route, call: Call, hooks: CallHooks): Promise<unknown> {
  const { endpoint } = route;
  const { request, reply, open } = call;
  const parameters =
    endpoint.file !== undefined ? headersOf(endpoint, request) : parametersOf(endpoint, request);
  const key = parameters["client_order_id"] ?? request.headers["idempotency-key"];
  const hasKey = "client_order_id" in endpoint.ask && endpoint.file === undefined && Boolean(key);
  const until = performance.now() + lostSeconds * 1000;
  for (;;) {
    try {
      return await runOnce(route, call, { hooks, parameters });
    } catch (fault) {
      const isOver = open.isEnding || reply.raw.destroyed || performance.now() > until;
      if (!hasKey || !wasLost(fault) || isOver) throw fault;
    }
    await sleep(lostPauseMs);
  }
}

async function runOnce(
  route: Route,
  call: Call,
  { hooks, parameters }: { hooks: CallHooks; parameters: Parameters },
): Promise<unknown> {
  const { endpoint } = route;
  const { request } = call;
  const address = addressOf(request);
  const { "user-agent": userAgent } = request.headers;
  const token = tokenOf(request, parameters);
  const find = async () => (typeof token === "string" ? hooks.callerOf(token, address) : undefined);
  const caller = await find();
  call.reply.userId = caller?.userId;
  const wait = await hooks.admit(caller ? `user ${caller.userId}` : `address ${address}`);
  const tell = (value: string, asked?: RefusedCall["asked"]) =>
    hooks.refused?.({ endpoint, value, caller, address, userAgent, asked });
  if (wait !== undefined) {
    tell("limit");
    return new Limited(wait);
  }
  const barred = barredFrom(endpoint, caller, {
    tokens: hooks.officeTokens,
    needsFactor: hooks.adminsNeedFactor,
  });
  if (barred) {
    tell(barred.value);
    return barred;
  }
  const asked = readAsked(endpoint, parameters, hooks.ids);
  if (asked instanceof Refused) return asked;
  return handling(endpoint, { caller, changed: hooks.changed }, async () => {
    const { version: naming } = route;
    const foretold = caller && typeof naming === "function" ? await naming(asked, caller) : undefined;
    if (foretold !== undefined && isKnown(request, tagOf(foretold))) return new Unchanged(tagOf(foretold));
    const outcome = await route.handle(
      asked,
      endpoint.access === "anyone" ? undefined : caller,
      new Facts(call, async () => (await find())?.userId === caller?.userId),
    );
    if (outcome instanceof Refused) {
      tell(outcome.value, asked);
      return named(endpoint, outcome, hooks.ids);
    }
    if (outcome instanceof Limited) tell("limit", asked);
    else hooks.done?.({ endpoint, caller, address, userAgent, asked, begun: begunBy(endpoint, outcome) });
    const version = naming === "digest" ? hash("sha256", JSON.stringify(outcome), "base64url") : foretold;
    if (version === undefined || outcome instanceof Limited) return outcome;
    return isKnown(request, tagOf(version))
      ? new Unchanged(tagOf(version))
      : new Versioned(tagOf(version), outcome);
  });
}

/** Which account a passkey opens is known by what it began. */
const begunBy = ({ name }: Endpoint, outcome: unknown): string | undefined =>
  name === "authorizeFactor" ? (outcome as { data: { token: string } }).data.token : undefined;

/** Whether a person of the back office may do a call. An unconfirmed address may not belong to the caller, so the account has no such rights. */
export function mayDo(
  { role }: Pick<Endpoint, "role">,
  { active, admin, role: own = "owner" }: Pick<Caller, "active" | "admin" | "role">,
): boolean {
  if (!active || !admin) return false;
  if (own === "owner" || role === "any" || role === own) return true;
  return role === undefined && own !== "editor";
}

/** `tokens`: the token of an administrator may do what the back office else asks a session for. `asked`: the person was asked just now, in the chat. */
export interface Trusted {
  readonly tokens?: boolean | undefined;
  /** Administrators need a second factor before they act. */
  readonly needsFactor?: boolean | undefined;
  readonly asked?: boolean | undefined;
}

/** An act of the back office. Stories and announcements are none: programs write them (spec O §8). */
const isAct = (endpoint: Endpoint): boolean => "commands" in endpoint;

export function barredFrom(
  endpoint: Endpoint,
  caller: Caller | undefined,
  trusted: Trusted = {},
): Refused | undefined {
  const { access, limited, session } = endpoint;
  if (access === "anyone") return undefined;
  if (!caller || (access === "active" && !caller.active)) return new Refused("token");
  if (caller.limits && !limited)
    return new Refused("token limit", { exceeded: "calls" satisfies TokenLimit });
  if (access === "admin" && !mayDo(endpoint, caller)) return new Refused("no access");
  if (trusted.needsFactor && isAct(endpoint) && !caller.factor) return new Refused("no second factor");
  return session && unproved({ access, session }, caller, trusted);
}

/** What only a person may do: `next` is the call that leads on. */
function unproved(
  { access, session }: Required<Pick<Endpoint, "access" | "session">>,
  { session: own, closed = false }: Caller,
  { tokens = false, asked = false }: Trusted,
): Refused | undefined {
  if (asked || (session === "where closed" && !closed)) return undefined;
  if (!own)
    return access === "admin" && tokens ? undefined : new Refused("session", { next: authorize.path });
  if (session === "begun" || secondsAfter(own.provedAt, proofSeconds) > now()) return undefined;
  return new Refused("proof", { next: prove.path });
}

/** Runs a call; then reports its user as changed if it may have changed something. */
export async function handling<Outcome>(
  endpoint: Endpoint,
  { caller, changed }: { caller: Caller | undefined; changed: CallHooks["changed"] | undefined },
  work: () => Promise<Outcome>,
): Promise<Outcome | Limited> {
  try {
    return await work();
  } catch (fault) {
    // The queue was full: nothing was done.
    if (fault instanceof BatcherFull) return new Limited(1);
    throw fault;
  } finally {
    if (caller && mayChange(endpoint)) changed?.(caller.userId);
  }
}

const mayChange = ({ method, alsoPost, reads }: Endpoint) =>
  reads !== true && (method !== "GET" || alsoPost === true);

function parametersOf({ ask }: Endpoint, request: FastifyRequest): Parameters {
  const body = typeof request.body === "object" && request.body !== null ? request.body : {};
  // The header is newer: a client that reconnects to a stream sends it with its first address.
  const resumed = "last_event_id" in ask ? request.headers["last-event-id"] : undefined;
  return {
    ...(request.query as Parameters),
    ...(body as Parameters),
    ...(resumed && { last_event_id: resumed }),
    ...(request.params as Parameters),
  };
}

/** Calls with a file as body take parameters as headers (spec O §7). */
function headersOf(endpoint: Endpoint, { headers }: FastifyRequest): Parameters {
  const named = Object.keys(endpoint.ask).map((name) => [
    name,
    asWritten(headers[headerOf(endpoint, name)?.toLowerCase() ?? name]),
  ]);
  return { token: headers["token"], ...(Object.fromEntries(named) as Parameters) };
}

/** Node.js decodes headers as Latin-1; clients send UTF-8. */
function asWritten(header: string | string[] | undefined): string | string[] | undefined {
  if (typeof header !== "string") return header;
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : header;
}

function tokenOf(request: FastifyRequest, parameters: Parameters): unknown {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "");
  const token = bearer?.[1] ?? parameters["token"];
  return typeof token === "string" ? withoutEdges(token) : token;
}

/** Names the parameter of a refusal when exactly one can cause it. */
function named({ ask }: Endpoint, { value, extras }: Refused, ids = plainIds): Refused {
  const [parameter, ...others] = Object.keys(ask).filter((name) => ask[name]?.refusal === value);
  const shown = Object.entries(extras).map(([name, value]) => [
    name,
    typeof value === "bigint" ? ids.show(value) : value,
  ]);
  const all = Object.fromEntries(shown) as RefusalExtras;
  return new Refused(value, parameter && others.length === 0 ? { parameter, ...all } : all);
}

/** Parses parameters in declared order, ids to those of the database; the first wrong one is the refusal. */
export function readAsked(
  endpoint: Endpoint,
  parameters: Readonly<Record<string, unknown>>,
  ids = plainIds,
): Record<string, unknown> | Refused {
  const asked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(endpoint.ask)) {
    const given = withoutBlanks(field, parameters[name]);
    const parsed = field.schema.safeParse(field.optional && given === "" ? undefined : given);
    if (!parsed.success) return new Refused(field.refusal, { parameter: name });
    asked[name] =
      field.form.kind === "id" && typeof parsed.data === "bigint" ? ids.read(parsed.data) : parsed.data;
  }
  return asked;
}
