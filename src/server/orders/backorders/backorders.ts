// Orders that wait for stock. Nothing is held: a job places them by the usual way of an order once there is stock.
import { backorderDays, backordersMax } from "../../../contract/limits.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { attempt, type Db, type Tx } from "../../platform/db/db.ts";
import type { Usd } from "../../platform/money.ts";
import type { Buying, Placed, PlaceRefused, Wanted } from "../orders.place.ts";
import { passOver } from "../skips/skips.ts";
import * as rows from "./backorders.sql.ts";
import type { Backorder, BackorderRefusal } from "./backorders.sql.ts";

export type { Backorder } from "./backorders.sql.ts";
export { deleteOwn as forgetUser, selectSome } from "./backorders.sql.ts";

const keptSeconds = backorderDays * 24 * 60 * 60;
/** One that was refused for money or limits is tried again after that. */
const restSeconds = 60;
const roundSize = 50;
const listedMax = 100;

export interface WantedBackorder extends Pick<
  Wanted,
  "subject" | "regex" | "note" | "softId" | "tokenId" | "idempotencyKey"
> {
  readonly userId: bigint;
  readonly siteId: number;
  readonly domainIds: readonly number[];
  readonly priceMax: Usd;
  readonly until: Date;
}

/** Those that wait and those that closed in the last days. */
export const list = (db: Db, userId: bigint, at: Date): Promise<Backorder[]> =>
  rows.selectOwn(db, userId, secondsAfter(at, -keptSeconds), listedMax);

/** The same key answers the same one again. */
export async function add(
  db: Db,
  wanted: WantedBackorder,
  at: Date,
): Promise<Backorder | { refusal: "too many" | "key used" }> {
  const { userId, idempotencyKey: key } = wanted;
  const same = async () => {
    const known = key === undefined ? undefined : await rows.selectByKey(db, userId, key);
    return known && (isSame(known, wanted) ? known : { refusal: "key used" as const });
  };
  const before = await same();
  if (before) return before;
  let id: bigint | undefined;
  const no = await attempt(db, async (tx) => {
    if ((await rows.countWaiting(tx, userId)) >= backordersMax) return "too many";
    id = (await rows.insertBackorder(tx, rowOf(wanted, at)))?.id;
    return undefined;
  });
  if (no !== undefined) return { refusal: no };
  const added = id === undefined ? await same() : (await rows.selectSome(db, [id]))[0];
  if (!added) throw new Error("a backorder that was added is there");
  return added;
}

const rowOf = (wanted: WantedBackorder, createdAt: Date): rows.NewBackorder => ({
  ...wanted,
  domainIds: [...wanted.domainIds],
  tokenId: wanted.tokenId ?? null,
  subject: wanted.subject ?? null,
  regex: wanted.regex ?? null,
  note: wanted.note ?? null,
  softId: wanted.softId ?? null,
  key: wanted.idempotencyKey ?? null,
  createdAt,
});

const isSame = (known: Backorder, wanted: WantedBackorder) =>
  known.siteId === wanted.siteId &&
  known.domainIds.join() === wanted.domainIds.join() &&
  known.priceMax === wanted.priceMax &&
  known.subject === (wanted.subject ?? null) &&
  known.regex === (wanted.regex ?? null) &&
  known.note === (wanted.note ?? null) &&
  known.softId === (wanted.softId ?? null);

/** Waits while it is being placed. `mayUse`: whether the caller's token may order for its site. */
export async function remove(
  db: Db,
  { userId, id, mayUse }: { userId: bigint; id: bigint; mayUse: (siteId: number) => boolean },
  at: Date,
): Promise<"removed" | "no backorder" | "token limit"> {
  const no = await attempt(db, async (tx) => {
    const found = await rows.lockOwn(tx, userId, id);
    if (found && !mayUse(found.siteId)) return "token limit";
    // A repeated call does nothing more.
    if (found?.state === "removed") return undefined;
    if (found?.state !== "waiting") return "no backorder";
    await rows.note(tx, id, { state: "removed" }, at);
    return undefined;
  });
  return no ?? "removed";
}

export const forget = (db: Db, at: Date): Promise<number> =>
  rows.deleteClosed(db, secondsAfter(at, -keptSeconds));

interface Parts {
  readonly db: Db;
  readonly orders: Pick<Buying, "place">;
  /** Only accounts that the bot has confirmed may order (CONFIRM_GATE). */
  readonly confirmFirst?: boolean;
}

/** Places those for which there is stock, the oldest first, and ends those whose time is over; answers how many were placed. */
export async function placeDue(parts: Parts, at: Date, signal?: AbortSignal): Promise<number> {
  let placed = 0;
  // Each is tried once in a round.
  let after: rows.Place = { at: new Date(0), id: 0n };
  for (;;) {
    const before = secondsAfter(at, -restSeconds);
    const due = await rows.selectDue(parts.db, { at, before, after, size: roundSize });
    for (const { id, createdAt } of due) {
      if (signal?.aborted) return placed;
      after = { at: createdAt, id };
      if (await settle(parts, id, at)) placed++;
    }
    if (due.length < roundSize) return placed;
  }
}

/** Holds its row meanwhile, so that it is neither removed nor placed by another process. */
async function settle(parts: Parts, id: bigint, at: Date): Promise<boolean> {
  let isPlaced = false;
  await attempt(parts.db, async (tx) => {
    isPlaced = false;
    const waiting = await rows.lockWaiting(tx, id);
    const became = waiting && (await become(parts, tx, waiting, at));
    if (!became) return undefined;
    isPlaced = became.state === "placed";
    await rows.note(tx, id, became, at);
    // The owner is told of a reason once.
    if (became.state === "waiting" && became.refused === waiting.refused) return undefined;
    const status = became.refused === undefined ? became.state : `${became.state} ${became.refused}`;
    await rows.log(tx, waiting, status, became.orderId);
    return undefined;
  });
  return isPlaced;
}

/** Undefined: the stock is gone again. */
async function become(parts: Parts, tx: Tx, waiting: Backorder, at: Date): Promise<rows.Became | undefined> {
  const idempotencyKey = keyOf(waiting.id);
  // A process that died may have placed it: the key of an order is free after a day, but not this one.
  const standing = await rows.selectPlaced(tx, waiting.userId, idempotencyKey);
  if (standing) return { state: "placed", ...standing };
  if (waiting.until <= at) return { state: "ended" };
  if (parts.confirmFirst && !(await rows.isConfirmed(tx, waiting.userId)))
    return { state: "waiting", refused: "not confirmed" };
  const { userId, siteId, subject, regex, note, softId, tokenId, priceMax } = waiting;
  const named = waiting.domainIds.map((domainId, place) => ({
    id: domainId,
    name: waiting.domains[place] ?? "",
  }));
  const { domainIds } = await passOver(tx, { userId, siteId, at }, named);
  const placed = await parts.orders.place({
    userId,
    siteId,
    domainIds,
    subject: subject ?? undefined,
    regex: regex ?? undefined,
    note: note ?? undefined,
    softId: softId ?? undefined,
    tokenId: tokenId ?? undefined,
    priceMax: priceMax as Usd,
    idempotencyKey,
  });
  return becameOf(placed);
}

/** With blanks, which no key of a caller has; those of the orders of one call have one. */
const keyOf = (id: bigint) => `of backorder ${id}`;

function becameOf(placed: Placed | PlaceRefused): rows.Became | undefined {
  if (!("refusal" in placed)) return { state: "placed", orderId: placed.orderId };
  switch (placed.refusal) {
    case "no emails":
    case "domain":
      return undefined;
    case "key used":
      throw new Error("the key of a backorder names another order");
    case "token":
      return { state: "ended", refused: "token" };
    default:
      return { state: "waiting", refused: placed.refusal satisfies BackorderRefusal };
  }
}
