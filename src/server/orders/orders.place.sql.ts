import { idempotencyHours } from "../../contract/limits.ts";
import { z } from "zod/mini";
import { one, type Sql } from "../platform/db/db.ts";

type WantedRow = {
  userId: bigint;
  subject: string | null;
  regex: string | null;
  softId: bigint | null;
  key: string | null;
  tokenId: bigint | null;
  priceMax: bigint | null;
  note: string | null;
};

export type PlaceRow = WantedRow & {
  siteId: number;
  domainId: number;
  quantity: number | null;
};

export type PlacedRow = {
  code:
    | "ok"
    | "repeat"
    | "again"
    | "new pair"
    | "token"
    | "site"
    | "domain"
    | "no emails"
    | "limit"
    | "too many open"
    | "price too high"
    | "token limit"
    | "no balance";
  orderId: bigint | null;
  address: string | null;
  price: bigint | null;
  balance: bigint | null;
  expiresAt: Date | null;
};

/** One commit for orders of many buyers; answers in the order of the asks. Not parsed: this is the hottest path. */
export function callPlaceOrders(
  sql: Sql,
  asks: readonly PlaceRow[],
  { ttlSeconds, openMax }: { ttlSeconds: number; openMax: number | undefined },
  shard: number,
): Promise<PlacedRow[]> {
  const buyers = places(asks, ({ userId }) => userId, byUser);
  const pairs = places(asks, pairOf, byPair);
  const wanted = wantedOf(asks);
  const quantities = some(asks.map(({ quantity }) => quantity));
  return sql<PlacedRow[]>`
    select code, order_id as "orderId", address, price, balance, expires_at as "expiresAt"
    from place_orders(
      ${users(buyers.firsts)},
      ${pairs.firsts.map(({ siteId }) => siteId)}::integer[], ${pairs.firsts.map(({ domainId }) => domainId)}::integer[],
      ${buyers.places}::integer[], ${pairs.places}::integer[], ${wanted.subjects}::text[], ${wanted.regexes}::text[],
      ${wanted.softIds}::bigint[], ${wanted.keys}::text[], ${quantities}::smallint[], ${wanted.tokenIds}::bigint[],
      make_interval(secs => ${ttlSeconds}), make_interval(hours => ${idempotencyHours}), ${shard}, ${openMax ?? null},
      ${wanted.pricesMax}::bigint[], ${wanted.notes}::text[])
    order by ask`;
}

/** Two asks with the same name want the same row of the stock. */
export const pairOf = ({ siteId, domainId }: { siteId: number; domainId: number }) => `${siteId} ${domainId}`;

export const callOpenPairs = (sql: Sql, pairs: readonly { siteId: number; domainId: number }[]) =>
  sql`select open_pairs(${pairs.map(({ siteId }) => siteId)}::integer[], ${pairs.map(({ domainId }) => domainId)}::integer[])`;

/** By id, or the latest of an address and a site. */
export type ReorderRow = WantedRow &
  (
    | { orderId: bigint; localPart: null; domain: null; siteId: null }
    | { orderId: null; localPart: string; domain: string; siteId: number }
  );

export type ReorderedRow = Omit<PlacedRow, "code"> & {
  code:
    | "ok"
    | "repeat"
    | "again"
    | "token"
    | "no activation"
    | "site"
    | "email banned"
    | "limit"
    | "price too high"
    | "token limit"
    | "no balance";
  site: string | null;
};

export function callReorderOrders(
  sql: Sql,
  asks: readonly ReorderRow[],
  ttlSeconds: number,
  shard: number,
): Promise<ReorderedRow[]> {
  const wanted = wantedOf(asks);
  return sql<ReorderedRow[]>`
    select code, order_id as "orderId", address, site, price, balance, expires_at as "expiresAt"
    from reorder_orders(
      ${users(asks)}, ${ids(asks)},
      ${asks.map(({ localPart }) => localPart)}::text[], ${asks.map(({ domain }) => domain)}::text[],
      ${asks.map(({ siteId }) => siteId)}::integer[], ${wanted.subjects}::text[], ${wanted.regexes}::text[],
      ${wanted.softIds}::bigint[], ${wanted.keys}::text[], ${wanted.tokenIds}::bigint[],
      make_interval(secs => ${ttlSeconds}), make_interval(hours => ${idempotencyHours}), ${shard},
      ${wanted.pricesMax}::bigint[], ${wanted.notes}::text[])
    order by ask`;
}

const Kept = z.object({
  siteId: z.int(),
  domainId: z.int(),
  subject: z.nullable(z.string()),
  regex: z.nullable(z.string()),
  reorderOf: z.nullable(z.bigint()),
  key: z.nullable(z.string()),
  quantity: z.nullable(z.int()),
});
export type Kept = z.infer<typeof Kept>;

export const selectKept = (sql: Sql, orderId: bigint): Promise<Kept> =>
  one(
    Kept,
    sql`select site_id as "siteId", domain_id as "domainId", subject, regex, reorder_of as "reorderOf",
               idempotency_key as "key", quantity
        from orders where id = ${orderId}`,
  );

export type OwnOrder = { userId: bigint; orderId: bigint };

export type ClosedRow = OwnOrder & { balance: bigint };

/** Cancels pending orders, each only for its own buyer; answers the canceled ones. */
export const callCancelOrders = (sql: Sql, asks: readonly OwnOrder[], shard: number): Promise<ClosedRow[]> =>
  sql<ClosedRow[]>`
    select order_id as "orderId", user_id as "userId", balance
    from close_orders(${ids(asks)}, ${users(asks)}, 'canceled', ${shard})`;

export type HiddenRow = {
  answer: "activation canceled" | "activation already canceled" | "no activation";
  balance: bigint | null;
};

export const callHideOrders = (sql: Sql, asks: readonly OwnOrder[]): Promise<HiddenRow[]> =>
  sql<HiddenRow[]>`
    select answer, balance from hide_orders(${ids(asks)}, ${users(asks)}) order by ask`;

const ids = (asks: readonly { orderId: bigint | null }[]) => asks.map(({ orderId }) => orderId);

const users = (asks: readonly { userId: bigint }[]) => asks.map(({ userId }) => userId);

/** Null instead of an array of nulls, the usual case. */
const some = <Value>(values: (Value | null)[]) => (values.every((value) => value === null) ? null : values);

function wantedOf(asks: readonly WantedRow[]) {
  return {
    subjects: some(asks.map(({ subject }) => subject)),
    regexes: some(asks.map(({ regex }) => regex)),
    softIds: some(asks.map(({ softId }) => softId)),
    keys: some(asks.map(({ key }) => key)),
    tokenIds: some(asks.map(({ tokenId }) => tokenId)),
    pricesMax: some(asks.map(({ priceMax }) => priceMax)),
    notes: some(asks.map(({ note }) => note)),
  };
}

/** The first ask of each name, in order, and for every ask the place of its first (from 1). */
function places<Name>(
  asks: readonly PlaceRow[],
  nameOf: (ask: PlaceRow) => Name,
  order: (one: PlaceRow, other: PlaceRow) => number,
): { firsts: PlaceRow[]; places: number[] } {
  const firstOf = new Map<Name, PlaceRow>();
  for (const ask of asks) if (!firstOf.has(nameOf(ask))) firstOf.set(nameOf(ask), ask);
  const firsts = [...firstOf.values()].sort(order);
  const placeOf = new Map(firsts.map((first, index) => [nameOf(first), index + 1]));
  return { firsts, places: asks.map((ask) => placeOf.get(nameOf(ask))!) };
}

const byUser = (one: PlaceRow, other: PlaceRow) => (one.userId < other.userId ? -1 : 1);

const byPair = (one: PlaceRow, other: PlaceRow) => one.siteId - other.siteId || one.domainId - other.domainId;
