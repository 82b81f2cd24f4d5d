import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { buyer, mailboxOf, shelf } from "../../../../test/kit/shelf.ts";
import { addSender, openCatalog, removeSenders } from "../../catalog/catalog.ts";
import { attempt, type Tx } from "../../platform/db/db.ts";
import { createLog } from "../../platform/log.ts";
import * as ledger from "../../ledger/ledger.ts";
import { audit, deliver, openOrders, waiting, type Placed, type PlaceAsk } from "../../orders/orders.ts";
import { openLetters, prepare, type Letters, type LettersOptions } from "../letters.ts";
import { lockWaiting } from "./unclaimed.sql.ts";
import { hideCodes, listUnclaimed } from "./unclaimed.ts";
import { soon } from "../../../../test/kit/soon.ts";

const { db } = await createDatabase();
const log = createLog("silent");
const catalog = await openCatalog(db);
const orders = openOrders(db, { ttlSeconds: 1200 });

const open: Letters[] = [];
const lettersWith = (options: Partial<LettersOptions> = {}) => {
  const letters = openLetters(db, { waiting, deliver, sendersOf: catalog.sendersOf, log, ...options });
  open.push(letters);
  return letters;
};
afterAll(async () => {
  for (const letters of open) await letters.close();
  await catalog.close();
});

let user = 0n;
let domainId = 0;
let site = { id: 0, name: "" };
let sites = 0;
const addSite = async () => {
  const found = await catalog.siteOf(`site${++sites}.example`, { make: true });
  if ("refused" in found) throw new Error("no site");
  return found;
};
beforeEach(async () => {
  await db`delete from turned_away`;
  user = await buyer(db, { balance: "30" });
  // Own mailboxes: sales of other tests do not count here.
  ({ domainId } = await shelf(db, 100));
  site = await addSite();
});

async function place(more: Partial<PlaceAsk> = {}) {
  const placed = await orders.place({ userId: user, siteId: site.id, domainIds: [domainId], ...more });
  if (!("orderId" in (placed as object))) throw new Error(JSON.stringify(placed));
  const { orderId } = placed as Placed;
  return { orderId, mailboxId: await mailboxOf(db, orderId) };
}

const letterFrom = (from: string, mailboxIds: bigint[], subject = "Your code is 482913") => ({
  raw: Buffer.from(`From: News <${from}>\r\nSubject: ${subject}\r\n\r\nYour code is 482913.\r\n`),
  mailFrom: from,
  mailboxIds,
  isToPostmaster: false,
  remote: undefined,
  helo: "mail.test",
});

async function arrive(from: string, mailboxIds: bigint[], subject?: string) {
  const letters = lettersWith();
  await letters.keep(letterFrom(from, mailboxIds, subject));
  await letters.drain();
}

const view = async (ask: Parameters<typeof listUnclaimed>[1] = {}) =>
  (await listUnclaimed(db, ask)).map((group) => `${group.letters} ${group.domain} ${group.site ?? "-"}`);

const read = (orderId: bigint, userId = user) => orders.read({ userId, orderId });

test("the operator sees which domains were turned away most, for which site, and no code", async () => {
  const { mailboxId } = await place();
  const other = await addSite();
  await place({ siteId: other.id });
  const second = await place({ siteId: other.id });
  await arrive("no-reply@login.meta.example", [mailboxId]);
  await arrive("no-reply@meta.example", [mailboxId], "G-771203 is your code");
  await arrive("x@spam.test", [mailboxId, second.mailboxId]);
  await arrive("x@spam.test", [999_999_999n]);
  await arrive("", [999_999_999n]);
  await arrive(`hello@${site.name}`, [mailboxId]);
  expect(await view()).toEqual([
    `2 meta.example ${site.name}`,
    `2 meta.example ${other.name}`,
    "1  -",
    "1 spam.test -",
    `1 spam.test ${site.name}`,
    `1 spam.test ${other.name}`,
  ]);
  expect(await view({ siteId: other.id })).toEqual([
    `2 meta.example ${other.name}`,
    `1 spam.test ${other.name}`,
  ]);
  expect(await view({ size: 2, page: 2 })).toEqual(["1  -", "1 spam.test -"]);
  const [first] = await listUnclaimed(db);
  expect(first).toMatchObject({ siteId: site.id, sender: "News <no-reply@meta.example>" });
  expect(first!.subject).toMatch(/^[G#]-#{6} is your code$/);
  expect(first!.firstAt < first!.lastAt).toBe(true);
});

test.each([
  ["482 913 is your code", "### ### is your code"],
  ["Dein Code: A1b2C3", "Dein Code: ######"],
  ["رمزك ٤٨٢٩١٣", "رمزك ######"],
  ["Welcome to the club", "Welcome to the club"],
])("of the subject %j is shown %j", (subject, shown) => {
  expect(hideCodes(subject)).toBe(shown);
});

test("a letter of the site of another buyer's order is nobody's else, whoever adds its domain where", async () => {
  const { orderId, mailboxId } = await place();
  const other = await addSite();
  const [another] = await db<{ id: bigint }[]>`
    insert into orders (user_id, mailbox_id, price, created_at, expires_at, site_id, domain_id, number, subject)
    select user_id + 1000000, mailbox_id, price, created_at, expires_at, ${other.id}, domain_id, 1, 'welcome'
    from orders where id = ${orderId} returning id`;
  await arrive(`hello@${other.name}`, [mailboxId]);
  expect(await view()).toEqual([]);
  await addSender(db, site.id, other.name);
  expect(await lettersWith().deliverUnclaimed({ siteId: site.id })).toMatchObject({ delivered: 0 });
  // Before the other order was placed: still it is not delivered to two.
  const shared = "shared.example";
  await db`update orders set status = 'canceled' where id = ${another!.id}`;
  await arrive(`hello@${shared}`, [mailboxId]);
  await db`update orders set status = 'pending' where id = ${another!.id}`;
  await addSender(db, other.id, shared);
  await addSender(db, site.id, shared);
  await vi.waitFor(async () => expect(await catalog.sendersOf(other.id, other.name)).toContain(shared), soon);
  expect(await lettersWith().deliverUnclaimed({ siteId: site.id })).toEqual({
    delivered: 0,
    tooLate: 0,
    unfit: 1,
  });
  expect(await read(orderId)).toMatchObject({ letters: [] });
  await db`delete from orders where id = ${another!.id}`;
});

test("what waited for a domain is delivered and paid when it becomes one of the site", async () => {
  const { orderId, mailboxId } = await place({ regex: "code is ([0-9]+)" });
  await arrive("no-reply@meta.example", [mailboxId]);
  expect(await read(orderId)).toMatchObject({ status: "pending", letters: [] });
  await addSender(db, site.id, "meta.example");
  // The cache may not have the domain yet; the database has.
  const letters = lettersWith({ sendersOf: async (_siteId, name) => new Set([name]) });
  expect(await letters.deliverUnclaimed({ siteId: site.id })).toEqual({ delivered: 1, tooLate: 0, unfit: 0 });
  expect(await read(orderId)).toMatchObject({
    status: "received",
    letters: [{ code: "482913", value: "482913", sender: "News <no-reply@meta.example>" }],
  });
  expect(await view()).toEqual([]);
  expect(await letters.deliverUnclaimed({ siteId: site.id })).toEqual({ delivered: 0, tooLate: 0, unfit: 0 });
});

test("of a domain that writes for a site no more, orders that live get nothing, and keep what they got", async () => {
  const sender = "taken.example";
  await addSender(db, site.id, sender);
  await vi.waitFor(async () => expect(await catalog.sendersOf(site.id, site.name)).toContain(sender), soon);
  const [first, second] = [await place(), await place()];
  await arrive(`no-reply@${sender}`, [first.mailboxId]);
  const asked = { site: site.name, domains: [`News.${sender}`] };
  expect(await removeSenders(db, asked, "operator")).toEqual({ site: site.name, senders: [sender] });
  await vi.waitFor(
    async () => expect(await catalog.sendersOf(site.id, site.name)).not.toContain(sender),
    soon,
  );
  await arrive(`no-reply@${sender}`, [second.mailboxId]);
  expect(await lettersWith().deliverUnclaimed({ siteId: site.id })).toMatchObject({ delivered: 0 });
  expect(await read(first.orderId)).toMatchObject({ status: "received", letters: [{ code: "482913" }] });
  expect(await read(second.orderId)).toMatchObject({ status: "pending", letters: [] });
  expect(await view()).toEqual([`1 ${sender} ${site.name}`]);
  expect(await catalog.siteOf(sender)).toMatchObject({ name: sender });
});

test("what lacks the subject word is the buyer's to take, as if it had always been of the site", async () => {
  const { orderId, mailboxId } = await place({ subject: "welcome" });
  await arrive("no-reply@meta.example", [mailboxId]);
  await addSender(db, site.id, "meta.example");
  expect(await lettersWith().deliverUnclaimed({ siteId: site.id })).toEqual({
    delivered: 0,
    tooLate: 0,
    unfit: 1,
  });
  expect(await db`select reason from missed where order_id = ${orderId}`).toEqual([{ reason: "subject" }]);
});

test("a letter of a site waits for no other site, be it released or not", async () => {
  const { orderId, mailboxId } = await place({ subject: "welcome" });
  const other = await addSite();
  await db`
    insert into orders (user_id, mailbox_id, price, created_at, expires_at, site_id, domain_id, number)
    select user_id, mailbox_id, 0, created_at, expires_at, ${other.id}, domain_id, 99 from orders where id = ${orderId}`;
  await arrive(`hello@${site.name}`, [mailboxId]);
  expect(await view()).toEqual([]);
  const [{ letterId } = { letterId: 0n }] = await db<{ letterId: bigint }[]>`
    select letter_id as "letterId" from missed where order_id = ${orderId}`;
  expect(await attempt(db, (tx) => prepare(tx, letterId, null))).toEqual({ value: undefined });
  expect(await view()).toEqual([]);
  await db`delete from orders where number = 99 and user_id = ${user}`;
});

test("an order that is over stays over: its letter is counted and not given", async () => {
  const [canceled, expired] = [await place(), await place()];
  await arrive("no-reply@meta.example", [canceled.mailboxId]);
  await arrive("no-reply@meta.example", [expired.mailboxId]);
  await orders.cancel({ userId: user, orderId: canceled.orderId });
  await db`update orders set expires_at = clock_timestamp() where id = ${expired.orderId}`;
  await orders.expireDue();
  await addSender(db, site.id, "meta.example");
  expect(await lettersWith().deliverUnclaimed({ siteId: site.id })).toEqual({
    delivered: 0,
    tooLate: 2,
    unfit: 0,
  });
  expect(await ledger.balance(db, user)).toBe(3_000_000_000n);
});

test("an order whose time is over, and that is not closed yet, gets what came in its time", async () => {
  const { orderId, mailboxId } = await place();
  await arrive("no-reply@meta.example", [mailboxId]);
  await db`update orders set expires_at = clock_timestamp() where id = ${orderId}`;
  await addSender(db, site.id, "meta.example");
  expect(await lettersWith().deliverUnclaimed({ siteId: site.id })).toMatchObject({ delivered: 1 });
  expect(await orders.expireDue()).toBe(0);
});

test("who signed a letter counts as its sender", async () => {
  const { orderId, mailboxId } = await place();
  await arrive("no-reply@mailer.test", [mailboxId]);
  await db`insert into turned_away select letter_id, site_id, 'signer.test', true, arrived_at from turned_away`;
  expect(await view()).toEqual([`1 mailer.test ${site.name}`]);
  await addSender(db, site.id, "signer.test");
  expect(await lettersWith().deliverUnclaimed({ siteId: site.id })).toMatchObject({ delivered: 1 });
  expect(await read(orderId)).toMatchObject({ status: "received" });
});

test("a letter that was matched by an old catalogue while its domain was added is delivered by the job", async () => {
  const { orderId, mailboxId } = await place();
  await addSender(db, site.id, "meta.example");
  const stale = lettersWith({ sendersOf: async (_siteId, name) => new Set([name]) });
  await stale.keep(letterFrom("no-reply@meta.example", [mailboxId]));
  await stale.drain();
  // For a minute, delivery is up to the call that added the domain.
  expect(await lettersWith().deliverUnclaimed()).toMatchObject({ delivered: 0 });
  await db`update site_sender set added_at = now() - interval '2 minutes' where site_id = ${site.id}`;
  expect(await lettersWith().deliverUnclaimed()).toMatchObject({ delivered: 1 });
  expect(await read(orderId)).toMatchObject({ status: "received" });
});

test("a letter whose bytes are gone keeps nobody waiting", async () => {
  const { mailboxId } = await place();
  await arrive("no-reply@meta.example", [mailboxId]);
  await db`delete from letter_raw`;
  await addSender(db, site.id, "meta.example");
  expect(await lettersWith().deliverUnclaimed({ siteId: site.id })).toMatchObject({ delivered: 0 });
  expect(await view()).toEqual([]);
});

test("beside reception, cancel, expiry and other processes each order ends once, and the books hold", async () => {
  const placed = await Promise.all(Array.from({ length: 90 }, () => place()));
  const reception = lettersWith({ sendersOf: async (_siteId, name) => new Set([name]) });
  for (const { mailboxId } of placed.slice(0, 60))
    await reception.keep(letterFrom("no-reply@meta.example", [mailboxId]));
  await reception.drain();
  await addSender(db, site.id, "meta.example");
  const expiring = placed.slice(20, 40).map(({ orderId }) => orderId);
  const results = await Promise.all([
    ...[1, 2, 3].map(() => lettersWith().deliverUnclaimed({ siteId: site.id })),
    ...placed.slice(0, 20).map(({ orderId }) => orders.cancel({ userId: user, orderId })),
    db`update orders set expires_at = clock_timestamp() where id = any (${expiring})`.then(() =>
      orders.expireDue(),
    ),
    ...placed.slice(60).map(({ mailboxId }) => reception.keep(letterFrom("a@meta.example", [mailboxId]))),
  ]);
  await reception.drain();
  await orders.expireDue();
  const late = await lettersWith().deliverUnclaimed({ siteId: site.id });
  const told = [...results.slice(0, 3), late] as Awaited<ReturnType<Letters["deliverUnclaimed"]>>[];
  const ended = await db<{ status: string; letters: number }[]>`
    select status, (select count(*)::integer from delivery where order_id = o.id) as letters
    from orders o where site_id = ${site.id}`;
  expect(ended.filter(({ status }) => status === "received").every(({ letters }) => letters === 1)).toBe(
    true,
  );
  expect(ended.filter(({ status }) => status !== "received").every(({ letters }) => letters === 0)).toBe(
    true,
  );
  const received = ended.filter(({ status }) => status === "received").length;
  expect(received).toBeGreaterThanOrEqual(50);
  expect(told.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(received);
  expect(told.reduce((sum, { delivered, tooLate }) => sum + delivered + tooLate, 0)).toBe(90);
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
});

test("a thousand that waited are given in small batches, and one that cannot be given harms no other", async () => {
  const { orderId, mailboxId } = await place();
  const spoilt = await place();
  const reception = lettersWith();
  await Promise.all([
    reception.keep(letterFrom("no-reply@meta.example", [spoilt.mailboxId])),
    ...Array.from({ length: 1_000 }, () => reception.keep(letterFrom("no-reply@meta.example", [mailboxId]))),
  ]);
  await reception.drain();
  await addSender(db, site.id, "meta.example");
  const sizes: number[] = [];
  const letters = lettersWith({
    deliver: async (tx, deliveries) => {
      sizes.push(deliveries.length);
      if (deliveries.some((delivery) => delivery.orderId === spoilt.orderId)) throw new Error("spoilt");
      return deliver(tx, deliveries);
    },
  });
  expect(await letters.deliverUnclaimed({ siteId: site.id })).toEqual({
    delivered: 1_000,
    tooLate: 0,
    unfit: 0,
  });
  expect(Math.max(...sizes)).toBeLessThanOrEqual(50);
  const [{ count } = { count: 0 }] = await db<{ count: number }[]>`
    select count(*)::integer as count from delivery where order_id = ${orderId}`;
  expect(count).toBe(1_000);
});

test("what a command left that was killed half-way is delivered by the job, and nothing twice", async () => {
  const { orderId, mailboxId } = await place();
  const reception = lettersWith();
  await Promise.all(
    Array.from({ length: 120 }, () => reception.keep(letterFrom("no-reply@meta.example", [mailboxId]))),
  );
  await reception.drain();
  await addSender(db, site.id, "meta.example");
  const killed = new AbortController();
  const command = lettersWith({
    deliver: (tx, deliveries) => {
      killed.abort();
      return deliver(tx, deliveries);
    },
  });
  const { signal } = killed;
  expect(await command.deliverUnclaimed({ siteId: site.id, signal })).toMatchObject({ delivered: 50 });
  await db`update site_sender set added_at = now() - interval '2 minutes' where site_id = ${site.id}`;
  expect(await lettersWith().deliverUnclaimed()).toMatchObject({ delivered: 70 });
  const [{ count } = { count: 0 }] = await db<{ count: number }[]>`
    select count(*)::integer as count from delivery where order_id = ${orderId}`;
  expect(count).toBe(120);
});

test("what waits is found among many that wait for nothing, without a look at them", async () => {
  const { mailboxId } = await place();
  await arrive("no-reply@meta.example", [mailboxId]);
  await addSender(db, site.id, "meta.example");
  await db`
    insert into letter (judged_at, size_bytes, mail_from)
    select now(), 9, 'many' from generate_series(1, 20000)`;
  await db`
    insert into turned_away (letter_id, site_id, domain, arrived_at)
    select id, id % 50, 'd' || id % 1000 || '.example', arrived_at from letter where mail_from = 'many'`;
  await db`analyze letter, turned_away`;
  const scans = (tx: Tx) => tx<{ name: string; scans: number; read: number }[]>`
    select relname as name, seq_scan::integer as scans, coalesce(idx_tup_fetch, 0)::integer as read
    from pg_stat_xact_user_tables where relname in ('turned_away', 'letter') order by relname`;
  for (const siteId of [site.id, null])
    await attempt(db, async (tx) => {
      await tx`update site_sender set added_at = '-infinity'`;
      const before = await scans(tx);
      expect(await lockWaiting(tx, siteId, [], 50)).toHaveLength(1);
      const after = await scans(tx);
      expect(after.map(({ scans: count }) => count)).toEqual(before.map(({ scans: count }) => count));
      expect(after.every(({ read: rows }, place) => rows - before[place]!.read < 20)).toBe(true);
      return "undone";
    });
  await db`delete from letter where mail_from = 'many'`;
});

test("a letter whose bytes are gone is given to nobody", async () => {
  const { mailboxId } = await place({ subject: "welcome" });
  await arrive(`hello@${site.name}`, [mailboxId]);
  const [{ letterId } = { letterId: 0n }] = await db<{ letterId: bigint }[]>`
    select max(id) as "letterId" from letter`;
  await db`delete from letter_raw where letter_id = ${letterId}`;
  expect(await attempt(db, (tx) => prepare(tx, letterId, null))).toBeUndefined();
});
