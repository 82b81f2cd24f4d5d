// db/functions changes stock and money; orders.place.ts buys and cancels.
import { randomInt } from "node:crypto";
import { pageMax, pageSize } from "../../contract/limits.ts";
import { anySite } from "../catalog/catalog.ts";
import { seenBy } from "../events/events.ts";
import { forgetBodies, forgetChoices } from "../letters/letters.ts";
import type { Db, Sql, Tx } from "../platform/db/db.ts";
import { readFrom } from "../platform/db/replica.ts";
import type { Log } from "../platform/log.ts";
import { every, groupLetters, listed, type Filters, type ListAsk, type Order } from "./lists/lists.ts";
import { Expiry } from "./orders.expiry.ts";
import { deleteFindings, selectOwnLetters } from "./orders.forget.sql.ts";
import { endCounts } from "./orders.counts.ts";
import { openBuying, type Buying } from "./orders.place.ts";
import {
  callDeliver,
  selectBuyer,
  selectHeld,
  selectNames,
  selectOrder,
  selectWaiting,
  type Delivered,
  type Waiting,
} from "./orders.sql.ts";

export { cancelForBuyer } from "./orders.admin.ts";
export * as backorders from "./backorders/backorders.ts";
export { audit, closeBooks, type Scope } from "./orders.audit.ts";
export { endCounts, findNoAddress, orderCounts } from "./orders.counts.ts";
export { reopen, selectClosing } from "./orders.closing.sql.ts";
export { foldOutcomes } from "./orders.outcomes.ts";
export {
  type Complaint,
  complain,
  countProof,
  isUsual,
  releaseProved,
  settleShares,
} from "./shares/shares.ts";
export { decideComplaint, decideShares, setShareLimit, shareLimit } from "./shares/shares.admin.ts";
export { openSandbox, type Sandbox } from "./orders.sandbox.ts";
export type { Filters, ListAsk, Order } from "./lists/lists.ts";
export { fillTerms } from "./lists/lists.ts";
export { deleteExpired as forgetSkips } from "./skips/skips.sql.ts";
export type {
  Canceled,
  NoBalance,
  OverToken,
  PlaceAsk,
  Placed,
  PlacedMany,
  PlaceRefused,
  ReorderAsk,
  Reordered,
  ReorderRefused,
  Wanted,
} from "./orders.place.ts";
export type { Delivered, OrderLetter, Waiting } from "./orders.sql.ts";

/** What the letters of a buyer said, when the account is closed; the orders themselves stay for the books. */
export async function forgetLetters(tx: Tx, userId: bigint): Promise<void> {
  await forgetBodies(tx, await selectOwnLetters(tx, userId));
  await deleteFindings(tx, userId);
  await forgetChoices(tx, userId);
}

export type OrdersOptions = {
  ttlSeconds: number;
  /** How many paid orders an account may have open, besides one for each letter of its last 30 days; by default any number. */
  openMax?: number;
  /** Batches in parallel, each on a connection of its own. More help only with many buyers and sites. */
  concurrency?: number;
  /** Which rows of the day's sums this process adds to: different numbers avoid lock waits. */
  shard?: number;
  log?: Pick<Log, "error"> | undefined;
  /** Where each order is told (ACCESS_LOG). */
  follow?: Pick<Log, "info"> | undefined;
};

export type Orders = {
  /** Buys one address: the first of the wanted domains that has one and can be paid. One round trip when the first has. */
  place: Buying["place"];
  /** Buys so many at once. With a key, a repeat answers the same orders and places the missing ones. */
  placeMany: Buying["placeMany"];
  /** Buys a received order's address again, for the same site, at today's price. Answers a waiting reorder with the same filters instead. */
  reorder: Buying["reorder"];
  /** Pending: refunds. Received: hides it from the activations, without a refund. */
  cancel: Buying["cancel"];
  /** An order with its newest letter, or with the one that is named, and with the number of its letters. */
  read(ask: { userId: bigint; orderId: bigint; letterId?: bigint | undefined }): Promise<Order | undefined>;
  /** Page `page` (from 1) of visible orders, each with its newest letter. `waiting`: how many of the account wait, on all pages. */
  activations(
    userId: bigint,
    page: number,
    ask?: ListAsk,
  ): Promise<{ orders: Order[]; pages: number; waiting: number; found?: number; cut?: true }>;
  history(
    userId: bigint,
    page: number,
    ask?: ListAsk,
  ): Promise<{ orders: Order[]; pages: number; nextPage: boolean; found?: number; cut?: true }>;
  /** All orders that fit, newest first, each with its newest letter, a thousand numbers at a time. */
  every(userId: bigint, filters: Filters): AsyncGenerator<Order[], void, undefined>;
  /** Grows whenever the user's balance or lists change: a cheap ETag. */
  revision(userId: bigint): Promise<bigint>;
  /** Expires orders due since `graceSeconds`, except with a letter not stored or matched yet; answers how many. One failure blocks no other. */
  expireDue(ask?: { graceSeconds?: number }): Promise<number>;
  drain(): Promise<void>;
};

export function openOrders(db: Db, options: OrdersOptions): Orders {
  const { ttlSeconds, openMax, concurrency = 2, shard = randomInt(1000), log, follow } = options;
  const shardOf = (slot: number) => shard * 16 + (slot % 16);
  const { place, placeMany, reorder, cancel, drain } = openBuying(db, {
    ttlSeconds,
    openMax,
    concurrency,
    shardOf,
    log,
    follow,
  });

  const expiry = new Expiry(db, shardOf(0), log);
  return {
    place,
    placeMany,
    reorder,
    cancel,
    drain,
    read: async (ask) => groupLetters(await selectOrder(db, ask))[0],
    activations: async (userId, page, ask = {}) => {
      const [buyer, found] = await Promise.all([
        selectBuyer(db, userId),
        listed(db, { userId, isListed: true, page: Math.min(page, pageMax), ask }),
      ]);
      const count = found.total ?? buyer?.listedCount ?? 0;
      return {
        orders: groupLetters(found.rows),
        pages: Math.ceil(count / (ask.size ?? pageSize)),
        waiting: buyer?.waitingCount ?? 0,
        ...(found.total !== undefined && { found: found.total }),
        ...(found.isCut && { cut: true }),
      };
    },
    history: (userId, page, ask = {}) => {
      const read = (sql: Sql) => readHistory(sql, userId, page, ask);
      // The newest orders are asked for all the time, and are in the memory of the primary.
      return page > 1 ? readFrom(db, seenBy(userId), read, () => read(db)) : read(db);
    },
    every: (userId, filters) => every(db, userId, filters),
    revision: async (userId) => (await selectBuyer(db, userId))?.revision ?? 0n,
    expireDue: ({ graceSeconds = 0 } = {}) => expiry.run(graceSeconds),
  };
}

async function readHistory(
  sql: Sql,
  userId: bigint,
  page: number,
  ask: ListAsk,
): ReturnType<Orders["history"]> {
  const [buyer, found] = await Promise.all([
    selectBuyer(sql, userId),
    listed(sql, { userId, isListed: false, page: Math.min(page, pageMax), ask }),
  ]);
  const pages = Math.ceil((found.total ?? buyer?.ordersCount ?? 0) / (ask.size ?? pageSize));
  return {
    orders: groupLetters(found.rows),
    pages,
    nextPage: page < pages,
    ...(found.total !== undefined && { found: found.total }),
    ...(found.isCut && { cut: true }),
  };
}

/** Of an order for any sender: the sites for which others have or had its mailbox. */
export type WaitingOrder = Waiting & { readonly othersSites?: readonly { siteId: number; site: string }[] };

/** Orders that a letter to these mailboxes may be for; the caller compares times. */
export async function waiting(sql: Sql, mailboxIds: bigint[]): Promise<WaitingOrder[]> {
  if (mailboxIds.length === 0) return [];
  const orders = await selectWaiting(sql, mailboxIds);
  const ofAny = orders.filter(({ site }) => site === anySite).map(({ mailboxId }) => mailboxId);
  if (ofAny.length === 0) return orders;
  const held = Map.groupBy(await selectHeld(sql, ofAny), ({ mailboxId }) => mailboxId);
  return orders.map((order) => {
    if (order.site !== anySite) return order;
    const others = (held.get(order.mailboxId) ?? []).filter(({ userId }) => userId !== order.userId);
    return { ...order, othersSites: others.map(({ siteId, site }) => ({ siteId, site })) };
  });
}

/** Sites and addresses of those orders that are the user's. */
export async function namesOf(
  sql: Sql,
  userId: bigint,
  orderIds: bigint[],
): Promise<ReadonlyMap<bigint, { site: string; email: string }>> {
  if (orderIds.length === 0) return new Map();
  const named = await selectNames(sql, userId, orderIds);
  return new Map(named.map(({ id, site, email }) => [id, { site, email }]));
}

/** The first letter of an order earns its price. Answers new deliveries; leaves out closed orders and those over when the letter arrived. */
export async function deliver(
  sql: Sql,
  deliveries: { letterId: bigint; orderId: bigint; value?: string | undefined }[],
): Promise<Delivered[]> {
  if (deliveries.length === 0) return [];
  const delivered = await callDeliver(
    sql,
    deliveries.map(({ letterId, orderId, value }) => ({ letterId, orderId, value: value ?? null })),
    randomInt(16),
  );
  // A transaction that is undone and repeated counts twice.
  for (const { isFirst } of delivered) if (isFirst) endCounts.add("received");
  return delivered;
}
