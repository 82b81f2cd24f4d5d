import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../../test/kit/shelf.ts";
import * as inventory from "../../inventory/inventory.ts";
import { selectEvents } from "../../events/events.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { usd } from "../../platform/money.ts";
import { createSeal } from "../../platform/seal.ts";
import * as ledger from "../../ledger/ledger.ts";
import { noteIdentifiers } from "../../users/users.ts";
import {
  audit,
  complain,
  countProof,
  decideComplaint,
  decideShares,
  deliver,
  isUsual,
  openOrders,
  releaseProved,
  settleShares,
  type Placed,
} from "../orders.ts";

const seal = createSeal(Buffer.alloc(32, 4));
const { db } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(() => orders.drain());

const now = new Date();
const threeDays = secondsAfter(now, 3 * 24 * 3600 + 60);

async function trade({ investor = true, partner }: { investor?: boolean; partner?: bigint } = {}) {
  const investorId = await buyer(db);
  const userId = await buyer(db, { balance: "1000", ...(partner && { referredBy: partner }) });
  const { domainId, domain } = await shelf(db, 0, "1");
  const batchId = await inventory.addBatch(db, {
    title: "test",
    sharePpm: 300_000,
    ...(investor && { investorId }),
  });
  const parts = Array.from({ length: 90 }, (_, nth) => `box${nth}`);
  await inventory.addMailboxes(db, batchId, domainId, parts);
  const siteId = await site(db);
  const [named] = await db<{ name: string }[]>`select name from site where id = ${siteId}`;
  return { investorId, userId, domainId, domain, batchId, siteId, site: named?.name ?? "" };
}
type Trade = Awaited<ReturnType<typeof trade>>;

const place = async ({ userId, siteId, domainId }: Trade) =>
  ((await orders.place({ userId, siteId, domainIds: [domainId] })) as Placed).orderId;

/** As authentication saves it: signed by the site, to this mailbox, now. */
const sign = (letterId: bigint, domain: string, datedAt = new Date()) =>
  db`update letter set dkim_addressed = array[${domain}], dated_at = ${datedAt}, authenticated_at = now() where id = ${letterId}`;

async function receive(of: Trade, signer?: string) {
  const orderId = await place(of);
  const letterId = await letter(db, [await mailboxOf(db, orderId)]);
  if (signer !== undefined) await sign(letterId, signer);
  await deliver(db, [{ orderId, letterId }]);
  return { orderId, letterId };
}

const has = async ({ investorId }: Trade) => {
  const { balance, earned, held, count } = await ledger.earnings(db, investorId, "investor");
  return { due: balance, earned, held, count };
};
const none = { due: 0n, earned: 0n, held: 0n, count: 0 };
const heldOne = { ...none, held: usd("0.3") };
const earnedOne = { due: usd("0.3"), earned: usd("0.3"), held: 0n, count: 1 };
const balanceOf = ({ userId }: Trade) => ledger.balance(db, userId);
const brokenOf = async () => (await audit(db)).filter(({ bad }) => bad.length > 0);
const by = { by: "operator", reason: "looked", at: now };

test("a letter that nothing proves pays an investor nothing that could be paid out", async () => {
  const of = await trade();
  await receive(of);
  expect(await ledger.balance(db, of.investorId, "investor")).toBe(0n);
  expect(await has(of)).toEqual(heldOne);
  const paid = await ledger.payOut(db, {
    userId: of.investorId,
    book: "investor",
    amount: usd("0.3"),
    idempotencyKey: `pay ${of.investorId}`,
  });
  expect(paid).toBe("no balance");
  const [earning] =
    await db`select sum(amount)::text as amount, sum(held)::text as held from batch_earning where batch_id = ${of.batchId}`;
  expect(earning).toEqual({ amount: "0", held: String(usd("0.3")) });
  expect(await brokenOf()).toEqual([]);
});

test("a letter that its site signed is paid for: known before, or found out later", async () => {
  const of = await trade();
  await receive(of, of.site);
  expect(await has(of)).toEqual(earnedOne);
  const later = await receive(of);
  expect((await has(of)).held).toBe(usd("0.3"));
  await sign(later.letterId, of.site);
  await Promise.all([releaseProved(db, later.letterId), releaseProved(db, later.letterId)]);
  expect(await has(of)).toEqual({ due: usd("0.6"), earned: usd("0.6"), held: 0n, count: 2 });
  const days = await ledger.earnedByDay(db, of.investorId, "investor", now);
  expect(days).toMatchObject([{ credit: usd("0.6"), count: 2 }]);
  expect(await brokenOf()).toEqual([]);
});

test("a signature of another domain, or a letter older than the order, proves nothing", async () => {
  const of = await trade();
  await receive(of, "evil.example");
  const old = await receive(of);
  await sign(old.letterId, of.site, secondsAfter(new Date(), -3600));
  await releaseProved(db, old.letterId);
  expect(await has(of)).toEqual({ ...none, held: usd("0.6") });
  await db`insert into site_sender (site_id, domain) values (${of.siteId}, 'mailer.example')`;
  await receive(of, "mailer.example");
  expect(await has(of)).toEqual({ ...earnedOne, held: usd("0.6") });
});

test("mailboxes of the shop's own hold nothing", async () => {
  const of = await trade({ investor: false });
  const { orderId } = await receive(of);
  expect(await complain(db, { userId: of.userId, orderId }, now)).toBe("not complainable");
  expect(await db`select from investor_share where order_id = ${orderId}`).toHaveLength(0);
});

test("a batch that is proved as often as the shop's own mailboxes is released after three days, and not before", async () => {
  const of = await trade();
  const own = { ...(await trade({ investor: false })), siteId: of.siteId, site: of.site };
  for (let nth = 0; nth < 50; nth++) {
    const { letterId } = await receive(own, nth < 45 ? own.site : undefined);
    await db.begin(async (tx) => void (await countProof(tx as never, letterId)));
  }
  for (let nth = 0; nth < 20; nth++) await receive(of, nth < 18 ? of.site : undefined);
  await settleShares(db, now);
  expect((await has(of)).held).toBe(usd("0.6"));
  await Promise.all([settleShares(db, threeDays), settleShares(db, threeDays)]);
  expect(await has(of)).toEqual({ due: usd("6"), earned: usd("6"), held: 0n, count: 20 });
  expect(await brokenOf()).toEqual([]);
});

test("a batch that is proved seldom, or of which too little is known, waits for the operator", async () => {
  const of = await trade();
  for (let nth = 0; nth < 3; nth++) await receive(of);
  await settleShares(db, threeDays);
  expect((await has(of)).held).toBe(usd("0.9"));
  await settleShares(db, secondsAfter(threeDays, 90 * 24 * 3600));
  expect((await has(of)).held).toBe(usd("0.9"));
  expect(await decideShares(db, { ...by, batchId: of.batchId, site: of.site, state: "released" })).toEqual({
    count: 3,
    amount: usd("0.9"),
    complaints: 0,
  });
  expect(await decideShares(db, { ...by, batchId: of.batchId, site: of.site, state: "released" })).toBe(
    "nothing held",
  );
  expect(await has(of)).toEqual({ due: usd("0.9"), earned: usd("0.9"), held: 0n, count: 3 });
  await receive(of);
  expect((await has(of)).held).toBe(usd("0.3"));
  const journal = await db`select did, reason from audit_log where about = ${`batch ${of.batchId}`}`;
  expect(journal).toEqual([{ did: "shares release", reason: "looked" }]);
  expect(await brokenOf()).toEqual([]);
});

test("what is refused is the shop's, and what comes without a proof after its three days too, until the operator releases", async () => {
  const of = await trade();
  const decide = (state: "released" | "refused") =>
    decideShares(db, { ...by, batchId: of.batchId, site: of.site, state });
  await receive(of);
  expect(await decide("refused")).toMatchObject({ count: 1 });
  expect(await has(of)).toEqual(none);
  await receive(of);
  await receive(of, of.site);
  expect(await has(of)).toEqual({ ...earnedOne, held: usd("0.3") });
  await settleShares(db, threeDays);
  expect(await has(of)).toEqual(earnedOne);
  expect(await decide("released")).toMatchObject({ count: 0 });
  await receive(of);
  await settleShares(db, threeDays);
  expect((await has(of)).held).toBe(usd("0.3"));
  expect(await brokenOf()).toEqual([]);
});

test("a comparison says nothing where little is known, where the site seldom signs, and where buyers complain", () => {
  const own = { letters: 50, proved: 50 };
  const batch = { letters: 20, proved: 20, complaints: 1 };
  expect(isUsual(own, batch)).toBe(true);
  expect(isUsual({ letters: 49, proved: 49 }, batch)).toBe(false);
  expect(isUsual({ letters: 50, proved: 24 }, batch)).toBe(false);
  expect(isUsual(own, { ...batch, letters: 19, proved: 19, complaints: 0 })).toBe(false);
  expect(isUsual(own, { ...batch, proved: 19 })).toBe(false);
  expect(isUsual(own, { ...batch, complaints: 2 })).toBe(false);
  expect(isUsual({ letters: 100, proved: 50 }, { letters: 40, proved: 20, complaints: 0 })).toBe(true);
});

test("a buyer whose letter was not from the site gets the whole price back, once, and the investor nothing", async () => {
  const partner = await buyer(db);
  const of = await trade({ partner });
  const before = await balanceOf(of);
  const { orderId } = await receive(of);
  expect((await ledger.earnings(db, partner, "referrals")).held).toBe(usd("0.05"));
  const order = { userId: of.userId, orderId };
  const revision = await orders.revision(of.userId);
  const twice = await Promise.all([complain(db, order, now), complain(db, order, now)]);
  expect(twice).toContainEqual({ outcome: "refunded", balance: before });
  expect(twice).toContain("already complained");
  expect(await orders.revision(of.userId)).toBeGreaterThan(revision);
  expect(await has(of)).toEqual(none);
  expect(await balanceOf(of)).toBe(before);
  // The shop has lost nothing by the order, and nobody else has gained by it.
  expect(await ledger.earnings(db, partner, "referrals")).toMatchObject({ earned: 0n, held: 0n });
  expect(await db`select from transfer where order_id = ${orderId} and kind = 'forfeit'`).toHaveLength(1);
  expect((await revenueOf(orderId, partner)) - usd("1")).toBe(0n);
  await settleShares(db, threeDays);
  expect(await decideShares(db, { ...by, batchId: of.batchId, site: of.site, state: "released" })).toBe(
    "nothing held",
  );
  expect(await brokenOf()).toEqual([]);
});

/** What an order brought the shop in all, before a refund. */
async function revenueOf(orderId: bigint, partner: bigint): Promise<bigint> {
  const [row] = await db<{ sum: bigint }[]>`
    select sum(t.amount)::bigint as sum from transfer t left join account a on a.id = t.debit
    where t.credit = 2 and (t.order_id = ${orderId} or a.user_id = ${partner} and a.book = 'referrals.held')`;
  return row?.sum ?? 0n;
}

test.each(["released", "refused"] as const)(
  "what a partner earns by an order waits for the investor's share of it, and is his when that is %s",
  async (state) => {
    const partner = await buyer(db);
    const of = await trade({ partner });
    await receive(of);
    expect(await ledger.earnings(db, partner, "referrals")).toMatchObject({ earned: 0n, held: usd("0.05") });
    await decideShares(db, { ...by, batchId: of.batchId, site: of.site, state });
    const earned = { earned: usd("0.05"), held: 0n, count: 1 };
    expect(await ledger.earnings(db, partner, "referrals")).toMatchObject(earned);
    expect(await brokenOf()).toEqual([]);
  },
);

test("what waited for an investor's share stays held of a partner who seems to be the buyer, until the operator decides", async () => {
  const partner = await buyer(db);
  const of = await trade({ partner });
  await receive(of);
  for (const userId of [partner, of.userId])
    await noteIdentifiers(db, seal, userId, { wallet: `0x${partner}` }, now);
  await receive(of);
  await decideShares(db, { ...by, batchId: of.batchId, site: of.site, state: "released" });
  expect(await ledger.earnings(db, partner, "referrals")).toMatchObject({ earned: 0n, held: usd("0.1") });
  const [tie] =
    await db`select reasons, referrals_count as count from partner_tie where partner_id = ${partner}`;
  expect(tie).toEqual({ reasons: ["wallet"], count: 2 });
  expect(await brokenOf()).toEqual([]);
});

test("an investor who seems to be the buyer is paid by no proof and no comparison: the operator decides", async () => {
  const of = await trade();
  for (const userId of [of.investorId, of.userId])
    await noteIdentifiers(db, seal, userId, { address: "203.0.113.9" }, new Date());
  await receive(of, of.site);
  const { letterId } = await receive(of);
  await sign(letterId, of.site);
  await releaseProved(db, letterId);
  await settleShares(db, threeDays);
  expect(await has(of)).toEqual({ ...none, held: usd("0.6") });
  await decideShares(db, { ...by, batchId: of.batchId, site: of.site, state: "released" });
  expect((await has(of)).earned).toBe(usd("0.6"));
  expect(await brokenOf()).toEqual([]);
});

test("the shop keeps its part of a price, however large the shares are", async () => {
  const partner = await buyer(db);
  const of = await trade({ partner });
  await db`update batch set share_ppm = 900000 where id = ${of.batchId}`;
  const placed = await orders.place({ ...of, domainIds: [of.domainId], softId: await buyer(db) });
  const { orderId } = placed as Placed;
  const letterId = await letter(db, [await mailboxOf(db, orderId)]);
  await deliver(db, [{ orderId, letterId }]);
  const [kept] = await db`select amount from transfer where order_id = ${orderId} and kind = 'capture'`;
  expect(kept).toEqual({ amount: usd("0.05") });
  expect((await has(of)).held).toBe(usd("0.85"));
  expect(await brokenOf()).toEqual([]);
});

test("nobody complains about a letter that is proved, not checked yet, not there, paid, or somebody else's", async () => {
  const of = await trade();
  const say = (orderId: bigint, userId = of.userId) => complain(db, { userId, orderId }, now);
  const proved = await receive(of, of.site);
  expect(await say(proved.orderId)).toBe("letter proved");
  const late = await receive(of);
  await db`update letter set authentication_due_at = now() where id = ${late.letterId}`;
  expect(await say(late.orderId)).toBe("letter not checked");
  await db`update letter set authentication_due_at = null where id = ${late.letterId}`;
  await sign(late.letterId, of.site);
  expect(await say(late.orderId)).toBe("letter proved");
  const waiting = await place(of);
  expect(await say(waiting)).toBe("wait message");
  await orders.cancel({ userId: of.userId, orderId: waiting });
  expect(await say(waiting)).toBe("activation canceled");
  const paid = await receive(of);
  expect(await say(paid.orderId, of.investorId)).toBe("no activation");
  await decideShares(db, { ...by, batchId: of.batchId, site: of.site, state: "released" });
  expect(await say(paid.orderId)).toBe("not complainable");
});

test("a complaint ends three days after the letter, also while the share waits for the operator", async () => {
  const of = await trade();
  const { orderId } = await receive(of);
  await settleShares(db, threeDays);
  expect(await complain(db, { userId: of.userId, orderId }, threeDays)).toBe("not complainable");
  expect((await has(of)).held).toBe(usd("0.3"));
  expect(await brokenOf()).toEqual([]);
});

test("a buyer who complains about more than three and a tenth waits for the operator, who refunds or rejects", async () => {
  const of = await trade();
  const before = await balanceOf(of);
  const received: bigint[] = [];
  for (let nth = 0; nth < 6; nth++) received.push((await receive(of)).orderId);
  const said = [];
  for (const orderId of received) {
    const found = await complain(db, { userId: of.userId, orderId }, now);
    said.push(typeof found === "string" ? found : found.outcome);
  }
  expect(said).toEqual(["refunded", "refunded", "refunded", "under review", "under review", "under review"]);
  expect((await has(of)).held).toBe(usd("0.9"));
  await settleShares(db, threeDays);
  expect((await has(of)).held).toBe(usd("0.9"));
  const [, , , one = 0n, other = 0n, third = 0n] = received;
  expect(await decideComplaint(db, { ...by, orderId: one, state: "refunded" })).toMatchObject({
    price: usd("1"),
  });
  expect(await decideComplaint(db, { ...by, orderId: one, state: "refunded" })).toBe("no complaint");
  expect(await decideComplaint(db, { ...by, orderId: other, state: "rejected" })).toMatchObject({
    buyerId: of.userId,
  });
  expect(await complain(db, { userId: of.userId, orderId: other }, now)).toBe("already complained");
  expect(await balanceOf(of)).toBe(before - usd("2"));
  expect(await brokenOf()).toEqual([]);
  // Refusing the batch agrees with the buyer; rejected ones go with the rest.
  await decideShares(db, { ...by, batchId: of.batchId, site: of.site, state: "refused" });
  expect(await balanceOf(of)).toBe(before - usd("1"));
  expect(await has(of)).toEqual(none);
  const states =
    await db`select state, complaint from investor_share where order_id in (${other}, ${third}) order by order_id`;
  expect(states).toEqual([
    { state: "refused", complaint: "rejected" },
    { state: "refunded", complaint: "refunded" },
  ]);
  expect(await brokenOf()).toEqual([]);
});

test("a price that a complaint brings back is told once: at once for the complaint, later as the operator's act", async () => {
  const of = await trade();
  await db`select watch(${[of.userId]}::bigint[], 'infinity')`;
  const received: bigint[] = [];
  for (let nth = 0; nth < 6; nth++) received.push((await receive(of)).orderId);
  for (const orderId of received)
    await Promise.all([1, 2].map(() => complain(db, { userId: of.userId, orderId }, now)));
  const [one, two, three, four = 0n, five = 0n, six = 0n] = received;
  await decideComplaint(db, { ...by, orderId: four, state: "refunded" });
  await decideComplaint(db, { ...by, orderId: five, state: "rejected" });
  await decideShares(db, { ...by, batchId: of.batchId, site: of.site, state: "refused" });
  const rows = await selectEvents(db, [{ userId: of.userId, after: 0n }], 1000);
  const refunds = rows.filter(({ name }) => name === "refund");
  expect(refunds.map(({ orderId, status }) => [orderId, status])).toEqual([
    [one, "not from site"],
    [two, "not from site"],
    [three, "not from site"],
    [four, "operator"],
    [six, "operator"],
  ]);
});

test("a complaint, a release and a proof at once end a share once", async () => {
  const of = await trade();
  const before = await balanceOf(of);
  for (let nth = 0; nth < 12; nth++) {
    const { orderId, letterId } = await receive(of);
    await Promise.all([
      complain(db, { userId: of.userId, orderId }, now),
      decideShares(db, {
        ...by,
        batchId: of.batchId,
        site: of.site,
        state: nth % 2 ? "released" : "refused",
      }),
      sign(letterId, of.site).then(() => releaseProved(db, letterId)),
      settleShares(db, threeDays),
    ]);
  }
  expect((await has(of)).held).toBe(0n);
  expect(await balanceOf(of)).toBeLessThanOrEqual(before);
  expect(await brokenOf()).toEqual([]);
});
