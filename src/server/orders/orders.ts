// The life of an order, from the hold of its price to the letter or the refund. What happens to stock and money stands in
// db/functions; here asks of many callers are gathered into batches, and answers become the words of the contract.
import { randomInt } from "node:crypto";
import { pageMax, pageSize } from "../../contract/limits.ts";
import { wasUndone, type Db, type Sql } from "../kit/db.ts";
import { Lane } from "../kit/lane.ts";
import type { Usd } from "../kit/money.ts";
import { groupLetters, type Order } from "./orders.lists.ts";
import {
  callCancelOrders,
  callDeliver,
  callExpireDue,
  callHideOrder,
  callPlaceOrders,
  callReorder,
  selectActivations,
  selectBuyer,
  selectHistory,
  selectLatestReceived,
  selectOrder,
  selectWaiting,
  type Delivered,
  type PlacedRow,
  type PlaceRow,
  type Waiting,
} from "./orders.sql.ts";

export { audit, type Invariant } from "./orders.audit.ts";
export { foldOutcomes } from "./orders.outcomes.ts";
export { openSandbox, type Sandbox } from "./orders.sandbox.ts";
export type { Order, OrderLetter } from "./orders.lists.ts";
export type { Delivered, Waiting } from "./orders.sql.ts";

const lettersMax = 50;
const expireSize = 500;
const laneSize = 128;
const laneWaiting = 10_000;

export type Wanted = {
  subject?: string | undefined;
  regex?: string | undefined;
  softId?: bigint | undefined;
  /** The caller's name for this order: for 24 hours it answers the same order again and charges once. */
  idempotencyKey?: string | undefined;
};

export type PlaceAsk = Wanted & {
  userId: bigint;
  siteId: number;
  /** Tried in this order. */
  domainIds: number[];
};

export type ReorderAsk = Wanted & { userId: bigint } & (
    | { orderId: bigint }
    | { email: string; siteId: number }
  );

/** An order that stands and is paid. `isRepeat`: it stood before this ask, which charged nothing. */
export type Placed = {
  orderId: bigint;
  email: string;
  price: Usd;
  balance: Usd;
  expiresAt: Date;
  isRepeat: boolean;
};

/** `missing` is what the balance lacks for the cheapest of the asked domains. */
export type NoBalance = { refusal: "no balance"; missing: Usd };
/** `limit`: so many free orders for sandbox sites that there is no room for more now. */
export type PlaceRefused = NoBalance | { refusal: "no emails" | "domain" | "site" | "token" | "limit" };
export type ReorderRefused =
  | NoBalance
  | { refusal: "no activation" | "email banned" | "site" | "token" | "limit" };

export type Canceled = "activation canceled" | "activation already canceled" | "no activation";

export type OrdersOptions = {
  /** How long an order waits for its letter. */
  ttlSeconds: number;
  /** Batches that run side by side, each on a connection of its own. More help only when buyers and sites are many. */
  lanes?: number;
  /** Which rows of the day's sums this process adds to: processes with different numbers do not wait for one another. */
  shard?: number;
};

export type Orders = {
  /** Buys one address: the first of the wanted domains that has one and can be paid. One round trip when the first has. */
  place(ask: PlaceAsk): Promise<Placed | PlaceRefused>;
  /** Buys a received order's address again, for the same site, at today's price. One that waits already is answered instead. */
  reorder(ask: ReorderAsk): Promise<Placed | ReorderRefused>;
  /** Pending: refunds. Received: takes it from the list of activations, without a refund. */
  cancel(ask: { userId: bigint; orderId: bigint }): Promise<Canceled>;
  /** One order of a user with its letters, the newest first; undefined when there is none of that id of his. */
  read(ask: { userId: bigint; orderId: bigint }): Promise<Order | undefined>;
  /** Page `page` (from 1) of ten orders that wait, or have received and are not hidden; each with its newest letter. */
  activations(userId: bigint, page: number): Promise<{ orders: Order[]; pages: number }>;
  /** Page `page` (from 1) of ten of all orders of a user, each with its letters. */
  history(userId: bigint, page: number): Promise<{ orders: Order[]; pages: number; nextPage: boolean }>;
  /** A number that grows whenever the user's balance or lists change: an ETag at the price of one look-up. */
  revision(userId: bigint): Promise<bigint>;
  /** Expires and refunds what is due, except orders with a letter that is not judged yet; answers how many. */
  expireDue(): Promise<number>;
  /** Resolves when every ask that was taken is answered. */
  drain(): Promise<void>;
};

/** Opens the orders of a database, with the lanes that gather the asks of this process. */
export function openOrders(db: Db, options: OrdersOptions): Orders {
  const { ttlSeconds, lanes = 2, shard = randomInt(1000) } = options;
  const bounds = { lanes, cap: laneSize, waiting: laneWaiting, mayRepeat: wasUndone };
  const shardOf = (lane: number) => shard * 16 + (lane % 16);
  const placing = new Lane<PlaceRow, PlacedRow>(
    (asks, lane) => callPlaceOrders(db, asks, ttlSeconds, shardOf(lane)),
    bounds,
  );
  const canceling = new Lane<CancelAsk, boolean>(
    (asks, lane) => cancelPending(db, asks, shardOf(lane)),
    bounds,
  );

  return {
    place: (ask) => place(placing, ask),
    reorder: (ask) => reorder(db, ask, ttlSeconds, shardOf(0)),
    cancel: async (ask) => {
      if (await canceling.submit(ask)) return "activation canceled";
      return (await callHideOrder(db, ask.userId, ask.orderId)).answer;
    },
    read: async ({ userId, orderId }) => groupLetters(await selectOrder(db, userId, orderId, lettersMax))[0],
    activations: async (userId, page) => {
      const [buyer, rows] = await Promise.all([
        selectBuyer(db, userId),
        selectActivations(db, userId, Math.min(page, pageMax), pageSize),
      ]);
      return { orders: groupLetters(rows), pages: Math.ceil((buyer?.listedCount ?? 0) / pageSize) };
    },
    history: async (userId, page) => {
      const [buyer, rows] = await Promise.all([
        selectBuyer(db, userId),
        selectHistory(db, userId, Math.min(page, pageMax), pageSize, lettersMax),
      ]);
      const pages = Math.ceil((buyer?.ordersCount ?? 0) / pageSize);
      return { orders: groupLetters(rows), pages, nextPage: page < pages };
    },
    revision: async (userId) => (await selectBuyer(db, userId))?.revision ?? 0n,
    expireDue: () => expireDue(db, shardOf(0)),
    drain: async () => {
      await Promise.all([placing.drain(), canceling.drain()]);
    },
  };
}

/** The orders that a letter to one of these mailboxes may be for; the caller compares its time with theirs. */
export function waiting(sql: Sql, mailboxIds: bigint[]): Promise<Waiting[]> {
  return mailboxIds.length === 0 ? Promise.resolve([]) : selectWaiting(sql, mailboxIds);
}

/**
 * Gives judged letters to orders. The first of an order earns its price (revenue and shares); later ones are added while
 * it lives. Answers what was new; what is there already, closed, or over when the letter arrived is left out.
 */
export async function deliver(
  sql: Sql,
  deliveries: { letterId: bigint; orderId: bigint; value?: string | undefined }[],
): Promise<Delivered[]> {
  if (deliveries.length === 0) return [];
  return callDeliver(
    sql,
    deliveries.map(({ letterId, orderId, value }) => ({ letterId, orderId, value: value ?? null })),
    randomInt(16),
  );
}

async function place(lane: Lane<PlaceRow, PlacedRow>, ask: PlaceAsk): Promise<Placed | PlaceRefused> {
  let refused: PlaceRefused = { refusal: "domain" };
  for (const domainId of ask.domainIds) {
    const row = await placeOnce(lane, { ...wanted(ask), siteId: ask.siteId, domainId });
    const answer = placedOr(row);
    if (!("code" in answer)) return answer;
    if (answer.code === "no user") return { refusal: "token" };
    if (answer.code === "no site") return { refusal: "site" };
    if (answer.code === "limit") return { refusal: "limit" };
    refused = nearer(
      refused,
      answer.code === "no balance" ? lacking(row) : { refusal: refusals[answer.code] },
    );
  }
  return refused;
}

const refusals = { "no domain": "domain", "no stock": "no emails" } as const;

// A domain that could be paid says more than one that is sold out, and that more than one that is not on sale.
function nearer(old: PlaceRefused, now: PlaceRefused): PlaceRefused {
  if (old.refusal === "no balance")
    return now.refusal === "no balance" && now.missing < old.missing ? now : old;
  return now.refusal === "domain" ? old : now;
}

// The same key twice in one batch: the second waits for the first to be committed.
async function placeOnce(lane: Lane<PlaceRow, PlacedRow>, row: PlaceRow): Promise<PlacedRow> {
  for (;;) {
    const placed = await lane.submit(row);
    if (placed.code !== "again") return placed;
  }
}

type CancelAsk = { userId: bigint; orderId: bigint };

// Whether each was pending, its asker's, and is canceled by this ask: of two asks for one order the second hears false.
async function cancelPending(db: Db, asks: CancelAsk[], shard: number): Promise<boolean[]> {
  const name = ({ userId, orderId }: CancelAsk) => `${userId} ${orderId}`;
  const closed = await callCancelOrders(
    db,
    asks.map((ask) => ask.orderId),
    asks.map((ask) => ask.userId),
    shard,
  );
  const left = new Set(closed.map(name));
  return asks.map((ask) => left.delete(name(ask)));
}

async function reorder(
  db: Db,
  ask: ReorderAsk,
  ttlSeconds: number,
  shard: number,
): Promise<Placed | ReorderRefused> {
  const orderId = "orderId" in ask ? ask.orderId : await latestReceived(db, ask);
  if (orderId === undefined) return { refusal: "no activation" };
  const row = await callReorder(db, { ...wanted(ask), orderId }, ttlSeconds, shard);
  switch (row.code) {
    case "ok":
    case "repeat":
      return placed(row, row.code === "repeat");
    case "no user":
      return { refusal: "token" };
    case "no site":
      return { refusal: "site" };
    case "banned":
      return { refusal: "email banned" };
    case "limit":
      return { refusal: "limit" };
    case "no balance":
      return lacking(row);
    case "no activation":
      return { refusal: "no activation" };
  }
}

async function latestReceived(
  db: Db,
  { userId, email, siteId }: { userId: bigint; email: string; siteId: number },
): Promise<bigint | undefined> {
  const [localPart = "", domain = ""] = email.trim().toLowerCase().split("@");
  return (await selectLatestReceived(db, userId, localPart, domain, siteId))?.orderId;
}

async function expireDue(db: Db, shard: number): Promise<number> {
  let total = 0;
  for (;;) {
    const { expired } = await callExpireDue(db, expireSize, shard);
    total += expired;
    if (expired < expireSize) return total;
  }
}

function wanted(ask: Wanted & { userId: bigint }) {
  return {
    userId: ask.userId,
    subject: ask.subject ?? null,
    regex: ask.regex ?? null,
    softId: ask.softId ?? null,
    key: ask.idempotencyKey ?? null,
  };
}

type Row = Pick<PlacedRow, "orderId" | "address" | "price" | "balance" | "expiresAt">;

function placedOr(row: PlacedRow): Placed | { code: Exclude<PlacedRow["code"], "ok" | "repeat" | "again"> } {
  if (row.code === "ok" || row.code === "repeat") return placed(row, row.code === "repeat");
  if (row.code === "again") throw new Error("an ask that must be asked again is no answer");
  return { code: row.code };
}

function placed({ orderId, address, price, balance, expiresAt }: Row, isRepeat: boolean): Placed {
  if (orderId === null || address === null || price === null || balance === null || expiresAt === null)
    throw new Error("an order that stands has an id, an address, a price, a balance and an end");
  return { orderId, email: address, price: price as Usd, balance: balance as Usd, expiresAt, isRepeat };
}

function lacking({ price, balance }: Row): NoBalance {
  if (price === null || balance === null) throw new Error("a lack has a price and a balance");
  return { refusal: "no balance", missing: (price - balance) as Usd };
}
