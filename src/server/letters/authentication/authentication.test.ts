// @module-tag full
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { openNameServer } from "../../../../test/kit/dns.ts";
import { buyer, mailboxOf, shelf } from "../../../../test/kit/shelf.ts";
import { signedLetter, signingKey } from "../../../../test/kit/signed.ts";
import { soon } from "../../../../test/kit/soon.ts";
import { blockSite, openCatalog } from "../../catalog/catalog.ts";
import { createLog } from "../../platform/log.ts";
import { audit, deliver, openOrders, waiting, type PlaceAsk } from "../../orders/orders.ts";
import type { AuthenticationOptions } from "./authentication.ts";
import { openLetters, type Incoming, type Letters } from "../letters.ts";

const { db } = await createDatabase();
const dns = await openNameServer();
const log = createLog("silent");
const catalog = await openCatalog(db);
const orders = openOrders(db, { ttlSeconds: 1200 });
const key = signingKey("proving.example");

const open: Letters[] = [];
/** A process with letters; without `servers` it asks no name servers. */
const running = (
  servers: readonly string[] | null = [dns.address],
  more: Pick<AuthenticationOptions, "patience" | "late"> = {},
) => {
  const letters = openLetters(db, {
    waiting,
    deliver,
    sendersOf: catalog.sendersOf,
    log,
    authentication: servers === null ? undefined : { servers, isSender: catalog.isSender, ...more },
  });
  open.push(letters);
  return letters;
};
const silent = () => running([]);

let userId = 0n;
let domainId = 0;
let siteId = 0;
beforeEach(async () => {
  dns.names.clear();
  dns.asked.length = 0;
  dns.isSilent = false;
  dns.names.set(key.record[0], { TXT: [key.record[1]] });
  userId = await buyer(db, { balance: "30" });
  ({ domainId } = await shelf(db, 100));
  siteId = await siteOf("proving.example");
});
afterEach(async () => {
  for (const letters of open.splice(0)) await letters.close();
  await db`update letter set authentication_due_at = null`;
});
afterAll(async () => {
  await catalog.close();
  await dns.stop();
});

async function siteOf(name: string): Promise<number> {
  const found = await catalog.siteOf(name, { make: true });
  if ("refused" in found) throw new Error("no site");
  return found.id;
}

async function place(more: Partial<PlaceAsk> = {}) {
  const placed = await orders.place({ userId, siteId, domainIds: [domainId], ...more });
  if (typeof placed === "string" || !("orderId" in placed)) throw new Error(JSON.stringify(placed));
  const { orderId } = placed;
  return { orderId, mailboxId: await mailboxOf(db, orderId) };
}

const incoming = (raw: Buffer, mailboxIds: bigint[]): Incoming => ({
  raw,
  mailFrom: "bounce@mailer.example",
  mailboxIds,
  isToPostmaster: false,
  remote: "192.0.2.7",
  helo: "mx.mailer.example",
});
const fromMailer = (subject = "Hello") =>
  signedLetter({ from: "Site <site@mailer.example>", subject }, [key]);

interface Known {
  id: bigint;
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
  domains: string[] | null;
  isGiven: boolean;
  isDue: boolean;
  tries: number;
  at: Date | null;
}
const known = async (mailboxId: bigint) =>
  (
    await db<Known[]>`
      select id, spf, dkim, dmarc, dkim_domains as domains, is_given as "isGiven", authentication_due_at is not null as "isDue",
             authentication_tries as tries, authenticated_at as at
      from letter join recipient on letter_id = id where mailbox_id = ${mailboxId} order by id desc limit 1`
  )[0]!;
const settled = (mailboxId: bigint) =>
  vi.waitFor(async () => {
    const letter = await known(mailboxId);
    expect(letter).toMatchObject({ isDue: false, at: expect.any(Date) });
    return letter;
  }, soon);
const read = (orderId: bigint) => orders.read({ userId, orderId });
const missed = async (orderId: bigint) =>
  (await db<{ reason: string }[]>`select reason from missed where order_id = ${orderId}`).map(
    ({ reason }) => reason,
  );

test("what a letter proves is recorded with it, and counted", async () => {
  dns.names.set("mailer.example", { TXT: ["v=spf1 ip4:192.0.2.7 -all"] });
  dns.names.set("_dmarc.mailer.example", { TXT: ["v=DMARC1; p=none"] });
  const letters = running();
  await letters.keep(incoming(await fromMailer(), [999_999_001n]));
  expect(await settled(999_999_001n)).toMatchObject({
    spf: "pass",
    dkim: "pass",
    dmarc: "pass",
    domains: ["proving.example"],
    tries: 1,
  });
  await vi.waitFor(
    () =>
      expect(Object.fromEntries(letters.authenticated)).toEqual({
        "spf pass": 1,
        "dkim pass": 1,
        "dmarc pass": 1,
      }),
    soon,
  );
});

test("where nobody may be asked for names nothing is recorded and nothing is due", async () => {
  const letters = running(null);
  const { orderId, mailboxId } = await place();
  await letters.keep(incoming(await fromMailer(), [mailboxId]));
  await letters.drain();
  await letters.authenticateDue();
  expect(await known(mailboxId)).toMatchObject({ dkim: null, at: null, isDue: false, isGiven: false });
  expect(await read(orderId)).toMatchObject({ status: "pending" });
  expect(dns.asked).toEqual([]);
});

test("name servers that say nothing keep no order waiting; they are asked again later, and given up in the end", async () => {
  dns.isSilent = true;
  const letters = running([dns.address], { patience: { timeout: 100, tries: 1 } });
  const { orderId, mailboxId } = await place();
  await letters.keep(incoming(await signedLetter({ from: "no-reply@proving.example" }, [key]), [mailboxId]));
  await letters.drain();
  // Delivered while the name server is still awaited.
  expect(await read(orderId)).toMatchObject({ status: "received" });
  expect(await known(mailboxId)).toMatchObject({ at: null, isDue: true, isGiven: true });
  for (const tries of [1, 2, 3]) {
    await vi.waitFor(
      async () => expect(await known(mailboxId)).toMatchObject({ tries, dkim: "temperror" }),
      soon,
    );
    await vi.waitFor(
      async () => expect(await nextIn(mailboxId)).toBeCloseTo([60, 600, 3600][tries - 1]!, -2),
      soon,
    );
    for (const name of ["mailer.example", "_dmarc.proving.example", key.record[0]])
      dns.names.set(name, "broken");
    dns.isSilent = false;
    await db`update letter set authentication_due_at = now() - interval '1 second' where authentication_due_at is not null`;
    await letters.authenticateDue();
  }
  expect(await settled(mailboxId)).toMatchObject({
    tries: 4,
    spf: "temperror",
    dkim: "temperror",
    dmarc: "temperror",
  });
});

const nextIn = async (mailboxId: bigint) => {
  const [row] = await db<{ seconds: number }[]>`
    select extract(epoch from authentication_due_at - now())::float8 as seconds
    from letter join recipient on letter_id = id where mailbox_id = ${mailboxId} and dkim is not null`;
  return row?.seconds ?? 0;
};

test("a letter that no order got is given to the order whose site has signed it, and paid for once", async () => {
  const letters = running();
  const { orderId, mailboxId } = await place();
  await letters.keep(incoming(await fromMailer(), [mailboxId]));
  expect(await settled(mailboxId)).toMatchObject({ dkim: "pass", isGiven: true });
  expect(await read(orderId)).toMatchObject({ status: "received" });
  const [body] =
    await db`select code from letter_body join delivery using (letter_id) where order_id = ${orderId}`;
  expect(body).toEqual({ code: "482913" });
  expect(await missed(orderId)).toEqual([]);
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
  const [turned] =
    await db`select from turned_away t join recipient r using (letter_id) where mailbox_id = ${mailboxId}`;
  expect(turned).toBeUndefined();
});

test.each(["packed", "as it came"])(
  "a long letter that is stored %s proves its site as a short one does",
  { tags: ["full"] },
  async (way) => {
    const { orderId, mailboxId } = await place();
    // Incompressible, and so of many pieces.
    const text = `Your code is 482913.\n${randomBytes(1_000_000).toString("base64").replace(/.{76}/g, "$&\n")}`;
    const letter = await signedLetter({ from: "Site <site@mailer.example>", text }, [key]);
    const asleep = silent();
    await asleep.keep(incoming(Buffer.from(letter), [mailboxId]));
    await asleep.drain();
    if (way === "as it came")
      await db`update letter_raw set raw = ${letter} where letter_id = ${(await known(mailboxId)).id}`;
    await dueNow();
    await running().authenticateDue();
    expect(await settled(mailboxId)).toMatchObject({
      dkim: "pass",
      domains: ["proving.example"],
      isGiven: true,
    });
    expect(await read(orderId)).toMatchObject({ status: "received" });
  },
);

test.each<[string, (letter: Buffer) => Buffer]>([
  ["changed on its way", (letter) => Buffer.from(letter.toString().replace("482913", "111111"))],
  [
    "signed by somebody else",
    (letter) => Buffer.from(letter.toString().replaceAll("proving.example", "spoof.example")),
  ],
])("a letter that was %s is given to nobody", async (_what, change) => {
  const letters = running();
  const { orderId, mailboxId } = await place();
  await letters.keep(incoming(change(await fromMailer()), [mailboxId]));
  expect(await settled(mailboxId)).toMatchObject({ domains: [], isGiven: false });
  expect(await read(orderId)).toMatchObject({ status: "pending" });
  expect(await missed(orderId)).toEqual(["sender"]);
});

test.each(["canceled", "expired"] as const)(
  "an order that is %s meanwhile gets nothing any more",
  async (end) => {
    const { orderId, mailboxId } = await place();
    const asleep = silent();
    await asleep.keep(incoming(await fromMailer(), [mailboxId]));
    await asleep.drain();
    if (end === "canceled") await orders.cancel({ userId, orderId });
    else await db`update orders set expires_at = clock_timestamp() where id = ${orderId}`;
    await orders.expireDue();
    await dueNow();
    const letters = running();
    await letters.authenticateDue();
    expect(await settled(mailboxId)).toMatchObject({ domains: ["proving.example"], isGiven: false });
    expect((await read(orderId)) as object).not.toMatchObject({ status: "received" });
  },
);

const dueNow = async () => {
  for (const letters of open.splice(0)) await letters.close();
  await db`
    update letter set authentication_due_at = now() - interval '1 second', authentication_tries = 0, dkim = null, authenticated_at = null
    where authentication_due_at is not null`;
};

test("what a process left that died is looked at by others, each letter by one", async () => {
  const placed = await Promise.all(Array.from({ length: 12 }, () => place()));
  const asleep = silent();
  for (const { mailboxId } of placed) await asleep.keep(incoming(await fromMailer(), [mailboxId]));
  await asleep.drain();
  await dueNow();
  const [one, other] = [running(), running()];
  await Promise.all([one.authenticateDue(), other.authenticateDue(), one.authenticateDue()]);
  for (const { orderId, mailboxId } of placed) {
    expect(await settled(mailboxId)).toMatchObject({ tries: 1, isGiven: true });
    expect(await read(orderId)).toMatchObject({ status: "received" });
  }
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
  await vi.waitFor(
    () =>
      expect((one.authenticated.get("dkim pass") ?? 0) + (other.authenticated.get("dkim pass") ?? 0)).toBe(
        12,
      ),
    soon,
  );
});

test("a letter that has been due for a day is let go", async () => {
  const { orderId, mailboxId } = await place();
  const asleep = silent();
  await asleep.keep(incoming(await fromMailer(), [mailboxId]));
  await asleep.drain();
  await dueNow();
  await db`update letter set authentication_due_at = now() - interval '25 hours' where authentication_due_at is not null`;
  await running().authenticateDue();
  expect(await known(mailboxId)).toMatchObject({ isDue: false, at: null });
  expect(await read(orderId)).toMatchObject({ status: "pending" });
});

test("a letter that proves its site and lacks the subject word is the buyer's to release", async () => {
  const letters = running();
  const { orderId, mailboxId } = await place({ subject: "verify" });
  await letters.keep(incoming(await fromMailer(), [mailboxId]));
  expect(await settled(mailboxId)).toMatchObject({ isGiven: false });
  expect(await missed(orderId)).toEqual(["subject"]);
});

test("a letter that turns out to be another buyer's is told of to nobody else", async () => {
  const letters = silent();
  ({ domainId } = await shelf(db, 1));
  const { orderId, mailboxId } = await place();
  const otherUser = await buyer(db, { balance: "30" });
  const otherSite = await siteOf("other.example");
  const stranger = await place({ userId: otherUser, siteId: otherSite });
  expect(stranger.mailboxId).toBe(mailboxId);
  await letters.keep(incoming(await fromMailer(), [mailboxId]));
  await letters.drain();
  expect(await missed(stranger.orderId)).toEqual(["sender"]);
  await dueNow();
  await running().authenticateDue();
  expect(await settled(mailboxId)).toMatchObject({ isGiven: true });
  expect(await read(orderId)).toMatchObject({ status: "received" });
  expect(await missed(stranger.orderId)).toEqual([]);
});

test.each(["served", "blocked"])(
  "a letter from a %s site is not given to the buyer of the mailer that signed it",
  async (kind) => {
    const letters = running();
    const { orderId, mailboxId } = await place();
    const name = `${kind}-bank.example`;
    await blockSite(db, await siteOf(name), kind === "blocked");
    await letters.keep(incoming(await signedLetter({ from: `no-reply@${name}` }, [key]), [mailboxId]));
    expect(await settled(mailboxId)).toMatchObject({ domains: ["proving.example"], isGiven: false });
    expect(await read(orderId)).toMatchObject({ status: "pending" });
    expect(await missed(orderId)).toEqual(["sender"]);
  },
);

test("a letter that was given by its From alone is not given again by its signature", async () => {
  const letters = running();
  const { orderId, mailboxId } = await place({ siteId: await siteOf("from.example") });
  const other = await place({ siteId });
  await letters.keep(
    incoming(await signedLetter({ from: "a@from.example" }, [key]), [mailboxId, other.mailboxId]),
  );
  expect(await settled(mailboxId)).toMatchObject({ domains: ["proving.example"], isGiven: true });
  expect(await read(orderId)).toMatchObject({ status: "received" });
  expect(await read(other.orderId)).toMatchObject({ status: "pending" });
});

test(
  "a rush is looked at whole, and a process that stops in the middle leaves the rest to the next",
  { tags: ["full"] },
  async () => {
    const letters = running();
    const raw = await fromMailer();
    const first = 800_000_000n;
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => letters.keep(incoming(raw, [first + BigInt(n)]))),
    );
    await letters.close();
    open.splice(0);
    await db`update letter set authentication_due_at = now() - interval '1 second' where authentication_due_at is not null`;
    await running().authenticateDue();
    await vi.waitFor(async () => {
      const [left] = await db`
      select count(*)::integer as count from letter join recipient on letter_id = id
      where mailbox_id between ${first} and ${first + 299n} and (dkim <> 'pass' or dkim is null)`;
      expect(left).toEqual({ count: 0 });
    }, soon);
  },
);

test("a letter that takes too long costs its thread, and those beside it and after it no more than a try", async () => {
  dns.isSilent = true;
  let late = new AbortController();
  const letters = running([dns.address], { late: () => late.signal });
  const first = 700_000_000n;
  for (const n of [0n, 1n, 2n]) await letters.keep(incoming(await fromMailer(), [first + n]));
  await vi.waitFor(() => expect(dns.asked).not.toEqual([]), soon);
  late.abort();
  for (const n of [0n, 1n, 2n])
    await vi.waitFor(
      async () => expect(await known(first + n)).toMatchObject({ tries: 1, dkim: "temperror" }),
      soon,
    );
  dns.isSilent = false;
  late = new AbortController();
  await db`update letter set authentication_due_at = now() - interval '1 second' where authentication_due_at is not null`;
  await letters.authenticateDue();
  for (const n of [0n, 1n, 2n]) expect(await settled(first + n)).toMatchObject({ tries: 2, dkim: "pass" });
});
