// @module-tag slow
import { afterAll, expect, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import { soon } from "../../../test/kit/soon.ts";
import * as inventory from "../inventory/inventory.ts";
import { deliver, openOrders, type Placed } from "../orders/orders.ts";
import { usd } from "../platform/money.ts";
import {
  changeDomain,
  changePrices,
  openCatalog,
  type PriceAsk,
  previewPrices,
  undoPrices,
} from "./catalog.ts";

const { db, drop } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
const catalog = await openCatalog(db);
afterAll(async () => {
  await catalog.close();
  await drop();
});

const by = "user 17";
const hour = 3_600_000;
let keys = 0;

async function market(price = "0.01") {
  const userId = await buyer(db, { balance: "100" });
  const [siteId, other, { domainId, domain }] = [await site(db), await site(db), await shelf(db, 20, price)];
  const [{ name } = { name: "" }] = await db<{ name: string }[]>`select name from site where id = ${siteId}`;
  const place = async (of = siteId, priceMax?: string) => {
    const ask = { userId, siteId: of, domainIds: [domainId] };
    return await orders.place(priceMax === undefined ? ask : { ...ask, priceMax: usd(priceMax) });
  };
  const priceOf = async (of = siteId) => ((await place(of)) as Placed).price;
  return { siteId, other, name, userId, domainId, domain, place, priceOf };
}

const ask = (prices: string, how: PriceAsk["how"], amount?: string, from?: Date) => ({
  prices,
  how,
  amount,
  from,
});

async function change(
  prices: string,
  how: PriceAsk["how"],
  amount?: string,
  more: { from?: Date; key?: string } = {},
) {
  const { from, key = `key ${++keys}` } = more;
  return changePrices(db, { ...ask(prices, how, amount, from), reason: "dearer", key }, by, new Date());
}

async function changed(...asked: Parameters<typeof change>) {
  const done = await change(...asked);
  if (typeof done === "string") throw new Error(done);
  return done;
}

const anHourPasses = async () => {
  await db`update price set from_at = from_at - interval '1 hour'`;
  await db`update mail_domain set asks_from = asks_from - interval '1 hour'`;
};

const soonest = () => new Date(Date.now() + hour - 60_000);

test("a price is changed to an amount, by dollars and by percent, rounded to the nearest 10⁻⁸ dollar", async () => {
  const { domain, priceOf } = await market("0.0035");
  await changed(domain, "by", "0.001");
  expect(await priceOf()).toBe(usd("0.0045"));
  await changed(domain, "percent", "10");
  expect(await priceOf()).toBe(usd("0.00495"));
  await changed(domain, "percent", "-33.333333");
  expect(await priceOf()).toBe(usd("0.00330000"));
  await changed(domain, "to", "0.00000005");
  await changed(domain, "percent", "10");
  expect(await priceOf()).toBe(usd("0.00000006"));
});

test("the price of a site goes before that of all sites, and a change of that one leaves it; then the site has none again", async () => {
  const { domain, name, other, priceOf } = await market();
  await changed(`${name}/${domain}`, "percent", "10");
  expect([await priceOf(), await priceOf(other)]).toEqual([usd("0.011"), usd("0.01")]);
  await changed(domain, "to", "0.02");
  expect([await priceOf(), await priceOf(other)]).toEqual([usd("0.011"), usd("0.02")]);
  await changed(`${name}/${domain}`, "general");
  expect([await priceOf(), await priceOf(other)]).toEqual([usd("0.02"), usd("0.02")]);
});

test("offers, orders and reorders have the same price of a site", async () => {
  const { domain, name, siteId, userId, domainId, place } = await market();
  const first = (await place()) as Placed;
  const letterId = await letter(db, [await mailboxOf(db, first.orderId)]);
  await deliver(db, [{ letterId, orderId: first.orderId }]);
  await changed(`${name}/${domain}`, "to", "0.05");
  const offer = (await inventory.available(db, siteId)).find((one) => one.domainId === domainId);
  expect(offer?.price).toBe(usd("0.05"));
  expect(await place()).toMatchObject({ price: usd("0.05") });
  expect(await orders.reorder({ userId, orderId: first.orderId })).toMatchObject({ price: usd("0.05") });
});

test("what an order may cost at most holds for the price of the site", async () => {
  const { domain, name, other, place } = await market();
  await changed(`${name}/${domain}`, "to", "0.02");
  expect(await place(undefined, "0.015")).toEqual({ refusal: "price too high", price: usd("0.02") });
  expect(await place(other, "0.015")).toMatchObject({ price: usd("0.01") });
});

test("a price of later begins at its moment, for orders and in what a process remembers, and nobody has to do anything", async () => {
  const { domain, priceOf } = await market();
  const shown = async () => (await catalog.domains()).find(({ name }) => name === domain)?.price;
  await changed(domain, "to", "0.03", { from: new Date(Date.now() + 1_000) });
  await vi.waitFor(
    async () =>
      expect(await catalog.domains()).toContainEqual(
        expect.objectContaining({ name: domain, price: usd("0.01"), changesAt: expect.any(Date) as Date }),
      ),
    soon,
  );
  expect(await priceOf()).toBe(usd("0.01"));
  await vi.waitFor(async () => expect(await shown()).toBe(usd("0.03")), soon);
  expect(await priceOf()).toBe(usd("0.03"));
});

test("several may wait for their moments; each price that was set in between holds until the next", async () => {
  const { domain, priceOf } = await market();
  await changed(domain, "percent", "-50", { from: soonest() });
  await changed(domain, "to", "0.04", { from: new Date(Date.now() + 3 * hour) });
  await changed(domain, "to", "0.02");
  expect(await priceOf()).toBe(usd("0.02"));
  await anHourPasses();
  expect(await priceOf()).toBe(usd("0.005"));
});

test("a change that is sent twice, also at once, is made once", async () => {
  const { domain, priceOf } = await market();
  const twice = [1, 2].map(() => changed(domain, "percent", "10", { key: "pressed twice" }));
  const [first, second] = await Promise.all(twice);
  expect(second?.id).toBe(first?.id);
  expect(first?.repeated).toBe(!second?.repeated);
  expect(await priceOf()).toBe(usd("0.011"));
});

test("each reason for a no has its own word, and nothing is changed", async () => {
  const { domain, name, priceOf } = await market();
  expect(await change("nowhere.test", "to", "1")).toBe("no domain");
  expect(await change(`${domain},nowhere.test`, "to", "1")).toBe("no domain");
  expect(await change(`sandbox/${domain}`, "to", "1")).toBe("site");
  expect(await change(domain, "by", "-0.01")).toBe("price");
  expect(await change(domain, "percent", "-100")).toBe("price");
  expect(await change(domain, "to", "0.01")).toBe("nothing to change");
  expect(await change(domain, "general")).toBe("nothing to change");
  expect(await change(`${name}/${domain}`, "general")).toBe("nothing to change");
  expect(await change(domain, "to")).toBe("change");
  expect(await change(domain, "to", "1", { from: new Date(Date.now() - 1) })).toBe("from");
  expect(await priceOf()).toBe(usd("0.01"));
});

const undo = (id: bigint) => undoPrices(db, { id, reason: "by mistake" }, by);

test("a change is undone as a whole: what applied before applies again, also where a site had no price of its own", async () => {
  const { domain, name, other, priceOf } = await market();
  const both = await changed(`${domain},${name}/${domain}`, "to", "0.5");
  expect(both.count).toBe(2);
  expect(await undo(both.id)).toEqual({ count: 2 });
  expect([await priceOf(), await priceOf(other)]).toEqual([usd("0.01"), usd("0.01")]);
  await changed(domain, "to", "0.02");
  expect(await priceOf()).toBe(usd("0.02"));
});

test("no change is undone when one of its prices was changed since, nor twice", async () => {
  const { domain, name, priceOf } = await market();
  const first = await changed(`${domain},${name}/${domain}`, "to", "0.02");
  const second = await changed(domain, "to", "0.03");
  expect(await undo(first.id)).toBe("price changed since");
  expect(await undo(second.id)).toEqual({ count: 1 });
  expect(await undo(second.id)).toBe("price changed since");
  expect(await undo(second.id + 1_000n)).toBe("no price change");
  expect(await priceOf()).toBe(usd("0.02"));
});

test("a change that is undone before its moment never comes", async () => {
  const { domain, priceOf } = await market();
  const later = await changed(domain, "to", "0.5", { from: soonest() });
  await changed(domain, "to", "0.02");
  expect(await undo(later.id)).toEqual({ count: 1 });
  expect(await undo(later.id)).toBe("no price change");
  await anHourPasses();
  expect(await priceOf()).toBe(usd("0.02"));
});

test("the dialog of a mail domain writes the history too, and nothing where the price stays", async () => {
  const { domain, domainId, priceOf } = await market();
  await changeDomain(db, domain, { price: usd("0.02"), enabled: true }, by);
  await changeDomain(db, domain, { price: usd("0.02") }, by);
  expect(await priceOf()).toBe(usd("0.02"));
  expect(await db`select price from price where domain_id = ${domainId} and made_by = ${by}`).toHaveLength(1);
});

test("a price that a release before writes is the newest change", async () => {
  const { domain, domainId, name, other, priceOf } = await market();
  const mine = await changed(`${domain},${name}/${domain}`, "to", "0.02");
  await db`update mail_domain set price = ${usd("0.07")} where id = ${domainId}`;
  expect([await priceOf(), await priceOf(other)]).toEqual([usd("0.02"), usd("0.07")]);
  expect(await undo(mine.id)).toBe("price changed since");
});

test("before a change is made it says what the letters of the last seven days would have brought", async () => {
  const { domain, name, siteId, other, domainId } = await market();
  const count = (of: number, kind: number, orders: number, ago: string) => db`
    insert into outcome (site_id, since, domain_id, class, shard, count)
    values (${of}, date_trunc('hour', now()) - ${ago}::interval, ${domainId}, ${kind}, 0, ${orders})`;
  await count(siteId, 2, 5, "1 day");
  await count(siteId, -1, 50, "1 day");
  await count(other, 3, 7, "6 days");
  await count(other, 3, 70, "8 days");
  const now = new Date();
  const preview = (prices: string) => previewPrices(db, ask(prices, "percent", "10"), now);
  const general = { domain, site: null, before: usd("0.01"), after: usd("0.011") };
  const own = { ...general, site: name };
  expect(await preview(domain)).toMatchObject([{ ...general, letters: 12n }]);
  expect(await preview(`${domain},${name}/${domain}`)).toMatchObject([
    { ...general, letters: 7n },
    { ...own, letters: 5n },
  ]);
  await changed(`${name}/${domain}`, "to", "0.02");
  expect(await preview(domain)).toMatchObject([{ ...general, letters: 7n }]);
  expect(await preview("unknown.example/hosted")).toBe("site");
});
