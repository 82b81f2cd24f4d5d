// @module-tag slow
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type BackOffice, openBackOffice } from "../../../test/kit/backoffice.ts";
import { sayTo } from "../../../test/kit/command.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;
let office: BackOffice;
let ann: string;
let admin: string;

beforeAll(async () => {
  shop = await startShop();
  office = await openBackOffice(shop);
  ann = (await office.someone()).id;
  const someone = await office.someone();
  await office.act("users/grant", { user: someone.id, role: "admin", granted: "1" });
  admin = someone.token;
});
afterAll(() => shop.stop());

// No program knows this kind, so nobody sends them meanwhile.
beforeEach(async () => {
  await shop.db`delete from task`;
  await shop.db`delete from webhook`;
  await shop.db`
    insert into task (queue, kind, key, user_id, payload, created_at, due_at, failure, tries)
    select 'mail', 'of a trial', key, user_id, '{}', now() - make_interval(secs => place), due_at, failure, tries
    from (values (1, 'one.example', ${ann}::bigint, null, 'no such reader', 3),
                 (2, 'one.example', null, now() + interval '1 hour', 'not now', 2),
                 (3, 'two.example', ${ann}::bigint, now() + interval '1 hour', null, 0)) t (place, key, user_id, due_at, failure, tries)`;
  await shop.db`
    with hook as (
      insert into webhook (user_id, url, host, events, secret, told_up_to, created_at, disabled_at)
      values (${ann}::bigint, 'https://three.example/', 'three.example', '{letter}', '', 0, now(), now()) returning id)
    insert into webhook_delivery (webhook_id, event, message_id, body, created_at, done_at, tries, failure)
    select id, 'letter', 'msg_1', '', now() - interval '10 seconds', now(), 10, 'The connection was refused.' from hook`;
});

const rows = async (filters = "", search = "") => {
  const { rows: found } = (await shop.get("/api/admin/tables/tasks", {
    token: admin,
    filters,
    search,
  })) as unknown as {
    rows: Record<string, unknown>[];
  };
  return found.map(({ queue, target, state }) => [queue, target, state].join(" "));
};

test("one table shows what waits and what was given up, of every queue, and finds it by queue, state, account and recipient", async () => {
  expect(await rows()).toEqual([
    "mail one.example failed",
    "mail one.example retried",
    "mail two.example fresh",
    "webhooks three.example failed",
  ]);
  expect(await rows("queue:webhooks")).toEqual(["webhooks three.example failed"]);
  expect(await rows("state:failed")).toHaveLength(2);
  expect(await rows(`user:${ann},queue:mail`)).toHaveLength(2);
  expect(await rows("", "one.")).toHaveLength(2);
});

test("another adds it up for each recipient of a queue", async () => {
  const targets = async (asked: Record<string, string>) => {
    const { rows: found } = await shop.get<{ rows: Record<string, unknown>[] }>("/api/admin/tables/targets", {
      token: admin,
      ...asked,
    });
    return found.map(({ queue, target, fresh, retried, failed }) =>
      [queue, target, fresh, retried, failed].join(" "),
    );
  };
  const [one, two, three] = [
    "mail one.example 0 1 1",
    "mail two.example 1 0 0",
    "webhooks three.example 0 0 1",
  ];
  expect(await targets({})).toEqual([three, one, two]);
  expect(await targets({ sort: "target" })).toEqual([one, three, two]);
  expect(await targets({ filters: "queue:mail" })).toEqual([one, two]);
});

test("what waits or was given up is tried again: one, all of a recipient, of an account, of a queue; the journal has it", async () => {
  const [first] = await shop.db<{ id: bigint }[]>`select id from task order by id limit 1`;
  const retry = (asked: Record<string, string>) => office.act("queues/retry", { queue: "mail", ...asked });
  expect(await retry({ id: String(first?.id) })).toMatchObject({ count: 1 });
  expect(await retry({ target: "one.example" })).toMatchObject({ count: 2 });
  expect(await retry({ user: ann })).toMatchObject({ count: 2 });
  expect(await retry({})).toMatchObject({ count: 3 });
  const [due] = await shop.db<{ due: number }[]>`
    select count(*)::int as due from task where due_at <= now() and tries = 0 and failure is not null`;
  expect(due).toEqual({ due: 2 });
  expect(await office.written("queue mail")).toMatchObject([
    { by: office.by, did: "queues retry", after: { count: 3 } },
    { after: { user: ann, count: 2 } },
    { after: { target: "one.example", count: 2 } },
    { after: { id: String(first?.id), count: 1 } },
  ]);
});

test("what waits is given up, and stays to be tried again", async () => {
  const giveUp = (asked: Record<string, string>) => office.act("queues/give-up", { queue: "mail", ...asked });
  expect(await giveUp({ target: "two.example" })).toMatchObject({ count: 1 });
  expect(await giveUp({})).toMatchObject({ count: 1 });
  expect(await rows("queue:mail,state:failed")).toHaveLength(3);
  expect(await office.act("queues/retry", { queue: "mail" })).toMatchObject({ count: 3 });
});

test("where there is nothing to try or to give up, and where a queue is none, it is refused", async () => {
  await office.refusesAll("queues/retry", [
    [{ queue: "letters" }, "queue"],
    [{ queue: "mail", target: "nowhere.example" }, "no task"],
    // Its webhook is off.
    [{ queue: "webhooks" }, "no task"],
    [{ queue: "bot" }, "no task"],
  ]);
  await office.refusesAll("queues/give-up", [
    [{ queue: "webhooks" }, "no task"],
    [{ queue: "mail", id: "1" }, "no task"],
  ]);
});

test("the operator's command lists, tries again and gives up the same", async () => {
  const say = (...words: string[]) => sayTo(shop.db, ["queues", ...words], {});
  expect((await say("list", "--queue", "mail", "--failed")).out).toMatch(
    /queue +id .*\nmail +\d+ +of a trial +one\.example +\d+ +failed +3 +no such reader\n\n1 in all, page 1 of 1/,
  );
  expect((await say("list", "--queue", "bot")).out).toBe("Nothing waits, and nothing was given up.\n");
  expect((await say("drop", "mail", "--target", "two.example")).out).toBe(
    "1 of mail are given up.\nTo undo it: queues retry mail\n",
  );
  expect((await say("retry", "mail")).out).toBe("3 of mail are tried again.\n");
  expect((await say("retry", "bot")).status).toBe(1);
});
