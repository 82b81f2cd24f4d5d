import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer } from "../../../test/kit/shelf.ts";
import { usd, type Usd } from "../platform/money.ts";
import * as ledger from "./ledger.ts";

const { db, drop } = await createDatabase();
afterAll(drop);

let keys = 0;
const key = () => `key ${(keys += 1)}`;

test("a payment that is seen twice, or by many at once, is credited once", async () => {
  const userId = await buyer(db);
  const top = { userId, amount: usd("5"), gateway: "sandbox" as const, idempotencyKey: key() };
  const answers = await Promise.all(Array.from({ length: 8 }, () => ledger.credit(db, top)));
  expect(answers.filter((answer) => answer === "ok")).toHaveLength(1);
  expect(await ledger.balance(db, userId)).toBe(usd("5"));
});

test("an operator can change a balance with a reason, never below zero, once for each key", async () => {
  const userId = await buyer(db, { balance: "1" });
  const change = { userId, amount: usd("-0.4"), reason: "a mistake of ours", idempotencyKey: key() };
  expect(await ledger.adjust(db, change)).toBe("ok");
  expect(await ledger.adjust(db, change)).toBe("repeat");
  expect(await ledger.adjust(db, { ...change, amount: usd("-0.7"), idempotencyKey: key() })).toBe(
    "no balance",
  );
  expect(await ledger.adjust(db, { ...change, amount: usd("0.1"), idempotencyKey: key() })).toBe("ok");
  expect(await ledger.balance(db, userId)).toBe(usd("0.7"));
});

test("what was refused can be done later under the same key", async () => {
  const userId = await buyer(db);
  const payout = { userId, book: "balance" as const, amount: usd("1"), idempotencyKey: key() };
  expect(await ledger.payOut(db, payout)).toBe("no balance");
  await ledger.give(db, { userId, amount: usd("2"), reason: "welcome", idempotencyKey: key() });
  expect(await ledger.payOut(db, payout)).toBe("ok");
  expect(await ledger.balance(db, userId)).toBe(usd("1"));
});

test("a refused movement leaves the transaction around it usable", async () => {
  const userId = await buyer(db);
  const kept = await db.begin(async (tx) => {
    const payout = { userId, book: "soft" as const, amount: usd("1"), idempotencyKey: key() };
    expect(await ledger.payOut(tx, payout)).toBe("no balance");
    await ledger.credit(tx, { userId, amount: usd("3"), gateway: "ton", idempotencyKey: key() });
    return "kept";
  });
  expect(kept).toBe("kept");
  expect(await ledger.balance(db, userId)).toBe(usd("3"));
});

test("nothing moves without an amount above zero and a key", async () => {
  const userId = await buyer(db);
  const top = { userId, gateway: "sandbox" as const };
  await expect(ledger.credit(db, { ...top, amount: usd("0"), idempotencyKey: key() })).rejects.toThrow();
  await expect(ledger.credit(db, { ...top, amount: usd("-1"), idempotencyKey: key() })).rejects.toThrow();
  await expect(ledger.credit(db, { ...top, amount: usd("1"), idempotencyKey: "" })).rejects.toThrow();
});

test("whatever is moved, at the same time, balances are sums of statements and all accounts sum to zero", async () => {
  const move = fc.record({
    does: fc.constantFrom("credit", "adjust", "payOut"),
    who: fc.nat(2),
    amount: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    isUp: fc.boolean(),
    // Few keys, so that some repeat.
    key: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 40 }), async (moves) => {
      const users = [await buyer(db), await buyer(db), await buyer(db)];
      await Promise.all(
        moves.map(({ does, who, amount, isUp, key: number }) => {
          const userId = users[who]!;
          const idempotencyKey = `${users[0]} ${number}`;
          if (does === "credit")
            return ledger.credit(db, { userId, amount: amount as Usd, gateway: "tron", idempotencyKey });
          if (does === "payOut")
            return ledger.payOut(db, { userId, amount: amount as Usd, book: "balance", idempotencyKey });
          const change = (isUp ? amount : -amount) as Usd;
          return ledger.adjust(db, { userId, amount: change, reason: "test", idempotencyKey });
        }),
      );
      for (const userId of users) {
        const { lines } = await ledger.statement(db, userId, { size: 1000 });
        const sum = lines.reduce<bigint>((total, line) => total + line.amount, 0n);
        expect(await ledger.balance(db, userId)).toBe(sum);
        expect(sum).toBeGreaterThanOrEqual(0n);
      }
      const [whole] = await db<{ sum: bigint }[]>`
        select ((select sum(balance) from account)
                + (select coalesce(sum(credit - debit), 0) from account_day where account_id < 1000))::bigint as sum`;
      expect(whole?.sum).toBe(0n);
    }),
    { numRuns: 30 },
  );
});
