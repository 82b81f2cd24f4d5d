// A small shop in a real database beside its model, with their comparison. For src/server/orders/orders.model.test.ts.
import { expect } from "vitest";
import { buyer, shelf, site } from "../kit/shelf.ts";
import * as inventory from "../../src/server/inventory/inventory.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import * as ledger from "../../src/server/ledger/ledger.ts";
import * as modelOf from "./model.ts";
import { get, type Model, type ModelOrder } from "./model.ts";
import { openOrders, type Order, type Orders } from "../../src/server/orders/orders.ts";

export type World = {
  db: Db;
  orders: Orders;
  model: Model;
  userIds: bigint[];
  siteIds: number[];
  domainIds: number[];
  batchIds: number[];
  before: Map<string, bigint>;
  unique: () => string;
  /** Each buyer's revision and view at the last comparison. */
  seen: Map<bigint, { revision: bigint; sight: string }>;
};

const shopAccounts = {
  "1": "escrow",
  "2": "revenue",
  "3": "bonuses",
  "4": "adjustments",
  "5": "payouts",
  "10": "sandbox",
};
let worlds = 0;

export async function openWorld(db: Db): Promise<World> {
  const orders = openOrders(db, { ttlSeconds: 1200 });
  // Nothing of earlier worlds happens in this one: their letters are judged, their shares wait.
  await db`update letter set judged_at = now() where judged_at is null`;
  await db`update investor_share set due_at = null where due_at is not null`;
  await orders.expireDue();
  let names = 0;
  const number = (worlds += 1);
  const model = modelOf.emptyModel();
  const partner = await buyer(db);
  const brought = { referredBy: partner };
  const userIds = [partner, await buyer(db), await buyer(db, brought), await buyer(db, brought)];
  userIds.forEach((userId, place) => modelOf.addUser(model, userId, place > 1 ? partner : undefined));
  const siteIds = [await site(db), await site(db), await site(db)];
  for (const siteId of siteIds) model.sites.set(siteId, { isBlocked: false });
  const domainIds: number[] = [];
  for (const price of ["0.0035", "0.00100007", "0.00000019"]) {
    const { domainId } = await shelf(db, 0, price);
    domainIds.push(domainId);
    model.domains.set(domainId, { price: BigInt(Math.round(Number(price) * 1e8)), isOnSale: true });
  }
  const batchIds: number[] = [];
  for (const [investorId, sharePpm] of [
    [undefined, 0n],
    [userIds[2], 333_333n],
    [userIds[2], 900_000n],
  ] as const) {
    const batchId = await inventory.addBatch(db, {
      title: "model",
      sharePpm: Number(sharePpm),
      ...(investorId === undefined ? {} : { investorId }),
    });
    batchIds.push(batchId);
    model.batches.set(batchId, { investorId, sharePpm, shuns: new Set(), isWithdrawn: false });
  }
  const before = await shopSums(db);
  const unique = () => `w${number}n${(names += 1)}`;
  return { db, orders, model, userIds, siteIds, domainIds, batchIds, before, unique, seen: new Map() };
}

async function shopSums(db: Db): Promise<Map<string, bigint>> {
  const rows = await db<{ id: bigint; sum: bigint }[]>`
    select account_id as id, sum(credit - debit)::bigint as sum from account_day where account_id < 1000 group by account_id`;
  return new Map(rows.map(({ id, sum }) => [String(id), sum]));
}

export async function compare(world: World): Promise<void> {
  await Promise.all([
    compareStock(world),
    compareMoney(world),
    compareOrders(world),
    ...world.userIds.map((userId) => compareLists(world, userId)),
  ]);
}

async function compareStock({ db, model, siteIds, domainIds }: World): Promise<void> {
  const onSale = domainIds.filter((domainId) => get(model.domains, domainId).isOnSale);
  const found = async (siteId: number | undefined) =>
    (await inventory.available(db, siteId))
      .filter(({ domainId }) => domainIds.includes(domainId))
      .map(({ domainId, price, available }) => ({ domainId, price, available }));
  const expected = (count: (domainId: number) => number) =>
    onSale.map((domainId) => ({
      domainId,
      price: get(model.domains, domainId).price,
      available: count(domainId),
    }));
  for (const siteId of siteIds)
    expect(await found(siteId)).toEqual(
      expected((domainId) => modelOf.freeFor(model, siteId, domainId).length),
    );
  expect(await found(undefined)).toEqual(expected((domainId) => modelOf.livingOf(model, domainId).length));
}

async function compareMoney({ db, model, userIds, before }: World): Promise<void> {
  const rows = await db<{ userId: bigint; book: modelOf.Book; balance: bigint }[]>`
    select user_id as "userId", book, balance from account where user_id = any (${userIds})`;
  for (const user of model.users.values()) {
    const found = modelOf.emptyBooks();
    for (const { userId, book, balance } of rows) if (userId === user.userId) found[book] = balance;
    expect(found).toEqual(user.books);
    for (const book of ["referrals", "soft", "investor"] as const) {
      const days = await ledger.earnedByDay(db, user.userId, book, new Date(0));
      const sum = days.reduce((total, { credit }) => total + credit, 0n);
      const count = days.reduce((total, day) => total + day.count, 0);
      expect({ sum, count }).toEqual(user.earned[book]);
    }
  }
  const sums = await shopSums(db);
  const shop = Object.entries(shopAccounts).map(([id, name]) => [
    name,
    (sums.get(id) ?? 0n) - (before.get(id) ?? 0n),
  ]);
  expect(Object.fromEntries(shop)).toEqual(model.shop);
}

async function compareOrders({ db, model, userIds }: World): Promise<void> {
  const rows = await db`
    select id as "orderId", user_id as "userId", site_id as "siteId", mailbox_id as "mailboxId", domain_id as "domainId", price,
           number, status, hidden as "isHidden", soft_id as "softId", reorder_of as "reorderOf", idempotency_key as key
    from orders where user_id = any (${userIds}) order by id`;
  expect([...rows]).toEqual(
    model.orders.map(({ orderId, userId, siteId, mailbox, price, number, status, isHidden, ...rest }) => ({
      orderId,
      userId,
      siteId,
      mailboxId: mailbox.mailboxId,
      domainId: mailbox.domainId,
      price,
      number,
      status,
      isHidden,
      softId: rest.softId ?? null,
      reorderOf: rest.reorderOf ?? null,
      key: rest.key ?? null,
    })),
  );
}

async function compareLists({ orders, model, seen }: World, userId: bigint): Promise<void> {
  const lists = modelOf.listsOf(model, userId);
  const pagesOf = (list: unknown[]) => Math.ceil(list.length / 10);
  // The page after the last is empty, not an error.
  for (let page = 1; page <= pagesOf(lists.activations) + 1; page++) {
    const found = await orders.activations(userId, page);
    expect(found.pages).toBe(pagesOf(lists.activations));
    expect(found.waiting).toBe(lists.activations.filter(({ status }) => status === "pending").length);
    expect(found.orders.map(sightOf)).toEqual(
      onPage(lists.activations, page).map((order) => shown(order, 1)),
    );
  }
  for (let page = 1; page <= pagesOf(lists.history) + 1; page++) {
    const found = await orders.history(userId, page);
    expect([found.pages, found.nextPage]).toEqual([pagesOf(lists.history), page < pagesOf(lists.history)]);
    expect(found.orders.map(sightOf)).toEqual(onPage(lists.history, page).map((order) => shown(order, 50)));
  }
  const revision = await orders.revision(userId);
  const sight = show([
    get(model.users, userId).books.balance,
    lists.history.map(({ status, isHidden, letterIds }) => [status, isHidden, letterIds]),
  ]);
  const last = seen.get(userId);
  if (last && last.sight !== sight) expect(revision).toBeGreaterThan(last.revision);
  seen.set(userId, { revision, sight });
}

const onPage = (list: ModelOrder[], page: number) => list.slice((page - 1) * 10, page * 10);

const sightOf = ({ orderId, email, status, price, letters }: Order) => ({
  orderId,
  email,
  status,
  price,
  letterIds: letters.map(({ letterId }) => letterId),
});

const shown = ({ orderId, mailbox, status, price, letterIds }: ModelOrder, letters: number) => ({
  orderId,
  email: mailbox.email,
  status,
  price,
  letterIds: letterIds.slice(0, letters),
});

const show = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each));
