// Batches orders of many callers and translates the answers into the words of the contract.
import { isLockTimeout, wasLost, wasUndone, type Db } from "../platform/db/db.ts";
import { Batcher, BatcherFull } from "../platform/db/batcher.ts";
import type { Log } from "../platform/log.ts";
import type { Usd } from "../platform/money.ts";
import { endCounts, noted } from "./orders.counts.ts";
import {
  callCancelOrders,
  callHideOrders,
  callOpenPairs,
  callPlaceOrders,
  callReorderOrders,
  pairOf,
  selectKept,
  type HiddenRow,
  type Kept,
  type OwnOrder,
  type PlacedRow,
  type PlaceRow,
  type ReorderedRow,
  type ReorderRow,
} from "./orders.place.sql.ts";

const batchMax = 128;
/** A smaller batch gains nothing by running beside another. */
const batchMin = 16;
const queueMax = 10_000;
const faults = { mayRepeat: wasUndone, isHeldUp: isLockTimeout };

export type Wanted = {
  subject?: string | undefined;
  regex?: string | undefined;
  softId?: bigint | undefined;
  /** For 24 hours it answers the same order again and charges once. It contains no space. */
  idempotencyKey?: string | undefined;
  /** The limited token that asks: its price limit and its budget of the day apply. */
  tokenId?: bigint | undefined;
  /** Nothing is ordered at a higher price. */
  priceMax?: Usd | undefined;
  /** The buyer's own words. */
  note?: string | undefined;
};

export type PlaceAsk = Wanted & {
  userId: bigint;
  siteId: number;
  domainIds: number[];
};

export type ReorderAsk = Wanted & { userId: bigint } & (
    | { orderId: bigint }
    | { email: string; siteId: number }
  );

/** A paid order. `isRepeat`: it stood before this ask, which charged nothing. */
export type Placed = {
  orderId: bigint;
  email: string;
  price: Usd;
  balance: Usd;
  expiresAt: Date;
  isRepeat: boolean;
};
export type Reordered = Placed & { site: string };

/** The placed ones, at least one, and the first refusal of the others, or "server". */
export type PlacedMany = {
  placed: Placed[];
  balance: Usd;
  refused: PlaceRefused["refusal"] | "server" | undefined;
};

/** `missing` is what the balance lacks for the cheapest of the asked domains. */
export type NoBalance = { refusal: "no balance"; missing: Usd };
/** The price that the token may not pay, at all or today; null when it may not order for the site. */
export type OverToken = { refusal: "token limit"; price: Usd | null };
/** The lowest price of the asked domains, which is above `priceMax`. */
export type PriceTooHigh = { refusal: "price too high"; price: Usd };
/** `limit`: too many free orders for sandbox sites wait. `key used`: the key names a different order. */
type Refusals = "site" | "token" | "limit" | "key used";
export type ReorderWaits = { refusal: "reorder waits"; waitingId: bigint };
export type PlaceRefused =
  | NoBalance
  | OverToken
  | PriceTooHigh
  | { refusal: "no emails" | "domain" | "too many open" | Refusals };
export type ReorderRefused =
  | NoBalance
  | OverToken
  | PriceTooHigh
  | ReorderWaits
  | { refusal: "no activation" | "email banned" | Refusals };

/** `balance` is the buyer's after the refund. */
export type Canceled =
  | { outcome: "activation canceled"; balance: Usd }
  | { outcome: "activation already canceled" | "no activation" };

export type Buying = {
  place(ask: PlaceAsk): Promise<Placed | PlaceRefused>;
  placeMany(ask: PlaceAsk, quantity: number): Promise<PlacedMany | PlaceRefused>;
  reorder(ask: ReorderAsk): Promise<Reordered | ReorderRefused>;
  cancel(ask: OwnOrder): Promise<Canceled>;
  drain(): Promise<void>;
};

type FaultLog = Pick<Log, "error"> | undefined;

interface BuyingOptions {
  readonly ttlSeconds: number;
  readonly openMax: number | undefined;
  readonly concurrency: number;
  /** Of a slot: which rows of the day's sums it adds to. */
  readonly shardOf: (slot: number) => number;
  readonly log: FaultLog;
  /** Where each order is told (ACCESS_LOG). */
  readonly follow: Pick<Log, "info"> | undefined;
}

/** Opens the batchers that place and cancel orders. */
export function openBuying(db: Db, options: BuyingOptions): Buying {
  const { ttlSeconds, openMax, concurrency, shardOf, log, follow } = options;
  const bounds = { concurrency, batchMax, batchMin, queueMax, ...faults };
  // The keys that the database locks: batches with the same buyer or pair would wait for each other there.
  const byBuyer = { ...bounds, keysOf: ({ userId }: { userId: bigint }) => [userId] };
  const placing = new Batcher<PlaceRow, PlacedRow>(
    (asks, slot) => callPlaceOrders(db, asks, { ttlSeconds, openMax }, shardOf(slot)),
    { ...bounds, keysOf: (ask) => [ask.userId, pairOf(ask)] },
  );
  const opening = new Batcher<PlaceRow, undefined>(
    async (asks) => {
      await callOpenPairs(db, asks);
      return asks.map(() => undefined);
    },
    { concurrency: 1, batchMax, queueMax },
  );
  const reordering = new Batcher<ReorderRow, ReorderedRow>(
    (asks, slot) => callReorderOrders(db, asks, ttlSeconds, shardOf(slot)),
    byBuyer,
  );
  const canceling = new Batcher<OwnOrder, bigint | undefined>(
    (asks, slot) => cancelPending(db, asks, shardOf(slot)),
    byBuyer,
  );
  const hiding = new Batcher<OwnOrder, HiddenRow>((asks) => callHideOrders(db, asks), byBuyer);

  const placeOne = async (row: PlaceRow) => {
    for (;;) {
      const placed = await placing.submit(row);
      // The same key twice in one batch: the second waits for the commit of the first.
      if (placed.code === "again") continue;
      if (placed.code !== "new pair") return { ...placed, code: placed.code };
      await opening.submit(row);
    }
  };
  const keptOf = (orderId: bigint) => selectKept(db, orderId);
  const placeAny = async (ask: PlaceAsk, quantity = 1) =>
    noted(await place({ placeOne, keptOf }, ask, quantity), ask, follow);

  return {
    place: placeAny,
    placeMany: (ask, quantity) => placeMany({ placeAny, log }, ask, quantity),
    reorder: async (ask) => noted(await reorder(reordering, keptOf, ask), ask, follow),
    cancel: async (ask) => {
      const balance = await canceling.submit(ask);
      if (balance !== undefined) {
        endCounts.add("canceled");
        return { outcome: "activation canceled", balance: balance as Usd };
      }
      const hidden = await hiding.submit(ask);
      if (hidden.answer !== "activation canceled") return { outcome: hidden.answer };
      if (hidden.balance === null) throw new Error("a buyer has a balance");
      return { outcome: hidden.answer, balance: hidden.balance as Usd };
    },
    drain: async () => {
      await Promise.all([placing, opening, reordering, canceling, hiding].map((batcher) => batcher.drain()));
    },
  };
}

type PlacedOnce = Omit<PlacedRow, "code"> & { code: Exclude<PlacedRow["code"], "again" | "new pair"> };

type KeptOf = (orderId: bigint) => Promise<Kept>;

async function place(
  { placeOne, keptOf }: { placeOne: (row: PlaceRow) => Promise<PlacedOnce>; keptOf: KeptOf },
  ask: PlaceAsk,
  quantity: number,
): Promise<Placed | PlaceRefused> {
  const wanted = { ...rowOf(ask), quantity: ask.idempotencyKey === undefined ? null : quantity };
  let refused: PlaceRefused = { refusal: "domain" };
  for (const domainId of ask.domainIds) {
    const row = await placeOne({ ...wanted, siteId: ask.siteId, domainId });
    switch (row.code) {
      case "ok":
        return placed(row, false);
      case "repeat": {
        const repeated = placed(row, true);
        const isSame = isSameOrder(await keptOf(repeated.orderId), ask, quantity);
        return isSame ? repeated : { refusal: "key used" };
      }
      case "token":
      case "site":
      case "limit":
      case "too many open":
        return { refusal: row.code };
      case "no balance":
        refused = nearer(refused, lacking(row));
        break;
      case "token limit":
        refused = nearer(refused, overToken(row));
        break;
      case "price too high":
        refused = nearer(refused, tooHigh(row));
        break;
      case "no emails":
      case "domain":
        refused = nearer(refused, { refusal: row.code });
    }
  }
  return refused;
}

const isSameOrder = (kept: Kept, ask: PlaceAsk, quantity: number) =>
  kept.reorderOf === null &&
  kept.siteId === ask.siteId &&
  ask.domainIds.includes(kept.domainId) &&
  hasSameFilters(kept, ask) &&
  (kept.quantity === null || kept.quantity === quantity);

const hasSameFilters = ({ subject, regex }: Kept, ask: Wanted) =>
  subject === (ask.subject ?? null) && regex === (ask.regex ?? null);

// The refusal nearest to success is answered.
const nearness = ["domain", "no emails", "price too high", "token limit", "no balance"];

function nearer(old: PlaceRefused, now: PlaceRefused): PlaceRefused {
  if (old.refusal === "no balance" && now.refusal === "no balance")
    return now.missing < old.missing ? now : old;
  // A highest price refuses only when it refuses the cheapest.
  if ("price" in old && "price" in now && old.refusal === now.refusal)
    return (now.price ?? 0n) < (old.price ?? 0n) ? now : old;
  return nearness.indexOf(now.refusal) > nearness.indexOf(old.refusal) ? now : old;
}

// All at once, to share a batch, each with a key derived from the caller's. With a key the first goes alone: the key counts only when it is
// placed.
async function placeMany(
  {
    placeAny,
    log,
  }: { placeAny: (ask: PlaceAsk, quantity: number) => Promise<Placed | PlaceRefused>; log: FaultLog },
  ask: PlaceAsk,
  quantity: number,
): Promise<PlacedMany | PlaceRefused> {
  const { idempotencyKey: key } = ask;
  const first = key === undefined ? [] : [await placeAny(ask, quantity)];
  if (first[0] && "refusal" in first[0]) return first[0];
  let balance = first[0]?.balance;
  const settled = await Promise.allSettled(
    Array.from({ length: quantity - first.length }, async (_, index) => {
      const idempotencyKey = key === undefined ? key : `${key} ${index + 2}`;
      const answer = await placeAny({ ...ask, idempotencyKey }, quantity);
      if ("orderId" in answer) balance = answer.balance;
      return answer;
    }),
  );
  const answers = [...first, ...settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))];
  const faults = settled.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  const broken = faults.filter((each) => !(each instanceof BatcherFull));
  // All of them have keys: asked for again, each is found or placed.
  if (key !== undefined && broken.some(wasLost)) throw broken.find(wasLost);
  const refused = answers.find((answer) => "refusal" in answer)?.refusal;
  // Placed orders are paid, so the caller gets them whatever the others answer.
  if (balance !== undefined) {
    if (broken.length > 0) log?.error({ err: broken[0] }, "some orders of a call were not placed");
    const why = broken.length > 0 ? "server" : (refused ?? (faults.length > 0 ? "limit" : undefined));
    return { placed: answers.filter((answer) => "orderId" in answer), balance, refused: why };
  }
  const [no] = answers;
  if (broken.length > 0 || !no || !("refusal" in no)) throw broken[0] ?? faults[0];
  return no;
}

async function reorder(
  batcher: Batcher<ReorderRow, ReorderedRow>,
  keptOf: KeptOf,
  ask: ReorderAsk,
): Promise<Reordered | ReorderRefused> {
  for (;;) {
    const row = await batcher.submit({ ...rowOf(ask), ...whichOf(ask) });
    switch (row.code) {
      case "again":
        break;
      case "ok":
        return reordered(row, false);
      case "repeat": {
        const repeated = reordered(row, true);
        return whyAnother(repeated, await keptOf(repeated.orderId), ask) ?? repeated;
      }
      case "no balance":
        return lacking(row);
      case "token limit":
        return overToken(row);
      case "price too high":
        return tooHigh(row);
      default:
        return { refusal: row.code };
    }
  }
}

function reordered(row: ReorderedRow, isRepeat: boolean): Reordered {
  if (row.site === null) throw new Error("an order that stands has a site");
  return { ...placed(row, isRepeat), site: row.site };
}

function whyAnother({ orderId, email }: Reordered, kept: Kept, ask: ReorderAsk): ReorderRefused | undefined {
  const isSame = hasSameFilters(kept, ask);
  if (ask.idempotencyKey === undefined || kept.key !== ask.idempotencyKey)
    return isSame ? undefined : { refusal: "reorder waits", waitingId: orderId };
  const isMeant =
    kept.reorderOf !== null &&
    ("orderId" in ask
      ? kept.reorderOf === ask.orderId
      : email === written(ask.email) && kept.siteId === ask.siteId);
  return isSame && isMeant ? undefined : { refusal: "key used" };
}

const written = (email: string) => email.trim().toLowerCase();

function whichOf(ask: ReorderAsk) {
  if ("orderId" in ask) return { orderId: ask.orderId, localPart: null, domain: null, siteId: null };
  const [localPart = "", domain = ""] = written(ask.email).split("@");
  return { orderId: null, localPart, domain, siteId: ask.siteId };
}

// Balances after each cancel; of two asks for one order the second gets undefined.
async function cancelPending(db: Db, asks: OwnOrder[], shard: number): Promise<(bigint | undefined)[]> {
  const name = ({ userId, orderId }: OwnOrder) => `${userId} ${orderId}`;
  const closed = await callCancelOrders(db, asks, shard);
  const left = new Map(closed.map((row) => [name(row), row.balance]));
  return asks.map((ask) => {
    const balance = left.get(name(ask));
    left.delete(name(ask));
    return balance;
  });
}

function rowOf(ask: Wanted & { userId: bigint }) {
  return {
    userId: ask.userId,
    subject: ask.subject ?? null,
    regex: ask.regex ?? null,
    softId: ask.softId ?? null,
    key: ask.idempotencyKey ?? null,
    tokenId: ask.tokenId ?? null,
    priceMax: ask.priceMax ?? null,
    note: ask.note ?? null,
  };
}

type Row = Pick<PlacedRow, "orderId" | "address" | "price" | "balance" | "expiresAt">;

function placed({ orderId, address, price, balance, expiresAt }: Row, isRepeat: boolean): Placed {
  if (orderId === null || address === null || price === null || balance === null || expiresAt === null)
    throw new Error("an order that stands has an id, an address, a price, a balance and an end");
  return { orderId, email: address, price: price as Usd, balance: balance as Usd, expiresAt, isRepeat };
}

const overToken = ({ price }: Row): OverToken => ({ refusal: "token limit", price: price as Usd | null });

function tooHigh({ price }: Row): PriceTooHigh {
  if (price === null) throw new Error("a price that is too high is known");
  return { refusal: "price too high", price: price as Usd };
}

function lacking({ price, balance }: Row): NoBalance {
  if (price === null || balance === null) throw new Error("a lack has a price and a balance");
  return { refusal: "no balance", missing: (price - balance) as Usd };
}
