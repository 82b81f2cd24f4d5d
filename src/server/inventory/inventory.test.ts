import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { shelf, site } from "../../../test/kit/shelf.ts";
import { localParts } from "./inventory.names.ts";
import * as inventory from "./inventory.ts";

const { db, drop } = await createDatabase();
afterAll(drop);

const count = async (domainId: number) => {
  const [row] = await db<{ mailboxes: number; living: bigint }[]>`
    select (select count(*)::int from mailbox where domain_id = ${domainId}) as mailboxes,
           (select live from mail_domain where id = ${domainId}) as living`;
  return row;
};

test("ordered stock is exactly as many addresses, each valid, in lower case and there once", async () => {
  const { domainId } = await shelf(db, 0);
  const told: number[] = [];
  expect(await inventory.addStock(db, domainId, 25_000, (added) => told.push(added))).toBe(25_000);
  expect(await inventory.addStock(db, domainId, 500)).toBe(500);
  expect(await count(domainId)).toEqual({ mailboxes: 25_500, living: 25_500n });
  expect(told.at(-1)).toBe(25_000);
  expect(told.length).toBeGreaterThan(2);
  const [odd] = await db<{ odd: number }[]>`
    select count(*)::int as odd from mailbox
    where domain_id = ${domainId} and (local_part !~ '^[a-z][a-z0-9._]*[a-z0-9]$' or local_part ~ '[._]{2}' or length(local_part) > 64)`;
  expect(odd?.odd).toBe(0);
});

test("stock of the demo, five times a thousand, is there within a second", async () => {
  const took: number[] = [];
  // The best of three: the machine may be busy with other tests.
  for (let round = 0; round < 3; round++) {
    const shelves = await Promise.all(Array.from({ length: 5 }, () => shelf(db, 0)));
    const start = performance.now();
    for (const { domainId } of shelves) await inventory.addStock(db, domainId, 1000);
    took.push(performance.now() - start);
  }
  expect(Math.min(...took)).toBeLessThan(1000);
});

test("local parts that are made together are all different and keep off those that are taken", () => {
  const first = localParts(5000);
  expect(new Set(first).size).toBe(5000);
  const taken = new Set(first);
  expect(localParts(5000, taken).filter((part) => taken.has(part))).toEqual([]);
});

test("given addresses that are there already are left out, whoever added them", async () => {
  const { domainId } = await shelf(db, 0);
  const batchId = await inventory.addBatch(db, { title: "given" });
  expect(await inventory.addMailboxes(db, batchId, domainId, ["a", "b", "a"])).toBe(2);
  expect(await inventory.addMailboxes(db, batchId, domainId, ["b", "c"])).toBe(1);
  expect(await inventory.addMailboxes(db, batchId, domainId, ["c"])).toBe(0);
  expect(await count(domainId)).toEqual({ mailboxes: 3, living: 3n });
});

test("the sealed passwords of hosted mailboxes stay with their addresses", async () => {
  const { domainId } = await shelf(db, 0);
  const batchId = await inventory.addBatch(db, { title: "hosted" });
  const secrets = [Buffer.from([0, 92, 34, 255]), Buffer.from("second")];
  expect(await inventory.addMailboxes(db, batchId, domainId, ["a", "b"], secrets)).toBe(2);
  const rows = await db<{ secret: Buffer }[]>`
    select secret from mailbox where domain_id = ${domainId} order by local_part`;
  expect(rows.map(({ secret }) => secret)).toEqual(secrets);
});

test("two imports at once into one domain keep every address once", async () => {
  const { domainId } = await shelf(db, 0);
  const parts = localParts(500);
  const batches = await Promise.all([1, 2, 3].map((n) => inventory.addBatch(db, { title: `batch ${n}` })));
  const added = await Promise.all(
    batches.map((batchId) => inventory.addMailboxes(db, batchId, domainId, parts)),
  );
  expect(added.reduce((sum, each) => sum + each, 0)).toBe(500);
  expect(await count(domainId)).toEqual({ mailboxes: 500, living: 500n });
});

test("mailboxes are not made up for a domain whose own server makes them", async () => {
  const { domainId, domain } = await shelf(db, 0);
  await db`update mail_domain set kind = 'hosted' where id = ${domainId}`;
  await expect(inventory.addStock(db, domainId, 1)).rejects.toThrow(domain);
  await expect(inventory.addStock(db, 999_999, 1)).rejects.toThrow("no mail domain");
});

test("a living mailbox is found by its address in any case, also when its domain is off sale", async () => {
  const { domainId, domain } = await shelf(db, 0);
  const batchId = await inventory.addBatch(db, { title: "one" });
  await inventory.addMailboxes(db, batchId, domainId, ["anna.berg"]);
  const found = await inventory.find(db, `anna.berg@${domain}`);
  expect(found).toBeTypeOf("bigint");
  expect(await inventory.find(db, `Anna.BERG@${domain.toUpperCase()}`)).toBe(found);
  await db`update mail_domain set enabled = false where id = ${domainId}`;
  expect(await inventory.find(db, `anna.berg@${domain}`)).toBe(found);
});

test("no mailbox is found for strangers, the dead, hosted domains, and what is no address", async () => {
  const { domainId, domain } = await shelf(db, 0);
  const batchId = await inventory.addBatch(db, { title: "one" });
  await inventory.addMailboxes(db, batchId, domainId, ["anna", "berg"]);
  const berg = await inventory.find(db, `berg@${domain}`);
  await inventory.setDead(db, [berg ?? 0n], true);
  const wrong = [
    `nobody@${domain}`,
    `berg@${domain}`,
    "anna@elsewhere.test",
    domain,
    `@${domain}`,
    "anna",
    "",
  ];
  for (const email of wrong) expect(await inventory.find(db, email)).toBeUndefined();
  await db`update mail_domain set kind = 'hosted' where id = ${domainId}`;
  expect(await inventory.find(db, `anna@${domain}`)).toBeUndefined();
});

test("each of many who ask for mailboxes at once gets his own answer", async () => {
  const { domainId, domain } = await shelf(db, 0);
  const parts = Array.from({ length: 60 }, (_, index) => `box${index}`);
  const batchId = await inventory.addBatch(db, { title: "many" });
  await inventory.addMailboxes(db, batchId, domainId, parts);
  const finder = inventory.openFinder(db);
  const asked = parts.flatMap((part) => [`${part}@${domain}`, `not-${part}@${domain}`, part]);
  const found = await Promise.all(asked.map((email) => finder(email)));
  for (const [index, email] of asked.entries()) expect(found[index]).toBe(await inventory.find(db, email));
  expect(found.filter((id) => id !== undefined)).toHaveLength(parts.length);
});

test("what a site can have is told for each domain on sale, dead and blocked ones left out", async () => {
  const siteId = await site(db);
  const { domainId, domain } = await shelf(db, 4);
  const off = await shelf(db, 1);
  await db`update mail_domain set enabled = false where id = ${off.domainId}`;
  const batchId = await inventory.addBatch(db, { title: "picky" });
  await inventory.addMailboxes(db, batchId, domainId, ["a", "b"]);
  const left = async (of: number | undefined) =>
    (await inventory.available(db, of)).find((each) => each.domain === domain)?.available;
  expect(await left(siteId)).toBe(6);
  await inventory.block(db, batchId, siteId);
  expect(await left(siteId)).toBe(4);
  expect(await left(undefined)).toBe(6);
  await inventory.setDead(db, [(await inventory.find(db, `a@${domain}`)) ?? 0n], true);
  expect([await left(siteId), await left(undefined)]).toEqual([4, 5]);
  await inventory.unblock(db, batchId, siteId);
  expect(await left(siteId)).toBe(5);
  expect((await inventory.available(db, siteId)).map((each) => each.domain)).not.toContain(off.domain);
});

test("thousands of mailboxes that died in a row are passed by at once, and none of them is lost", async () => {
  const siteId = await site(db);
  const { domainId } = await shelf(db, 8000);
  const ids = await db<{ id: bigint }[]>`select id from mailbox where domain_id = ${domainId} order by id`;
  const dead = ids.slice(100, 7900).map(({ id }) => id);
  await inventory.setDead(db, dead, true);
  await db`select open_pairs(array[${siteId}::integer], array[${domainId}::integer])`;
  const [row] = await db<{ taken: bigint[] }[]>`select stock_take(${siteId}, ${domainId}, 150) as taken`;
  const living = [...ids.slice(0, 100), ...ids.slice(7900, 7950)].map(({ id }) => id);
  expect(row?.taken).toEqual(living);
  // Skipped ones are sold when they come back to life.
  await inventory.setDead(db, dead.slice(0, 1000), false);
  const [rest] = await db<{ count: number }[]>`
    select cardinality(stock_take(${siteId}, ${domainId}, 5000)) as count`;
  expect(rest?.count).toBe(50 + 1000);
});

test("what a site can have is read from counters: neither mailboxes nor orders are looked at", async () => {
  const [row] = await db<
    { plan: unknown }[]
  >`explain (format json, verbose) select * from quantity(${await site(db)})`;
  const plan = JSON.stringify(row);
  const tables = new Set([...plan.matchAll(/"Relation Name":"(\w+)"/g)].map(([, table]) => table));
  expect(tables).toEqual(new Set(["mail_domain", "stock"]));
});
