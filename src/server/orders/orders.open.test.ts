import { afterAll, afterEach, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import * as inventory from "../inventory/inventory.ts";
import { audit } from "./orders.audit.ts";
import { deliver, openOrders, type Placed } from "./orders.ts";

const { db, drop } = await createDatabase({ max: 8 });
const orders = openOrders(db, { ttlSeconds: 1200, openMax: 50, concurrency: 4 });
afterAll(drop);

afterEach(async () => {
  const broken = (await audit(db)).filter(({ bad }) => bad.length > 0);
  if (broken.length > 0) throw new Error(`the audit found ${JSON.stringify(broken)}`);
});

const tooMany = { refusal: "too many open" };

async function market() {
  const userId = await buyer(db, { balance: "10" });
  const { domainId } = await shelf(db, 500, "0.01");
  return { userId, siteId: await site(db), domainIds: [domainId] };
}
type Market = Awaited<ReturnType<typeof market>>;

async function placed(ask: Market, count: number): Promise<Placed[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => orders.place(ask)));
  return answers.filter((answer) => "orderId" in answer);
}

async function receive({ orderId }: Placed) {
  await deliver(db, [{ letterId: await letter(db, [await mailboxOf(db, orderId)]), orderId }]);
}

/** As if what was counted, and what was refused, were so long ago. */
const later = ({ userId }: Market, seconds: number) =>
  db`update buyer set open_max_at = open_max_at - make_interval(secs => ${seconds}) where user_id = ${userId}`;

test("an account has at most fifty orders open, however many are asked for at once, and a cancel makes room", async () => {
  const ask = await market();
  const open = await placed(ask, 120);
  expect(open).toHaveLength(50);
  expect(await orders.place(ask)).toEqual(tooMany);
  expect(await orders.placeMany(ask, 5)).toEqual(tooMany);
  await orders.cancel({ userId: ask.userId, orderId: open[0]!.orderId });
  expect(await placed(ask, 2)).toHaveLength(1);
});

test("each letter of thirty days is one more, also of a process that counted before it came", async () => {
  const ask = await market();
  const open = await placed(ask, 50);
  expect(await orders.place(ask)).toEqual(tooMany);
  for (const order of open.slice(0, 5)) await receive(order);
  await later(ask, 2);
  // Five do not wait any more, and there were five letters.
  expect(await placed(ask, 20)).toHaveLength(10);
  await db`update orders set created_at = created_at - interval '31 days' where user_id = ${ask.userId} and status = 'received'`;
  await later(ask, 700);
  expect(await orders.place(ask)).toEqual(tooMany);
  expect(await orders.reorder({ userId: ask.userId, orderId: open[0]!.orderId })).toHaveProperty("orderId");
});

test("who cancels four of five has a fifth of the room, and letters give it back", async () => {
  const ask = await market();
  for (let round = 0; round < 4; round++)
    for (const { orderId } of await placed(ask, 40)) await orders.cancel({ userId: ask.userId, orderId });
  await later(ask, 700);
  const open = await placed(ask, 40);
  expect(open).toHaveLength(10);
  for (const order of open) await receive(order);
  await later(ask, 2);
  expect(await placed(ask, 40)).toHaveLength(20);
});

test("free orders of the sandbox have their own limit alone", async () => {
  const ask = await market();
  await placed(ask, 50);
  const [sandbox] = await db<{ siteId: number; domainId: number }[]>`
    select id as "siteId", sandbox_domain_id as "domainId" from site where name = 'sandbox-ok'`;
  if (!sandbox) throw new Error("there is a sandbox");
  await inventory.addStock(db, sandbox.domainId, 5);
  const { userId } = ask;
  const free = { userId, siteId: sandbox.siteId, domainIds: [sandbox.domainId] };
  const one = await orders.place(free);
  expect(one).toMatchObject({ price: 0n });
  // Nor do their letters make room.
  await receive(one as Placed);
  await later(ask, 2);
  expect(await orders.place(ask)).toEqual(tooMany);
});
