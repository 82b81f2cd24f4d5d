// Money that a person changes by hand. Above the limits it waits for a second person, who decides (docs/decisions/102).
import { randomUUID } from "node:crypto";
import { adjustmentDays } from "../../contract/limits.ts";
import * as journal from "../journal/journal.ts";
import * as ledger from "../ledger/ledger.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { showUsd, type Usd, usdFromUnits } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import { type Actor, nameOf } from "./users.admin.ts";
import * as rows from "./users.adjustments.sql.ts";
import { tellOwners } from "./users.notices.ts";
import { lockUser, selectUser } from "./users.sql.ts";

export interface Adjustment {
  readonly userId: bigint;
  /** Undefined: the balance. */
  readonly book?: ledger.Book | undefined;
  /** Negative: taken. */
  readonly amount: Usd;
  /** Kept for ever; the owner reads it in their statement. */
  readonly reason: string;
  /** Idempotency key of the change. */
  readonly key?: string | undefined;
}

/** `repeated`: an earlier call with the same key moved the money. */
export interface Adjusted {
  readonly before: Usd;
  readonly balance: Usd;
  readonly repeated: boolean;
  /** Nothing is changed yet: a second person decides about this one. */
  readonly waits?: bigint;
}

/** What a person may change alone, up or down: at once, and in a day. */
export interface AdjustLimits {
  readonly one: Usd;
  readonly day: Usd;
}

export interface Hands {
  readonly limits: AdjustLimits;
  readonly seal: Seal;
}

const daySeconds = 24 * 60 * 60;
/** What was asked before it has expired. */
const expiry = (at: Date) => secondsAfter(at, -adjustmentDays * daySeconds);

/**
 * Changes a balance or earnings, never below zero: of earnings only what is due can be taken back. "key used": the key names another change.
 * A person has limits; the operator's command has none, and needs no `hands`.
 */
export function adjust(
  db: Db,
  wanted: Adjustment,
  actor: Actor,
  hands?: Hands,
  at = now(),
): Promise<Adjusted | "no user" | "no access" | "more than there is" | "key used"> {
  return attempt(db, async (tx) => {
    const user = await selectUser(tx, wanted.userId);
    if (!user) return "no user";
    const change = { ...wanted, book: wanted.book ?? "balance", key: wanted.key ?? randomUUID() };
    if (actor === "operator" || !hands) return move(tx, change, { by: nameOf(actor), did: "users credit" });
    // Of two at once the second counts the first.
    const person = await lockUser(tx, actor);
    if (!person) return "no access";
    const known = await rows.selectByKey(tx, actor, change.key);
    if (known && !isSame(known, change)) return "key used";
    if (known) return again(tx, known, change);
    const size = change.amount < 0n ? -change.amount : change.amount;
    const { sum } = await rows.sumMade(tx, actor, secondsAfter(at, -daySeconds));
    const isWithin = size <= hands.limits.one && sum + size <= hands.limits.day;
    const state = isWithin ? "made" : "waits";
    if (isWithin) {
      const moved = await move(tx, change, { by: nameOf(actor), did: "users credit" });
      if (typeof moved !== "string" && !moved.repeated)
        await rows.insertAdjustment(tx, { ...change, askedBy: actor, state, at });
      return moved;
    }
    const { id } = await rows.insertAdjustment(tx, { ...change, askedBy: actor, state, at });
    await journal.note(tx, {
      by: nameOf(actor),
      did: "adjustments ask",
      about: `user ${change.userId}`,
      after: { adjustment: id, [change.book]: showUsd(change.amount) },
      reason: change.reason,
    });
    const detail = { by: actor, about: user.email, amount: showUsd(change.amount) };
    await tellOwners(tx, hands.seal, { kind: "office-adjusted", ...detail }, at);
    const balance = await ledger.balance(tx, change.userId, change.book);
    return { before: balance, balance, repeated: false, waits: id };
  });
}

type Known = Awaited<ReturnType<typeof rows.selectByKey>>;
type Change = Adjustment & { readonly book: ledger.Book; readonly key: string };

const isSame = (known: NonNullable<Known>, { userId, book, amount, reason }: Change) =>
  known.userId === userId && known.book === book && known.amount === amount && known.reason === reason;

/** The answer of a call that came before. */
async function again(tx: Tx, { id, state }: NonNullable<Known>, { userId, book }: Change): Promise<Adjusted> {
  const balance = await ledger.balance(tx, userId, book);
  return { before: balance, balance, repeated: true, ...(state === "waits" && { waits: id }) };
}

async function move(
  tx: Tx,
  { userId, book, amount, reason, key }: Change,
  { by, did, asked }: { by: string; did: "users credit" | "adjustments approve"; asked?: object },
): Promise<Adjusted | "more than there is" | "key used"> {
  const idempotencyKey = `operator:${key}`;
  const moved = await ledger.adjust(tx, { userId, book, amount, reason, idempotencyKey });
  if (moved === "no balance") return "more than there is";
  if (moved === "key used") return moved;
  // The movement has locked the account, so the subtraction gives the balance before it.
  const balance = await ledger.balance(tx, userId, book);
  if (moved === "repeat") return { before: balance, balance, repeated: true };
  const before = (balance - amount) as Usd;
  await journal.note(tx, {
    by,
    did,
    about: `user ${userId}`,
    before: { [book]: showUsd(before) },
    after: { [book]: showUsd(balance), ...asked },
    reason,
  });
  return { before, balance, repeated: false };
}

export interface Decided {
  readonly state: "approved" | "refused";
  readonly amount: Usd;
  readonly balance: Usd;
}

/** Decides about an adjustment that waits: a second person, who neither asked for it nor owns the account. */
export function decideAdjustment(
  db: Db,
  { id, isApproved, reason }: { id: bigint; isApproved: boolean; reason?: string | undefined },
  actor: Actor,
  at = now(),
): Promise<Decided | "no adjustment" | "yourself" | "second person" | "more than there is" | "key used"> {
  return attempt(db, async (tx) => {
    const waiting = await rows.lockWaiting(tx, id, expiry(at));
    if (!waiting) return "no adjustment";
    const { askedBy, userId, book } = waiting;
    if (actor === askedBy && isApproved) return "second person";
    if (actor === userId) return "yourself";
    const amount = usdFromUnits(waiting.amount);
    const asked = { adjustment: id, asked: nameOf(askedBy), ...(isApproved && { decision: reason }) };
    const by = nameOf(actor);
    if (isApproved) {
      const change = { ...waiting, amount };
      const moved = await move(tx, change, { by, did: "adjustments approve", asked });
      if (typeof moved === "string") return moved;
    } else
      await journal.note(tx, {
        by,
        did: "adjustments refuse",
        about: `user ${userId}`,
        after: asked,
        reason,
      });
    const state = isApproved ? "approved" : "refused";
    await rows.setDecided(tx, { id, state, by: actor === "operator" ? null : actor, at });
    return { state, amount, balance: await ledger.balance(tx, userId, book) };
  });
}
