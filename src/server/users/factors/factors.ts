// The second factor of an account: passkeys, an authenticator app, and recovery codes for who loses them (docs/decisions/101).
import { challengeSeconds } from "../../../contract/limits.ts";
import * as journal from "../../journal/journal.ts";
import { attempt, notify, type Tx } from "../../platform/db/db.ts";
import { type Actor, channel, nameOf } from "../users.admin.ts";
import { type From, tellOwner, tellOwners } from "../users.notices.ts";
import { deleteSessions } from "../users.sessions.sql.ts";
import { lockUser } from "../users.sql.ts";
import {
  adding,
  type Adds,
  challengeFor,
  everything,
  type Factor,
  hashesOf,
  type Parts,
  recoveryHash,
  renewCodes,
  shown,
} from "./factors.add.ts";

export type { Added, Factor } from "./factors.add.ts";
import { bareCode, isAppCode, stepOf } from "./factors.app.ts";
import { type AskedOptions, readAnswer, readUse, toUse } from "./factors.passkeys.ts";
import { openOrNone } from "../../platform/seal.ts";
import * as rows from "./factors.sql.ts";

export { placeOf } from "./factors.passkeys.ts";

/** What a person proves itself with: a code of the app or a recovery code, or the answer of a passkey. */
export interface Given {
  readonly code?: string | undefined;
  readonly passkey?: string | undefined;
}

export type FactorKind = rows.Kind | "recovery";

/** What a person may prove itself with. `ticket` goes back with a code; a passkey answers it by itself. */
export interface Ways {
  readonly ticket: string;
  readonly kinds: readonly FactorKind[];
  readonly passkey?: AskedOptions | undefined;
}

export interface Factors extends Adds {
  has(userId: bigint): Promise<boolean>;
  /** The oldest first, and how many recovery codes are left. */
  list(userId: bigint): Promise<{ factors: Factor[]; recoveryLeft: number }>;
  /** Whether browsers make passkeys at the shop's address. */
  readonly takesPasskeys: boolean;
  /** With the last one its recovery codes end. Whoever asks must have proved itself by a factor. */
  remove(userId: bigint, id: bigint, at: Date, by?: From): Promise<"removed" | "no factor">;
  /** Voids those of before. */
  renewRecovery(userId: bigint, at: Date): Promise<readonly string[] | "no factor">;
  /** Asks an account for a factor: to enter with a right password, or to prove anew who it is. Undefined: it has none. */
  ask(userId: bigint, purpose: "enter" | "prove", at: Date): Promise<Ways | undefined>;
  /** Asks whoever it is for a passkey, which names its account. */
  askPasskey(at: Date): Promise<AskedOptions | "no passkeys">;
  /** Whose sign-in waits for what is given, without using it up: null while only the passkey names the account; undefined: nobody's. */
  waiting(
    given: Given & { ticket?: string | undefined },
    at: Date,
  ): Promise<{ userId: bigint | null } | undefined>;
  /** Ends the wait of a sign-in; only a right answer uses it up. */
  enter(
    given: Given & { ticket?: string | undefined },
    at: Date,
    by?: From,
  ): Promise<{ userId: bigint; kind: FactorKind } | "ticket" | "invalid code" | "invalid passkey">;
  /** Whether an account proves itself by what is given, which is used up. Of a passkey `ask` must have asked. */
  verify(
    userId: bigint,
    given: Given,
    at: Date,
    by?: From,
  ): Promise<"ok" | "invalid code" | "invalid passkey">;
  /** For the operator, and who supports buyers: takes away all factors, and ends the sessions, one of which may be on a lost device. */
  reset(wanted: Resetting, actor: Actor, at: Date): Reset;
  forget(at: Date): Promise<number>;
}

interface Resetting {
  readonly userId: bigint;
  readonly reason?: string | undefined;
}
type Reset = Promise<{ factors: number } | "no user" | "office account" | "no factors">;

const milliseconds = challengeSeconds * 1000;

export function openFactors(parts: Parts): Factors {
  const { db, seal, place } = parts;
  return {
    has: async (userId) => (await rows.countFactors(db, userId)) > 0,
    list: async (userId) => ({
      factors: (await rows.selectFactors(db, userId)).map(shown),
      recoveryLeft: await rows.countRecovery(db, userId),
    }),
    takesPasskeys: place !== undefined,
    ...adding(parts),
    remove: (userId, id, at, by) => remove(parts, { userId, id }, at, by),
    renewRecovery: async (userId, at) =>
      attempt(db, async (tx) => {
        await lockUser(tx, userId);
        if ((await rows.countFactors(tx, userId)) === 0) return "no factor";
        return { codes: await renewCodes(tx, seal, userId, at) };
      }).then((made) => (made === "no factor" ? made : made.codes)),
    ask: (userId, purpose, at) => ask(parts, userId, purpose, at),
    askPasskey: async (at) => {
      if (!place) return "no passkeys";
      const challenge = await challengeFor(parts, { userId: null, purpose: "sign in" }, at);
      return toUse(place, { challenge, milliseconds, passkeys: [] });
    },
    waiting: async (given, at) => {
      const hashes = hashesOf(seal, ticketOf(given));
      // The lock of one statement ends with it.
      const challenge = await attempt(db, async (tx) => ({
        found: await rows.lockChallenge(tx, hashes, at),
      }));
      return isSignIn(challenge.found) ? { userId: challenge.found.userId } : undefined;
    },
    enter: (given, at, by) => enter(parts, given, at, by),
    verify: (userId, given, at, by) => verify(parts, userId, given, at, by),
    reset: async (wanted, actor, at) => {
      const done = await resetFactors(parts, wanted, actor, at);
      parts.changed(wanted.userId);
      return done;
    },
    forget: (at) => rows.deleteExpired(db, at),
  };
}

type Asked = Given & { readonly ticket?: string | undefined };

const ticketOf = ({ ticket = "", passkey }: Asked): string =>
  passkey === undefined ? ticket : (readAnswer(passkey)?.challenge ?? "");

type Locked = NonNullable<Awaited<ReturnType<typeof rows.lockChallenge>>>;

const isSignIn = (challenge: Locked | undefined): challenge is Locked =>
  challenge?.purpose === "enter" || challenge?.purpose === "sign in";

async function remove(
  { db, seal, tell, changed }: Parts,
  { userId, id }: { userId: bigint; id: bigint },
  at: Date,
  by?: From,
): Promise<"removed" | "no factor"> {
  const refused = await attempt(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!(await rows.deleteFactor(tx, userId, id))) return "no factor";
    if ((await rows.countFactors(tx, userId)) === 0) await rows.deleteRecovery(tx, userId, everything);
    await tellOwner(tx, seal, { userId, kind: "factor-removed", from: by }, at);
    if (user?.isAdmin)
      await tellOwners(tx, seal, { kind: "office-factor-removed", by: userId, about: user.email }, at);
    await tell(tx, userId);
    return undefined;
  });
  changed(userId);
  return refused ?? "removed";
}

async function ask(
  parts: Parts,
  userId: bigint,
  purpose: "enter" | "prove",
  at: Date,
): Promise<Ways | undefined> {
  const { db, place } = parts;
  const factors = await rows.selectFactors(db, userId);
  if (factors.length === 0) return undefined;
  const ticket = await challengeFor(parts, { userId, purpose }, at);
  const passkeys = factors.filter(({ kind }) => kind === "passkey");
  const kinds: FactorKind[] = [];
  if (place && passkeys.length > 0) kinds.push("passkey");
  if (passkeys.length < factors.length) kinds.push("app");
  if ((await rows.countRecovery(db, userId)) > 0) kinds.push("recovery");
  const passkey =
    place && passkeys.length > 0
      ? await toUse(place, { challenge: ticket, milliseconds, passkeys })
      : undefined;
  return { ticket, kinds, ...(passkey && { passkey }) };
}

function enter(parts: Parts, given: Asked, at: Date, by: From | undefined): ReturnType<Factors["enter"]> {
  const { db, seal } = parts;
  return attempt(db, async (tx) => {
    const text = ticketOf(given);
    const challenge = await rows.lockChallenge(tx, hashesOf(seal, text), at);
    if (!isSignIn(challenge)) return "ticket";
    const found = await check(tx, parts, { userId: challenge.userId, given }, at, by);
    if (!found) return given.passkey ? "invalid passkey" : "invalid code";
    await rows.deleteChallenge(tx, challenge.id);
    return found;
  });
}

function verify(
  parts: Parts,
  userId: bigint,
  given: Given,
  at: Date,
  by: From | undefined,
): ReturnType<Factors["verify"]> {
  const { db, seal } = parts;
  return attempt(db, async (tx) => {
    const text = ticketOf(given);
    const challenge = given.passkey && (await rows.lockChallenge(tx, hashesOf(seal, text), at));
    if (given.passkey && (!challenge || challenge.purpose !== "prove" || challenge.userId !== userId))
      return "invalid passkey";
    const found = await check(tx, parts, { userId, given }, at, by);
    if (!found) return given.passkey ? "invalid passkey" : "invalid code";
    if (challenge) await rows.deleteChallenge(tx, challenge.id);
    return { found };
  }).then((proved) => (typeof proved === "string" ? proved : "ok"));
}

interface Checking {
  /** Null: the passkey is used without a password and names its account. */
  readonly userId: bigint | null;
  readonly given: Given;
}

/** Checks what is given, and uses it up; undefined when it is wrong, was used before, or is another account's. */
async function check(
  tx: Tx,
  { seal, place }: Parts,
  { userId, given }: Checking,
  at: Date,
  by: From | undefined,
): Promise<{ userId: bigint; kind: FactorKind } | undefined> {
  const { code = "" } = given;
  if (given.passkey !== undefined) {
    const answer = readAnswer(given.passkey);
    const passkey = answer && (await rows.lockPasskey(tx, answer.id));
    if (!place || !passkey || (userId !== null && passkey.userId !== userId)) return undefined;
    const counter = await readUse(place, { answer, passkey, alone: userId === null });
    if (counter === undefined) return undefined;
    await rows.setUsed(tx, passkey.id, counter, at);
    return { userId: passkey.userId, kind: "passkey" };
  }
  const bare = bareCode(code);
  if (userId === null || bare === "") return undefined;
  if (!isAppCode(bare)) {
    const hash = recoveryHash(userId, bare);
    const kept = (await rows.lockRecovery(tx, userId)).find((one) => openOrNone(seal, one.hash) === hash);
    if (!kept) return undefined;
    await rows.deleteOneRecovery(tx, kept.id);
    await tellOwner(tx, seal, { userId, kind: "recovery-used", from: by }, at);
    return { userId, kind: "recovery" };
  }
  const app = await rows.lockApp(tx, userId);
  const step = app?.secret && stepOf(seal.open(app.secret), bare, at);
  // Each code once, and none of before the last that was used.
  if (!app || typeof step !== "bigint" || step <= app.counter) return undefined;
  await rows.setUsed(tx, app.id, step, at);
  return { userId, kind: "app" };
}

/** The command calls it without a running shop. */
export function resetFactors(
  { db, seal }: Pick<Parts, "db" | "seal">,
  { userId, reason }: Resetting,
  actor: Actor,
  at: Date,
): Reset {
  return attempt(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) return "no user";
    // Of a colleague it would be a way to his account: the operator's command does it.
    if (user.isAdmin && actor !== "operator") return "office account";
    const factors = await rows.deleteFactors(tx, userId, everything);
    if (factors === 0) return "no factors";
    await rows.deleteRecovery(tx, userId, everything);
    await deleteSessions(tx, userId);
    await journal.note(tx, {
      by: nameOf(actor),
      did: "users factor reset",
      about: `user ${userId}`,
      before: { factors },
      after: { factors: 0 },
      reason,
    });
    await tellOwner(tx, seal, { userId, kind: "factor-removed" }, at);
    if (user.isAdmin)
      await tellOwners(tx, seal, { kind: "office-factor-removed", by: actor, about: user.email }, at);
    await notify(tx, channel, String(userId));
    return { factors };
  });
}

/** Takes away what was added after a time: "this was not me" undoes what whoever it was has added. */
export async function removeAddedAfter(tx: Tx, userId: bigint, after: Date): Promise<void> {
  await rows.deleteFactors(tx, userId, after);
  await rows.deleteRecovery(tx, userId, after);
}
