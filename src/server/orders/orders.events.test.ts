import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site, topUp } from "../../../test/kit/shelf.ts";
import { eventNames, isEventName } from "../../contract/event-names.ts";
import { selectEvents } from "../events/events.ts";
import { listen } from "../platform/db/db.ts";
import * as inventory from "../inventory/inventory.ts";
import { idsOf } from "../platform/ids.ts";
import { usd } from "../platform/money.ts";
import { describe } from "./orders.events.ts";
import { deliver, openOrders, type Placed } from "./orders.ts";

const { db, drop } = await createDatabase({ max: 12 });
const orders = openOrders(db, { ttlSeconds: 1200 });
const told = new Map<bigint, number>();
const stopListening = await listen(db, "changes", (payload) => {
  for (const id of payload.split(",")) told.set(BigInt(id), (told.get(BigInt(id)) ?? 0) + 1);
});
afterAll(async () => {
  await stopListening();
  await drop();
});

type Event = {
  id: bigint;
  name: string;
  orderId: bigint | null;
  letterId: bigint | null;
  status: string | null;
  balance: bigint | null;
};

const eventsOf = (userId: bigint, after = 0n) => db<Event[]>`
  select id, coalesce(name, kind::text) as name, order_id as "orderId", letter_id as "letterId", status, balance
  from event where user_id = ${userId} and id > ${after} order by id`;

const watch = async (userId: bigint, minutes = 10) => {
  const [row] = await db<{ since: bigint; newest: bigint }[]>`
    select since, newest from watch(${[userId]}::bigint[], now() + make_interval(mins => ${minutes}))`;
  return row!;
};

async function market(balance = "1") {
  const [userId, siteId, { domainId }] = [await buyer(db, { balance }), await site(db), await shelf(db, 20)];
  const place = async () => (await orders.place({ userId, siteId, domainIds: [domainId] })) as Placed;
  return { userId, siteId, domainId, place };
}

async function receive(orderId: bigint): Promise<bigint> {
  const letterId = await letter(db, [await mailboxOf(db, orderId)]);
  await deliver(db, [{ letterId, orderId }]);
  return letterId;
}

async function heard(): Promise<void> {
  await db`select notify_changes(array[0::bigint])`;
  await expect.poll(() => told.get(0n) ?? 0, { interval: 2 }).toBeGreaterThan(0);
  told.delete(0n);
}

test("what happens to a user who is listened for is written in its order, with what the balance was after it", async () => {
  const { userId, place } = await market();
  await watch(userId);
  const { orderId } = await place();
  const letterId = await receive(orderId);
  const second = await receive(orderId);
  const again = (await orders.reorder({ userId, orderId })) as Placed;
  await orders.cancel({ userId, orderId: again.orderId });
  await orders.cancel({ userId, orderId });
  const due = await place();
  await db`update orders set expires_at = now() where id = ${due.orderId}`;
  await orders.expireDue();
  await topUp(db, userId, usd("2"));
  const told = (await eventsOf(userId)).map(({ name, orderId: of, letterId: came, status, balance }) => [
    name,
    name === "balance" ? balance : [of, came ?? status],
  ]);
  expect(told).toEqual([
    ["activation", [orderId, "pending"]],
    ["balance", usd("0.9965")],
    ["letter", [orderId, letterId]],
    ["activation", [orderId, "received"]],
    ["letter", [orderId, second]],
    ["activation", [again.orderId, "pending"]],
    ["balance", usd("0.993")],
    ["activation", [again.orderId, "canceled"]],
    ["refund", [again.orderId, "canceled"]],
    ["balance", usd("0.9965")],
    ["activation", [orderId, "canceled"]],
    ["activation", [due.orderId, "pending"]],
    ["balance", usd("0.993")],
    ["activation", [due.orderId, "expired"]],
    ["refund", [due.orderId, "expired"]],
    ["balance", usd("0.9965")],
    ["balance", usd("2.9965")],
  ]);
});

/** What a client is told of them. */
const toldOf = async (userId: bigint) => {
  const rows = await selectEvents(db, [{ userId, after: 0n }], 1000);
  const told = await describe(db, rows);
  return rows.flatMap(({ id }) => told.get(id) ?? []);
};

test("a price that went back is told once, with its order, the amount, the balance and the reason", async () => {
  const { userId, place } = await market();
  await watch(userId);
  const [first, second, due] = [await place(), await place(), await place()];
  const read = await orders.read({ userId, orderId: first.orderId });
  await Promise.all([first, first, second].map(({ orderId }) => orders.cancel({ userId, orderId })));
  await db`update orders set expires_at = now() where id = ${due.orderId}`;
  await orders.expireDue();
  await orders.expireDue();
  const refunds = (await toldOf(userId)).filter(({ name }) => name === "refund");
  const shown = refunds.map(({ data }) => data);
  expect(shown).toHaveLength(3);
  expect(shown).toContainEqual({
    activation_id: idsOf(db).show(first.orderId),
    from: read?.site,
    email: read?.email,
    amount: "0.0035",
    balance: expect.stringMatching(/^0\.99(65|3)$/) as string,
    reason: "canceled",
  });
  expect(shown.at(-1)).toMatchObject({
    activation_id: idsOf(db).show(due.orderId),
    reason: "expired",
    balance: "1.0",
  });
});

test("an order without a price tells of no refund when it ends", async () => {
  const userId = await buyer(db, { balance: "1" });
  await watch(userId);
  const [sandbox] = await db<{ siteId: number; domainId: number }[]>`
    select id as "siteId", sandbox_domain_id as "domainId" from site where name = 'sandbox-ok'`;
  if (!sandbox) throw new Error("there is a sandbox");
  await inventory.addStock(db, sandbox.domainId, 5);
  const free = { userId, siteId: sandbox.siteId, domainIds: [sandbox.domainId] };
  const canceled = (await orders.place(free)) as Placed;
  await orders.cancel({ userId, orderId: canceled.orderId });
  const due = (await orders.place(free)) as Placed;
  await db`update orders set expires_at = now() where id = ${due.orderId}`;
  await orders.expireDue();
  const names = (await toldOf(userId)).map(({ name }) => name);
  expect(names.filter((name) => name === "activation")).toHaveLength(4);
  expect(names).not.toContain("refund");
});

test("the names of the database and of the contract are the same, and each is written by a function", async () => {
  const kinds = await db<{ name: string }[]>`select unnest(enum_range(null::event_kind))::text as name`;
  const bodies = await db<
    { source: string }[]
  >`select prosrc as source from pg_proc where prosrc ~ 'log_events\\('`;
  const written = bodies.flatMap(({ source }) =>
    [...source.matchAll(/log_events\('(\w+)'[^;]*?(?:p_name => '([^']+)'|;)/g)].map(
      ([, kind, name]) => name ?? kind,
    ),
  );
  expect(new Set(written)).toEqual(new Set(eventNames));
  expect(kinds.filter(({ name }) => !isEventName(name))).toEqual([]);
});

test("nothing is written for a user whom nobody listens for, also beside one who is", async () => {
  const { userId, siteId, domainId } = await market();
  const watched = await buyer(db, { balance: "1" });
  const lapsed = await buyer(db, { balance: "1" });
  await watch(watched);
  await watch(lapsed, -1);
  const users = [userId, watched, lapsed, watched];
  await Promise.all(users.map((each) => orders.place({ userId: each, siteId, domainIds: [domainId] })));
  expect(await eventsOf(userId)).toEqual([]);
  expect(await eventsOf(lapsed)).toEqual([]);
  const activations = (await eventsOf(watched)).filter(({ name }) => name === "activation");
  expect(activations).toHaveLength(2);
});

test("every change of a user is told when it is kept, and none that was refused or undone", async () => {
  const { userId, siteId, domainId, place } = await market();
  const partner = await buyer(db);
  await db`update users set referred_by = ${partner} where id = ${userId}`;
  await heard();
  const tells = async (change: () => Promise<unknown>, who = [userId]) => {
    told.clear();
    await change();
    await heard();
    expect([...told.keys()]).toEqual(who);
  };
  let orderId = 0n;
  await tells(async () => ({ orderId } = await place()));
  await tells(() => receive(orderId), [userId, partner]);
  await tells(() => receive(orderId));
  await tells(() => orders.reorder({ userId, orderId }));
  await tells(() => orders.reorder({ userId, orderId }), []);
  await tells(() => orders.cancel({ userId, orderId }));
  await tells(() => orders.cancel({ userId, orderId }), []);
  await tells(() => topUp(db, userId, usd("1")));
  await tells(() => orders.place({ userId, siteId, domainIds: [999_999] }), []);
  const undone = db.begin(async (tx) => {
    await topUp(tx as never, userId, usd("1"));
    throw new Error("undone");
  });
  await tells(() => undone.catch(() => undefined), []);
  await tells(() => Promise.all([orders.place({ userId, siteId, domainIds: [domainId] }), place()]));
});

test("thousands of users of one change are all told", async () => {
  told.clear();
  const ids = Array.from({ length: 3000 }, (_, index) => 2n ** 62n + BigInt(index));
  await db`select notify_changes(${ids}::bigint[])`;
  await heard();
  expect([...told.keys()].toSorted((a, b) => Number(a - b))).toEqual(ids);
  expect(new Set(told.values())).toEqual(new Set([1]));
});

test("after `since` no event is missing: it stays while the watch is kept up, and is new after it had lapsed", async () => {
  const { userId, place } = await market();
  await place();
  const first = await watch(userId);
  await place();
  const second = await watch(userId, 1);
  expect(second.since).toBe(first.since);
  expect(second.newest).toBe((await eventsOf(userId)).at(-1)?.id);
  expect((await eventsOf(userId, first.since)).filter(({ name }) => name === "activation")).toHaveLength(1);
  const [{ isKept } = {}] = await db<{ isKept: boolean }[]>`
    select watched_until > now() + interval '9 minutes' as "isKept" from buyer where user_id = ${userId}`;
  expect(isKept).toBe(true);

  await db`update buyer set watched_until = now() where user_id = ${userId}`;
  await place();
  const third = await watch(userId);
  expect(third.since).toBeGreaterThanOrEqual(second.newest);
  expect(third.since).toBe(third.newest);
  await place();
  expect(await eventsOf(userId, third.since)).toHaveLength(2);
});

test("a user who never had money can be listened for, one who does not exist is left out", async () => {
  const [row] = await db<{ id: bigint }[]>`
    insert into users (email, name, password_hash, token_hash, token_sealed)
    values ('nobody@buyers.test', 'nobody', 'none', '\\x00', '\\x00') returning id`;
  const watched = await db<{ userId: bigint }[]>`
    select user_id as "userId" from watch(${[row!.id, 999_999n]}::bigint[], now() + interval '1 minute')`;
  expect([...watched]).toEqual([{ userId: row!.id }]);
});

test("who reads events after the last that he read misses none, while many things happen at once", async () => {
  const { userId, siteId, domainId } = await market("10");
  const others = await Promise.all(Array.from({ length: 4 }, () => buyer(db, { balance: "1" })));
  for (const each of [userId, ...others]) await watch(each);
  const seen: bigint[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) for (const { id } of await eventsOf(userId, seen.at(-1) ?? 0n)) seen.push(id);
  })();
  await Promise.all(
    [userId, userId, userId, ...others].map(async (each) => {
      for (let turn = 0; turn < 15; turn++) {
        const answer = await orders.place({ userId: each, siteId, domainIds: [domainId] });
        await topUp(db, each, usd("0.01"));
        if ("orderId" in answer) await orders.cancel({ userId: each, orderId: answer.orderId });
      }
    }),
  );
  isOver = true;
  await reading;
  for (const { id } of await eventsOf(userId, seen.at(-1) ?? 0n)) seen.push(id);
  expect(seen).toEqual((await eventsOf(userId)).map(({ id }) => id));
});
