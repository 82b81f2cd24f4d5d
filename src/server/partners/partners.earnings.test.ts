import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partnerPercent } from "../../contract/limits.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, shelf, site } from "../../../test/kit/shelf.ts";
import type { Db } from "../platform/db/db.ts";
import { percentOf, showUsd, usd, type Usd, usdFromUnits } from "../platform/money.ts";
import { createSeal } from "../platform/seal.ts";
import { audit, deliver, openOrders, type Orders, type Placed } from "../orders/orders.ts";
import { adjust, noteIdentifiers } from "../users/users.ts";
import { openPartners, type Partners, type Way } from "./partners.ts";

// What partners earn by the rule (spec O §9), the ledger and the daily series agree exactly.

const seal = createSeal(Buffer.alloc(32, 4));
const percent = BigInt(partnerPercent);
let db: Db;
let orders: Orders;
let partners: Partners;

beforeAll(async () => {
  ({ db } = await createDatabase());
  orders = openOrders(db, { ttlSeconds: 1200 });
  partners = openPartners({ db, publicUrl: "https://shop.example" });
});
afterAll(() => orders.drain());

async function atOneAddress(...userIds: bigint[]) {
  const address = `198.51.100.${Number((userIds[0] ?? 0n) % 250n)}`;
  for (const userId of userIds) await noteIdentifiers(db, seal, userId, { address }, new Date());
}

async function receive(orderIds: readonly bigint[], times = 1) {
  for (let nth = 0; nth < times; nth++) {
    const letterId = await letter(db, []);
    await deliver(
      db,
      orderIds.map((orderId) => ({ letterId, orderId })),
    );
  }
}

const brokenOf = async () =>
  (await audit(db)).filter(
    ({ name, bad }) => bad.length > 0 && !["letters of orders", "recipients"].includes(name),
  );

test("the share that the database gives is the share of the contract", async () => {
  const prices = [1n, 19n, 20n, 33n, 350_000n, 99_999_999n, 123_456_789_012n];
  const [row] = await db<{ shares: string[] }[]>`
    select array_agg(partner_share(price)::text order by price) as shares from unnest(${prices.map(String)}::bigint[]) as price`;
  expect(row?.shares).toEqual(prices.map((price) => String(percentOf(usdFromUnits(price), percent))));
});

interface Wanted {
  readonly by: number;
  readonly soft: number;
  readonly domain: number;
  readonly fate: "received" | "letters" | "canceled" | "pending";
}

const aWanted: fc.Arbitrary<Wanted> = fc.record({
  by: fc.nat(7),
  soft: fc.nat(5),
  domain: fc.nat(4),
  fate: fc.constantFrom("received", "received", "letters", "canceled", "pending"),
});

/** Three partners; buyers referred by one, by none, or partners themselves; some share an address with one. */
async function people() {
  const some = [await buyer(db), await buyer(db), await buyer(db)] as const;
  const of = (referredBy: bigint) => buyer(db, { balance: "1000", referredBy });
  const buyers = [
    await of(some[0]),
    await of(some[0]),
    await of(some[1]),
    await of(some[2]),
    await buyer(db, { balance: "1000" }),
    await buyer(db, { balance: "1000" }),
    await of(some[1]),
    await of(some[2]),
  ];
  const broughtBy = [some[0], some[0], some[1], some[2], undefined, undefined, some[1], some[2]];
  await atOneAddress(buyers[1] ?? 0n, some[0], some[1]);
  await atOneAddress(buyers[6] ?? 0n, some[1]);
  const links = new Set([`${buyers[1]} ${some[0]}`, `${buyers[1]} ${some[1]}`, `${buyers[6]} ${some[1]}`]);
  return { some, buyers, broughtBy, links };
}

type Sums = Record<`${bigint} ${Way}${"" | " held"}`, bigint>;

test("earnings of a thousand random orders are the sum of the rule, of the ledger and of the daily series", async () => {
  const price = fc.bigInt({ min: 1n, max: 5_000_000n });
  const prices = fc.array(price, { minLength: 5, maxLength: 5 });
  const wanted = fc.array(aWanted, { minLength: 1_000, maxLength: 1_000 });
  await fc.assert(
    fc.asyncProperty(prices, wanted, async (each, list) => {
      const { some, buyers, broughtBy, links } = await people();
      const siteId = await site(db);
      const shelves = await Promise.all(each.map((one) => shelf(db, 1_000, showUsd(one))));
      const softOf = (who: number, userId: bigint) => [...some, userId, 999_999_999n, undefined][who];
      const place = async ({ by, soft, domain, fate }: Wanted) => {
        const userId = buyers[by] ?? 0n;
        const softId = softOf(soft, userId);
        const ask = { userId, siteId, domainIds: [shelves[domain]?.domainId ?? 0], softId };
        return { ...((await orders.place(ask)) as Placed), userId, by: broughtBy[by], softId, fate };
      };
      const placed = await Promise.all(list.map(place));
      const idsOf = (fate: Wanted["fate"]) =>
        placed.filter((order) => order.fate === fate).map(({ orderId }) => orderId);
      const halves = [0, 1].map((half) => idsOf("received").filter((_, nth) => nth % 2 === half));
      await Promise.all([
        ...halves.map((ids) => receive(ids)),
        receive(idsOf("letters"), 3),
        ...placed
          .filter(({ fate }) => fate === "canceled")
          .map(({ userId, orderId }) => orders.cancel({ userId, orderId })),
      ]);

      const rule: Sums = {};
      for (const order of placed.filter(({ fate }) => fate === "received" || fate === "letters")) {
        const soft = some.find((partner) => partner === order.softId);
        for (const [way, partner] of [["referrals", order.by] as const, ["soft", soft] as const]) {
          const share = percentOf(order.price, percent);
          if (partner === undefined || partner === order.userId || share === 0n) continue;
          const held = links.has(`${order.userId} ${partner}`) ? " held" : "";
          rule[`${partner} ${way}${held}`] = (rule[`${partner} ${way}${held}`] ?? 0n) + share;
        }
      }
      expect(await byLedger(some)).toEqual(rule);
      expect(await byShown(some)).toEqual(rule);
      expect(await bySeries(some)).toEqual(
        Object.fromEntries(Object.entries(rule).filter(([name]) => !name.endsWith(" held"))),
      );
      expect(await brokenOf()).toEqual([]);
    }),
    { numRuns: 2, endOnFailure: true },
  );
}, 180_000);

async function byLedger(some: readonly bigint[]): Promise<Sums> {
  const rows = await db<{ userId: bigint; book: string; amount: bigint }[]>`
    select a.user_id as "userId", a.book, sum(t.amount)::bigint as amount
    from account a join transfer t on t.credit = a.id where a.user_id = any (${[...some]}) and a.book <> 'balance' group by 1, 2`;
  return Object.fromEntries(
    rows.map(({ userId, book, amount }) => [`${userId} ${book.replace(".", " ")}`, amount]),
  );
}

async function byShown(some: readonly bigint[]): Promise<Sums> {
  const found = await Promise.all(
    some.map(async (userId) => {
      const shown = await partners.shown(userId);
      return (["referrals", "soft"] as const).flatMap((way) => [
        [`${userId} ${way}`, usd(shown[way].earned)],
        [`${userId} ${way} held`, usd(shown[way].held)],
      ]);
    }),
  );
  return Object.fromEntries(found.flat().filter(([, amount]) => amount !== 0n)) as Sums;
}

async function bySeries(some: readonly bigint[]): Promise<Sums> {
  const found = await Promise.all(
    some.flatMap((userId) =>
      (["referrals", "soft"] as const).map(async (way) => {
        const days = await partners.days(userId, way);
        return [`${userId} ${way}`, days.reduce((sum, { credit }) => sum + credit, 0n)] as const;
      }),
    ),
  );
  return Object.fromEntries(found.filter(([, amount]) => amount !== 0n));
}

async function couple() {
  const partnerId = await buyer(db);
  const userId = await buyer(db, { balance: "100", referredBy: partnerId });
  const [siteId, { domainId }] = [await site(db), await shelf(db, 20, "1")];
  const order = async () => {
    const placed = await orders.place({ userId, siteId, domainIds: [domainId], softId: partnerId });
    await receive([(placed as Placed).orderId]);
  };
  const has = async () => {
    const { referrals, soft } = await partners.shown(partnerId);
    return { earned: [referrals.earned, soft.earned], held: [referrals.held, soft.held] };
  };
  return { partnerId, userId, order, has };
}

const decide = (of: { partnerId: bigint; userId: bigint }, state: "released" | "refused") =>
  partners.decide(
    { partnerId: of.partnerId, userId: of.userId, state, reason: "looked", by: "operator" },
    new Date(),
  );

test("earnings by an own account are held, with the reason, until they are released", async () => {
  const pair = await couple();
  const { partnerId, userId, order, has } = pair;
  await order();
  await noteIdentifiers(db, seal, userId, { wallet: "0xabc" }, new Date());
  await noteIdentifiers(db, seal, partnerId, { wallet: "0xabc" }, new Date());
  await noteIdentifiers(db, seal, userId, { telegram: 7n }, new Date());
  await noteIdentifiers(db, seal, partnerId, { telegram: 7n }, new Date());
  await order();
  await order();
  expect(await has()).toEqual({ earned: ["0.05", "0.05"], held: ["0.1", "0.1"] });
  const kept = (await partners.held(1)).rows.find((row) => row.partnerId === partnerId);
  expect(kept).toMatchObject({
    userId,
    reasons: ["telegram", "wallet"],
    referrals: usd("0.1"),
    softCount: 2,
  });
  expect(await brokenOf()).toEqual([]);

  expect(await decide(pair, "released")).toMatchObject({ soft: usd("0.1") });
  expect(await decide(pair, "refused")).toBe("nothing held");
  expect(await has()).toEqual({ earned: ["0.15", "0.15"], held: ["0.0", "0.0"] });
  await order();
  expect(await has()).toEqual({ earned: ["0.2", "0.2"], held: ["0.0", "0.0"] });
  const days = await partners.days(partnerId, "referrals");
  expect(days.reduce((sum, { credit }) => sum + credit, 0n)).toBe(usd("0.2"));
  expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(4);
  expect(await brokenOf()).toEqual([]);
});

test("a program earns by the reorders of its orders", async () => {
  const [program, userId] = [await buyer(db), await buyer(db, { balance: "100" })];
  const [siteId, { domainId }] = [await site(db), await shelf(db, 20, "1")];
  const first = (await orders.place({ userId, siteId, domainIds: [domainId], softId: program })) as Placed;
  await receive([first.orderId]);
  const again = (await orders.reorder({ userId, orderId: first.orderId })) as Placed;
  await receive([again.orderId]);
  expect((await partners.shown(program)).soft).toMatchObject({ earned: "0.1", count: 2 });
});

test("what is refused is the shop's, and so is what comes", async () => {
  const pair = await couple();
  await atOneAddress(pair.userId, pair.partnerId);
  await pair.order();
  expect(await decide(pair, "refused")).toMatchObject({ referrals: usd("0.05"), soft: usd("0.05") });
  await pair.order();
  expect(await pair.has()).toEqual({ earned: ["0.0", "0.0"], held: ["0.0", "0.0"] });
  expect((await partners.held(1)).rows.filter(({ userId }) => userId === pair.userId)).toEqual([]);
  expect(await brokenOf()).toEqual([]);
});

test("an address that is a month old, or of the network around the shop, says nothing", async () => {
  const { partnerId, userId, order, has } = await couple();
  const before = new Date(Date.now() - 31 * 24 * 3_600_000);
  await noteIdentifiers(db, seal, userId, { address: "203.0.113.5" }, before);
  await noteIdentifiers(db, seal, partnerId, { address: "203.0.113.5" }, new Date());
  await noteIdentifiers(db, seal, userId, { address: "10.0.0.1" }, new Date());
  await noteIdentifiers(db, seal, partnerId, { address: "10.0.0.1" }, new Date());
  await order();
  expect((await has()).held).toEqual(["0.0", "0.0"]);
});

test("a blocked partner's earnings are held, after a release too, and an account that never confirmed its e-mail earns so", async () => {
  const pair = await couple();
  const block = (at: Date | null) => db`update users set blocked_at = ${at} where id = ${pair.partnerId}`;
  await block(new Date());
  await pair.order();
  expect(await pair.has()).toEqual({ earned: ["0.0", "0.0"], held: ["0.05", "0.05"] });
  await decide(pair, "released");
  await pair.order();
  expect(await pair.has()).toEqual({ earned: ["0.05", "0.05"], held: ["0.05", "0.05"] });
  await block(null);
  await decide(pair, "released");
  await pair.order();
  expect(await pair.has()).toEqual({ earned: ["0.15", "0.15"], held: ["0.0", "0.0"] });
  const other = await couple();
  await db`update users set activated_at = null where id = ${other.partnerId}`;
  await other.order();
  expect((await other.has()).held).toEqual(["0.05", "0.05"]);
  expect(await brokenOf()).toEqual([]);
});

test("while an operator decides, orders go on; nothing stays where nobody decides any more", async () => {
  const pair = await couple();
  await atOneAddress(pair.userId, pair.partnerId);
  await pair.order();
  await Promise.all([pair.order(), decide(pair, "released"), pair.order(), pair.order()]);
  expect(await pair.has()).toEqual({ earned: ["0.2", "0.2"], held: ["0.0", "0.0"] });
  expect(await brokenOf()).toEqual([]);
});

test("an operator takes earnings back and gives them again, never more than is due, and every sum says the same", async () => {
  const { partnerId, order } = await couple();
  for (let n = 0; n < 2; n++) await order();
  const change = (amount: string) =>
    adjust(db, { userId: partnerId, book: "soft", amount: usd(amount), reason: "a mistake" }, "operator");
  const shown = async () => {
    const { soft } = await partners.shown(partnerId);
    const days = (await partners.days(partnerId, "soft")).reduce((sum, { credit }) => sum + credit, 0n);
    expect(soft.earned).toBe(showUsd(days as Usd));
    return [soft.earned, soft.payed, soft.to_withdraw, soft.count];
  };
  const pay = { userId: partnerId, way: "soft", amount: usd("0.04"), by: "operator" } as const;
  await partners.payOut(pay);
  expect(await change("-0.07")).toBe("more than there is");
  expect(await change("-0.05")).toMatchObject({ balance: usd("0.01") });
  expect(await shown()).toEqual(["0.05", "0.04", "0.01", 2]);
  expect(await change("0.05")).toMatchObject({ balance: usd("0.06") });
  expect(await shown()).toEqual(["0.1", "0.04", "0.06", 2]);
  await adjust(db, { userId: partnerId, book: "investor", amount: usd("1"), reason: "given" }, "operator");
  expect(await brokenOf()).toEqual([]);
});

test("no more is paid out than is due, once for each key, and the journal says so", async () => {
  const { partnerId, order } = await couple();
  for (let n = 0; n < 3; n++) await order();
  const pay = (amount: string, key?: string) =>
    partners.payOut({
      userId: partnerId,
      way: "soft",
      amount: usd(amount),
      note: "by card",
      key,
      by: "operator",
    });
  const left = async () => {
    const { soft } = await partners.shown(partnerId);
    return [soft.earned, soft.payed, soft.to_withdraw, soft.payed_date];
  };
  const someDay: unknown = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
  expect(await left()).toEqual(["0.15", "0.0", "0.15", null]);
  expect(await pay("0.16")).toBe("more than due");
  expect(await pay("0.1", "first")).toEqual({ left: usd("0.05"), moved: "ok" });
  expect(await pay("0.1", "first")).toEqual({ left: usd("0.05"), moved: "repeat" });
  const two = await Promise.all([pay("0.05"), pay("0.05")]);
  expect(two.filter((each) => each === "more than due")).toHaveLength(1);
  expect(await left()).toEqual(["0.15", "0.15", "0.0", someDay]);
  const counted = (await partners.days(partnerId, "soft")).reduce((sum, { count }) => sum + count, 0);
  expect(counted).toBe(3);
  const acts = await db`select did, reason from audit_log where about = ${`user ${partnerId}`}`;
  expect(acts).toHaveLength(2);
  const nobody = { userId: 10n ** 15n, way: "soft", amount: usd("1") as Usd, by: "operator" } as const;
  expect(await partners.payOut(nobody)).toBe("no partner");
});
