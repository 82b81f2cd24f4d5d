import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, shelf, site } from "../../../test/kit/shelf.ts";
import * as inventory from "../inventory/inventory.ts";
import { complain, deliver, openOrders, type Placed } from "../orders/orders.ts";

test("held shares and complaints are listed and decided, each once", async () => {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const say = (...words: string[]) => sayTo(db, words, {});
  const orders = openOrders(db, { ttlSeconds: 1200 });
  const [investorId, userId, siteId] = [await buyer(db), await buyer(db, { balance: "100" }), await site(db)];
  await db`update site set name = 'held.example' where id = ${siteId}`;
  await db`update users set email = case id when ${investorId} then 'ivy@example.com' else 'ann@example.com' end`;
  const { domainId } = await shelf(db, 0, "1");
  const batchId = await inventory.addBatch(db, { title: "theirs", investorId, sharePpm: 300_000 });
  await inventory.addMailboxes(db, batchId, domainId, ["a", "b", "c", "d", "e", "f"]);
  expect((await say("shares", "list")).out).toBe("Nothing is held.\n");
  let last = 0n;
  for (let nth = 0; nth < 5; nth++) {
    const { orderId } = (await orders.place({ userId, siteId, domainIds: [domainId] })) as Placed;
    await deliver(db, [{ orderId, letterId: await letter(db, []) }]);
    if (nth > 0) await complain(db, { userId, orderId }, new Date());
    last = orderId;
  }
  const batch = String(batchId);
  expect((await say("shares", "list")).out.split("\n")[1]).toMatch(
    new RegExp(
      `^ *${batch} +held\\.example +ivy@example\\.com +0\\.6 +2 +1 +1 +2 +0 .* UTC +0 of 5 +0 of 0 +4$`,
    ),
  );
  expect((await say("complaints", "list")).out.split("\n")[1]).toMatch(
    new RegExp(`^${last} +.* UTC +review +ann@example\\.com +${batch} +held\\.example +1\\.0 +4 +4$`),
  );
  expect((await say("shares", "limit")).out).toContain("at most 95 %");
  expect((await say("shares", "limit", "80")).out).toContain("at most 80 % of it; until now 95 %");
  expect(await say("shares", "limit", "101")).toMatchObject({ status: 1 });
  expect(await say("complaints", "refund", String(last), "--reason", "true")).toMatchObject({
    out: "The buyer has 1.0 dollars back.\n",
  });
  expect(await say("complaints", "refuse", String(last))).toMatchObject({
    status: 1,
    err: `#${last}: No complaint about this order is under review.\n`,
  });
  expect(await say("shares", "release", batch, "other.example")).toMatchObject({ status: 1 });
  expect(await say("shares", "release", batch, "held.example")).toMatchObject({
    out: "0.3 dollars of 1 orders belong to the investor now.\n",
  });
  expect(await say("shares", "refuse", batch, "held.example")).toMatchObject({
    status: 1,
    err: `#${batch}: Nothing is held of this, or it was processed before.\n`,
  });
});
