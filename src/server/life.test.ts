// @module-tag slow
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../test/kit/command.ts";
import { createDatabase } from "../../test/kit/database.ts";

async function emptyDemo(more: Record<string, string> = {}) {
  const { db, url, drop } = await createDatabase();
  onTestFinished(drop);
  const folder = await mkdtemp(join(tmpdir(), "life-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const say = (...words: string[]) => sayTo(db, words, { DATA_DIR: folder, ...more }, url);
  return { db, say };
}

test(
  "one command fills an empty demonstration with thirty days of everything, and the books are right",
  { timeout: 240_000 },
  async () => {
    const { db, say } = await emptyDemo();
    const said = await say("demo", "life", "--json");
    expect(said.err.split("\n")).toEqual(["50 orders", "100 orders", "150 orders", "200 orders", ""]);
    const made = JSON.parse(said.out) as { accounts: { role: string; email: string; password: string }[] };
    expect(made).toMatchObject({ orders: 200, payments: 22 });
    expect(made.accounts.map(({ role }) => role)).toEqual(["buyer", "partner", "investor", "administrator"]);
    for (const { email } of made.accounts) expect(email).toMatch(/\.test$/);

    const audit = await say("audit");
    expect(audit).toMatchObject({ status: 0, err: "" });

    const counted = async (rows: PromiseLike<readonly object[]>) =>
      Object.fromEntries((await rows).map((row) => Object.values(row) as [string, number]));
    expect(await counted(db`select status, count(*)::integer from orders group by status`)).toEqual({
      received: 156,
      canceled: 20,
      expired: 17,
      pending: 7,
    });
    const states = await counted(db`select state, count(*)::integer from payment group by state`);
    expect(Object.keys(states).toSorted()).toEqual(
      ["awaiting", "credited", "expired", "rejected", "review", "underpaid"].toSorted(),
    );
    expect(await counted(db`select state, count(*)::integer from investor_batch group by state`)).toEqual({
      active: 3,
      refused: 1,
      review: 1,
    });
    const [found] = await db`
      select (select count(*) from orders where reorder_of is not null)::integer as again,
             (select count(*) from letter_body where link is not null)::integer > 20 as links,
             (select count(*) from letter_body where code is not null)::integer > 100 as codes,
             (select count(*) from letter where not is_given)::integer as unclaimed,
             (select count(*) from task)::integer as mails,
             (select count(distinct created_at::date) from orders)::integer > 25 as every_day,
             (select count(*) from investor_share where complaint = 'refunded')::integer as complaints,
             (select count(*) from investor_share where complaint = 'review')::integer as doubted,
             (select count(*) from orders o where o.closed_at > o.created_at + interval '21 minutes')::integer as late,
             exists (select from pg_namespace where nspname = 'demo_clock') as clock`;
    expect(found).toEqual({
      again: 6,
      links: true,
      codes: true,
      unclaimed: 3,
      mails: 0,
      every_day: true,
      complaints: 3,
      doubted: 1,
      late: 0,
      clock: false,
    });

    expect(await say("demo", "life")).toMatchObject({
      status: 1,
      err: "There are orders already: only an empty demonstration gets a life.\n",
    });
  },
);

test("a shop that is no demonstration gets no life", async () => {
  const { db, say } = await emptyDemo({ DEMO: "false" });
  expect(await say("demo", "life")).toMatchObject({
    status: 1,
    err: "This shop is no demonstration (DEMO): it gets no invented life.\n",
  });
  expect(await db`select from users`).toHaveLength(0);
});
