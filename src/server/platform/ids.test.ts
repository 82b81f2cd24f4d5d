import { createDatabase } from "../../../test/kit/database.ts";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { idsOf, openIds, passMarks, permuted, plainIds } from "./ids.ts";

const mark = 40_000_123_456;
const marks = new Map([
  [4, mark],
  [9, 89_999_999_999],
]);
const ids = permuted("a key", marks);

test("each id above the mark has one other number of its kind, which leads back to it", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: BigInt(mark) + 1n, max: 49_999_999_999n }), (id) => {
      const told = BigInt(ids.show(id));
      expect(told).toBeGreaterThan(BigInt(mark));
      expect(told).toBeLessThanOrEqual(49_999_999_999n);
      expect(ids.read(told)).toBe(id);
    }),
  );
  const many = Array.from({ length: 20_000 }, (_, nth) => ids.show(BigInt(mark + 1 + nth)));
  expect(new Set(many).size).toBe(many.length);
});

test("ids that were told before stay, and so does what has no eleven digits or no mark", () => {
  for (const id of [
    1n,
    1001n,
    9_999_999_999n,
    40_000_000_001n,
    BigInt(mark),
    50_000_000_007n,
    100_000_000_000n,
  ]) {
    expect(ids.show(id)).toBe(String(id));
    expect(ids.read(id)).toBe(id);
  }
});

test("two ids do not tell how many lie between them", () => {
  const gaps = Array.from({ length: 1_000 }, (_, nth) => {
    const [one, next] = [nth, nth + 1].map((place) => Number(ids.show(BigInt(mark + 1 + place))));
    return Math.abs(Number(next) - Number(one));
  }).toSorted((one, other) => one - other);
  // Of two random places among ten thousand million: a third of all on average, and hardly ever near.
  expect(gaps[10]).toBeGreaterThan(1_000_000);
  expect(gaps[500]).toBeGreaterThan(1_000_000_000);
  expect(permuted("another key", marks).show(BigInt(mark + 1))).not.toBe(ids.show(BigInt(mark + 1)));
});

test("an upgraded shop tells the ids of before as they were, and goes above the mark a day later", async () => {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  expect(idsOf(db)).toBe(plainIds);
  await db`update told_ids set plain_to = 40000100007 where lead = 4`;
  await db`select setval('orders_id_seq', 40000000007)`;
  await openIds(db);
  expect(idsOf(db).show(40_000_000_007n)).toBe("40000000007");
  expect(idsOf(db).show(40_000_100_008n)).not.toBe("40000100008");
  const next = async () => {
    await passMarks(db);
    const [row] = await db<{ last: bigint }[]>`select last_value as last from orders_id_seq`;
    return row?.last;
  };
  expect(await next()).toBe(40_000_000_007n);
  await db`update told_ids set since = since - interval '25 hours'`;
  expect(await next()).toBe(40_000_100_007n);
  await db`select setval('orders_id_seq', 40000200000)`;
  expect(await next()).toBe(40_000_200_000n);
});
