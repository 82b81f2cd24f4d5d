// @module-tag slow
import { paymentGroups } from "../../contract/payments.ts";
import { buyer as addBuyer } from "../../../test/kit/shelf.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import type { FakeChain } from "../../../test/kit/fakeChain.ts";
import { ask, broken, buyer, openTill, see, settle } from "../../../test/kit/till.ts";
import { currencies } from "../../contract/currencies.ts";
import * as journal from "../journal/journal.ts";
import * as clocks from "../platform/clock.ts";
import type { Tx } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { pay } from "./networks/sandbox.ts";
import { openPayments, type Payments } from "./payments.ts";
import { fixedRates, sandboxRates } from "./rates/rates.ts";
import { soon } from "../../../test/kit/soon.ts";

test.each(currencies)(
  "in the sandbox $id can be chosen, is paid by an operator and credited at once",
  async ({ id: currency }) => {
    const { db, sandbox } = await openTill();
    const id = await ask(sandbox, currency, "25");
    const before = await see(sandbox, id);
    expect(before).toMatchObject({ status: 0, state: "awaiting", received: "0", isSandbox: true });
    expect(before.address).toMatch(/^sandbox-/);
    expect(Number(before.missing)).toBe(Number(before.currencyAmount));
    const paid = await sandbox.confirm(id, "operator");
    expect(paid).toMatchObject({ status: 1, state: "credited", missing: "0", credited: usd("25") });
    expect(await ledger.balance(db, buyer)).toBe(usd("25"));
    expect(await broken(sandbox)).toEqual([]);
  },
);

test("a payment has its own address, which no other ever gets", async () => {
  const { sandbox } = await openTill();
  const ids = await Promise.all(Array.from({ length: 30 }, () => ask(sandbox, "trx", "1")));
  const views = await Promise.all(ids.map((id) => see(sandbox, id)));
  expect(new Set(views.map(({ address }) => address)).size).toBe(30);
});

test("an id of a payment does not fit in 32 bits, and only its owner sees it", async () => {
  const { sandbox } = await openTill();
  const id = await ask(sandbox);
  expect(id).toBeGreaterThan(2n ** 32n);
  expect(await sandbox.status({ userId: 8n, id })).toBe("no payment");
  expect(await sandbox.status({ userId: buyer, id: id + 1n })).toBe("no payment");
});

test("twenty who confirm the same payment at once pay it once", async () => {
  const { db, sandbox } = await openTill();
  const id = await ask(sandbox);
  const answers = await Promise.all(Array.from({ length: 20 }, () => sandbox.confirm(id, "user 1")));
  expect(answers.filter((answer) => answer === "payment closed")).toHaveLength(19);
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
  expect(await journal.list(db)).toMatchObject([
    {
      by: "user 1",
      did: "payments confirm",
      about: `payment ${id}`,
      after: { paid: "100", currency: "erc" },
    },
  ]);
});

test("a sandbox payment that is paid in parts names what is missing and is credited when it is whole", async () => {
  const { db, sandbox } = await openTill();
  const id = await ask(sandbox);
  expect(await sandbox.confirm(id, "operator", "60")).toMatchObject({
    status: 0,
    received: "60",
    missing: "40",
  });
  expect(await ledger.balance(db, buyer)).toBe(0n);
  expect(await sandbox.confirm(id, "operator")).toMatchObject({ status: 1, received: "100", missing: "0" });
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
  expect(await sandbox.confirm(id, "operator")).toBe("payment closed");
  expect((await sandbox.history(id)).map(({ what }) => what)).toEqual([
    "created",
    "seen",
    "confirmed",
    "underpaid",
    "seen",
    "confirmed",
    "credited",
  ]);
});

test("who is short may have what came credited as soon as it is final, and the rest still counts at the locked rate", async () => {
  const { db, chain, real } = await openTill();
  const id = await ask(real);
  const ask100 = { userId: buyer, id };
  expect(await real.creditReceived(ask100)).toBe("nothing to credit");
  chain.pay("fake1", 98_500_000n);
  chain.mine();
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "underpaid", creditNow: undefined });
  expect(await real.creditReceived(ask100)).toBe("nothing to credit");
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ state: "underpaid", missing: "1.5", creditNow: usd("98.5") });
  expect(await real.creditReceived({ userId: 8n, id })).toBe("no payment");
  const asked = { status: 0, state: "confirming", missing: "0", creditNow: undefined };
  expect(await real.creditReceived(ask100)).toMatchObject(asked);
  expect(await real.creditReceived(ask100)).toMatchObject(asked);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ status: 1, credited: usd("98.5") });
  expect(await real.creditReceived(ask100)).toMatchObject({ status: 1, credited: usd("98.5") });
  chain.pay("fake1", 1_500_000n);
  await settle(chain, real);
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
  expect((await real.history(id)).filter(({ what }) => what === "credit asked")).toHaveLength(1);
  expect(await broken(real)).toEqual([]);
});

test("a buyer drops a payment and takes it up again; what comes to a dropped one is credited, and it counts as any other", async () => {
  const { db, chain, real, later } = await openTill();
  const id = await ask(real);
  const other = await ask(real);
  const groups = async () =>
    Object.fromEntries(
      await Promise.all(
        paymentGroups.map(async (group) => {
          const { payments, found } = await real.own(buyer, 1, { group });
          expect(payments).toHaveLength(found);
          return [group, payments.map((payment) => payment.id)] as const;
        }),
      ),
    );
  expect(await real.drop({ userId: 8n, id, undo: false })).toBe("no payment");
  for (const undo of [false, false, true, true, false])
    expect(await real.drop({ userId: buyer, id, undo })).toMatchObject({
      state: "awaiting",
      isDropped: !undo,
    });
  expect(await groups()).toEqual({ open: [other], credited: [], ended: [id] });
  expect((await real.history(id)).map(({ what }) => what)).toEqual([
    "created",
    "dropped",
    "taken up again",
    "dropped",
  ]);
  chain.pay("fake1", 60_000_000n);
  chain.mine();
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "underpaid", isDropped: false });
  expect(await real.drop({ userId: buyer, id, undo: false })).toBe("payment closed");
  expect(await groups()).toEqual({ open: [other, id], credited: [], ended: [] });
  chain.pay("fake1", 40_000_000n);
  await settle(chain, real);
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
  expect(await groups()).toEqual({ open: [other], credited: [id], ended: [] });
  later(7 * 24 * 60 * 60);
  expect(await real.drop({ userId: buyer, id: other, undo: false })).toBe("payment closed");
  expect(await broken(real)).toEqual([]);
});

test("what the chain took back is not credited, though the buyer asked for it", async () => {
  const { db, chain, real, later } = await openTill();
  const id = await ask(real);
  const txid = chain.pay("fake1", 60_000_000n);
  await settle(chain, real);
  expect(await real.creditReceived({ userId: buyer, id })).toMatchObject({ state: "confirming" });
  chain.lies.set(txid, "gone");
  later(1);
  await real.poll();
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "awaiting", credited: 0n });
  expect(await ledger.balance(db, buyer)).toBe(0n);
});

test("less than was asked is credited with the payment's end, and not a quarter of an hour later", async () => {
  const { chain, real, later } = await openTill();
  const id = await ask(real);
  chain.pay("fake1", 60_000_000n);
  await settle(chain, real);
  later(3 * 60 * 60);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ status: 1, credited: usd("60") });
});

test("an unpaid payment is rejected when its hour is over, and can no longer be paid in the sandbox", async () => {
  const { sandbox, later } = await openTill();
  const id = await ask(sandbox);
  later(3599);
  await sandbox.poll();
  expect(await see(sandbox, id)).toMatchObject({ status: 0 });
  later(1);
  expect(await sandbox.confirm(id, "operator")).toBe("payment closed");
  await sandbox.poll();
  expect(await see(sandbox, id)).toMatchObject({ status: -1, state: "expired" });
  expect(await sandbox.confirm(id, "operator")).toBe("payment closed");
});

test("a process that dies between the payer's transfer and the credit has lost nothing: the next look credits it", async () => {
  const { db, sandbox, clock } = await openTill();
  const id = await ask(sandbox);
  const { address } = await see(sandbox, id);
  await db.begin((tx) =>
    pay(tx as Tx, { address, currency: "erc", amount: 100_000_000n, at: clock(), by: "operator" }),
  );
  expect(await see(sandbox, id)).toMatchObject({ status: 0 });
  await sandbox.poll();
  expect(await see(sandbox, id)).toMatchObject({ status: 1, credited: usd("100") });
});

test("the setting replaces the life of a payment", async () => {
  const { sandbox, real, clock } = await openTill({ ttlSeconds: 5 });
  for (const payments of [sandbox, real])
    expect((await see(payments, await ask(payments))).expiresAt).toEqual(clocks.secondsAfter(clock(), 5));
});

test("the loops look by themselves", async () => {
  const { db, sandbox, later } = await openTill();
  const id = await ask(sandbox);
  later(3600);
  const loops = sandbox.watch();
  onTestFinished(() => loops.stop());
  await vi.waitFor(async () => expect(await see(sandbox, id)).toMatchObject({ status: -1 }), soon);
  await db`select 1`;
});

test("the audit finds money that no chain showed, and a transfer that was not credited as it says", async () => {
  const { db, sandbox } = await openTill();
  const id = await ask(sandbox);
  await sandbox.confirm(id, "operator");
  await ledger.credit(db, {
    userId: buyer,
    amount: usd("5"),
    gateway: "sandbox",
    idempotencyKey: "sandbox:99:0",
  });
  await db`update chain_transfer set usd = usd + 1`;
  expect(await broken(sandbox)).toMatchObject([
    { name: "credited", bad: [String(id)] },
    { name: "credited once", bad: ["sandbox:1:0"] },
    { name: "top-ups", bad: ["sandbox:1:0", "sandbox:99:0"] },
  ]);
});

test("a currency without a chain or without a rate is not on sale", async () => {
  const { real } = await openTill({ rates: fixedRates({ eth: "3000" }) });
  const whyNot = async (payments: Payments) =>
    Object.fromEntries((await payments.currencies()).map(({ currency, why }) => [currency.id, why]));
  expect(await whyNot(real)).toMatchObject({ erc: "no rate", eth: "wallet", ltc: "wallet" });
  expect(await real.create({ userId: buyer, currency: "erc", usd: usd("5") })).toBe("no rate");
  expect(await real.create({ userId: buyer, currency: "ltc", usd: usd("5") })).toBe("wallet");
  expect(await real.create({ userId: buyer, currency: "doge", usd: usd("5") })).toBe("wallet");
  const { sandbox } = await openTill();
  expect(Object.values(await whyNot(sandbox))).toEqual(currencies.map(() => undefined));
});

test("on a real chain nobody plays the payer", async () => {
  const { real } = await openTill();
  expect(await real.confirm(await ask(real), "operator")).toBe("not sandbox");
});

test("one user cannot use up the addresses", async () => {
  const { sandbox } = await openTill();
  for (let asked = 0; asked < 50; asked++) await ask(sandbox, "trx", "1");
  expect(await sandbox.create({ userId: buyer, currency: "trx", usd: usd("1") })).toBe("limit");
  expect(await sandbox.create({ userId: 8n, currency: "trx", usd: usd("1") })).not.toBe("limit");
});

test("an account that never paid has five places on a chain, however many payments it asks for at once", async () => {
  const { real, db } = await openTill();
  const many = await Promise.all(
    Array.from({ length: 40 }, () => real.create({ userId: buyer, currency: "erc", usd: usd("5") })),
  );
  expect(many.filter((created) => typeof created !== "string")).toHaveLength(5);
  expect(many.filter((created) => created === "limit")).toHaveLength(35);
  const [counter] = await db<
    { next: bigint }[]
  >`select next_index as next from address_counter where family = 'fake ethereum'`;
  expect(counter?.next).toBe(6n);
  expect(await db`select from payment_place`).toEqual([]);
});

test("a payment and its place are never counted both: five asked for at once are all made", async () => {
  const till = await openTill();
  const { chain, db } = till;
  const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holdPlace = () =>
    db.begin(async (tx) => {
      await tx`select from payment_place for update`;
      isHeld.resolve();
      await release.promise;
    });
  const address: FakeChain["address"] = async (currency, index, dollars) => {
    // Also asked without dollars, by the search for used addresses.
    if (dollars !== undefined) await Promise.race([holdPlace(), isHeld.promise]);
    return chain.address(currency, index, dollars);
  };
  const first = openPayments({
    db,
    networks: [{ ...chain, address }],
    rates: sandboxRates(),
    log: createLog("silent"),
    clock: till.clock,
  });
  const slow = ask(first);
  await isHeld.promise;
  for (let nth = 0; nth < 4; nth++) await ask(till.real);
  release.resolve();
  await slow;
  await expect(ask(till.real)).rejects.toThrow("limit");
});

test("when hundreds of addresses in a row are unpaid, only who paid before gets one", async () => {
  const { real, db, chain } = await openTill();
  const regular = await addBuyer(db);
  await ask(real, "erc", "100", regular);
  const [asked] = await db<{ due: string }[]>`select due::text from payment`;
  chain.pay("fake1", BigInt(asked?.due ?? 0));
  await settle(chain, real);
  await db`insert into payment (user_id, currency, chain, usd, due, rate, rate_source, family, address_index, address, canonical, created_at, expires_at)
    select n, currency, chain, usd, due, rate, rate_source, family, n, 'a' || n, 'a' || n, created_at, expires_at
    from payment, generate_series(2, 901) n`;
  await db`update address_counter set next_index = 902 where family = 'fake ethereum'`;
  expect(await real.create({ userId: 5000n, currency: "erc", usd: usd("5") })).toBe("limit");
  expect(await real.create({ userId: regular, currency: "erc", usd: usd("5") })).toHaveProperty("id");
});
