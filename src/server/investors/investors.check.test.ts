// @module-tag full
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { type Dovecot, noDovecot, startDovecot } from "../../../test/kit/dovecot.ts";
import { secretKey } from "../../../test/kit/hosted.ts";
import { buyer, shelf, site } from "../../../test/kit/shelf.ts";
import { openImap, setHost, type Imap } from "../imap/imap.ts";
import * as inventory from "../inventory/inventory.ts";
import type { Db } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { createSeal } from "../platform/seal.ts";
import { audit } from "../orders/orders.ts";
import { type Brought, type Investors, openInvestors } from "./investors.ts";
import * as admin from "./investors.admin.ts";
import { pick } from "./investors.check.ts";
import { soon } from "../../../test/kit/soon.ts";

let db: Db;
let dovecot: Dovecot;
let imap: Imap;
let investors: Investors;
let domain: { domainId: number; domain: string };
const key = Buffer.from(secretKey);
const going = new AbortController().signal;
const decided = { by: "test", reason: undefined, at: new Date() };

beforeAll(async () => {
  if (noDovecot !== undefined) return;
  ({ db } = await createDatabase());
  dovecot = await startDovecot();
  imap = openImap({
    db,
    seal: createSeal(key),
    log: createLog("fatal"),
    keepWith: () => Promise.reject(new Error("nothing is fetched")),
  });
  investors = openInvestors({
    db,
    secretKey: key,
    mailboxes: imap,
    times: { downSeconds: 0, recheckSeconds: 0 },
  });
  domain = await hosted();
});
afterAll(async () => {
  await investors?.close();
  await dovecot?.remove();
});

async function hosted(loginsPerMinute = 100_000, port = dovecot.tlsPort) {
  const made = await shelf(db, 0);
  await db`update mail_domain set kind = 'hosted', imap_host = ${dovecot.host}, imap_port = ${port}, imap_tls = 'implicit'
           where id = ${made.domainId}`;
  await setHost(db, dovecot.host, port, { loginsPerMinute, ca: dovecot.certificate.cert });
  // A new host allows few logins at first.
  await db`update imap_host set permits = 100000, permits_at = clock_timestamp()`;
  return made;
}

async function slowly(to: number) {
  const sockets = new Set<Socket>();
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const server = createServer((here) => {
    sockets.add(here.on("error", () => undefined));
    void released.then(() => {
      const there = connect(to, "127.0.0.1").on("error", () => here.destroy());
      sockets.add(there);
      here.pipe(there).pipe(here);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return { port: (server.address() as AddressInfo).port, release, close };
}

interface Wanted {
  readonly good?: number;
  readonly bad?: number;
  readonly own?: string;
  readonly sites?: string[];
}

let made = 0;

const uploadOf = (userId: bigint, file: AsyncIterable<Uint8Array>, sites: readonly string[] = []) => ({
  userId,
  sites,
  file,
  key: undefined,
  at: new Date(),
  isValid: async () => true,
});

async function bring({
  good = 0,
  bad = 0,
  own,
  sites = [],
}: Wanted): Promise<{ userId: bigint; batchId: number; logins: string[] }> {
  const userId = await buyer(db, { isInvestor: true });
  const logins = Array.from({ length: good + bad }, () => `box${++made}@${domain.domain}`);
  await dovecot.addUsers(logins);
  const lines = logins.map((login, place) => `${login}:${place < good ? dovecot.password : "wrong"}`);
  if (own !== undefined) lines.push(`own${made}@${own}:x`);
  const file = (async function* () {
    yield Buffer.from(lines.join("\n"));
  })();
  const brought = await investors.upload(uploadOf(userId, file, sites));
  return { userId, batchId: (brought as Brought).batchId, logins };
}

const stateOf = async (batchId: number) => {
  const batch = await admin.showBatch(db, batchId);
  return (
    batch && { state: batch.state, reason: batch.reason, alive: Number(batch.alive), flagged: batch.flagged }
  );
};
const secrets = async (batchId: number) => {
  const [row] = await db<{ count: number }[]>`
    select count(m.secret)::integer as count from held_lot h join mailbox m on m.id between h.first_id and h.last_id where h.batch_id = ${batchId}`;
  return row?.count;
};
const left = async (siteId: number) =>
  (await inventory.available(db, siteId)).find((each) => each.domainId === domain.domainId)?.available ?? 0;
const expectWhole = async () => expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
const letter = (from: string) => `From: ${from}\nSubject: Hello\n\nHello\n`;
const lastWeek = new Date(Date.now() - 7 * 24 * 3600 * 1000);

test.skipIf(noDovecot)(
  "a good batch is on sale after twenty looks, except for the sites that it must not serve",
  async () => {
    const [free, shunned] = [await site(db), await site(db)];
    const [row] = await db<{ name: string }[]>`select name from site where id = ${shunned}`;
    const before = { free: await left(free), shunned: await left(shunned), logins: dovecot.logins() };
    const { batchId, logins, userId } = await bring({ good: 30, sites: [row?.name ?? ""] });
    // Neither the provider's welcome nor a letter after the upload is personal.
    for (const login of logins) {
      await dovecot.drop(login, letter(`welcome@${domain.domain}`), { at: lastWeek });
      await dovecot.drop(login, letter("friend@person.example"), { at: new Date(Date.now() + 60_000) });
    }
    expect(await left(free)).toBe(before.free);
    await investors.check(going);
    expect(await stateOf(batchId)).toEqual({ state: "active", reason: null, alive: 30, flagged: false });
    expect(dovecot.logins() - before.logins).toBe(20);
    expect(await left(free)).toBe(before.free + 30);
    expect(await left(shunned)).toBe(before.shunned);
    expect(await db`select 1 from batch_sample where batch_id = ${batchId}`).toHaveLength(0);
    expect((await investors.batches(userId, { limit: 10, offset: 0 })).total).toBe(1);
    await expectWhole();
  },
);

test.skipIf(noDovecot)(
  "a batch that opens too seldom is refused, its passwords are wiped and nothing more is tried",
  async () => {
    const { batchId, userId, logins } = await bring({ good: 0, bad: 25 });
    const before = dovecot.logins();
    await investors.check(going);
    expect(await stateOf(batchId)).toEqual({ state: "refused", reason: "unopened", alive: 0, flagged: true });
    expect(await secrets(batchId)).toBe(0);
    expect(dovecot.logins()).toBe(before);
    const again = async () => {
      const file = (async function* () {
        yield Buffer.from(logins.map((login) => `${login}:${dovecot.password}`).join("\n"));
      })();
      return investors.upload(uploadOf(userId, file));
    };
    expect(await again()).toBe("under review");
    expect(await admin.clearFlags(db, userId, decided)).toBe(1);
    expect(await again()).toMatchObject({ refused: "too few mailboxes", rejected: { duplicate: 25 } });
    await expectWhole();
  },
);

test.skipIf(noDovecot).each(["INBOX", "Junk"] as const)(
  "one used mailbox refuses the batch; junk does not count as use (%s)",
  async (folder) => {
    const { batchId, logins } = await bring({ good: 20 });
    await dovecot.drop(logins[7] ?? "", letter("friend@person.example"), { folder, at: lastWeek });
    await investors.check(going);
    const used = { state: "refused", reason: "personal", alive: 0, flagged: true };
    const fresh = { state: "active", reason: null, alive: 20, flagged: false };
    expect(await stateOf(batchId)).toEqual(folder === "INBOX" ? used : fresh);
    if (folder === "INBOX") expect(await secrets(batchId)).toBe(0);
    await expectWhole();
  },
);

test.skipIf(noDovecot)(
  "a server that does not answer refuses nobody: the operator decides, and nothing goes on sale untried",
  async () => {
    const { batchId } = await bring({ good: 20 });
    await dovecot.stop();
    await investors.check(going);
    expect(await stateOf(batchId)).toMatchObject({ state: "review", reason: "unreachable" });
    await dovecot.start();
    expect(await admin.approve(db, batchId, decided)).toBe("stored");
    await investors.check(going);
    expect(await stateOf(batchId)).toMatchObject({ state: "active", alive: 20 });
    await expectWhole();
  },
);

test.skipIf(noDovecot)(
  "a server that takes its time is waited for, and no other batch waits with it",
  { tags: ["full"], timeout: 150_000 },
  async () => {
    const slow = await slowly(dovecot.tlsPort);
    const patient = openInvestors({
      db,
      secretKey: key,
      mailboxes: imap,
      times: { downSeconds: 3600 },
    });
    const usual = domain;
    try {
      domain = await hosted(100_000, slow.port);
      const late = await bring({ good: 20 });
      domain = usual;
      const other = await bring({ good: 20 });
      const checking = patient.check(going);
      await vi.waitFor(
        async () => expect(await stateOf(other.batchId)).toMatchObject({ state: "active", alive: 20 }),
        { timeout: 60_000, interval: 50 },
      );
      expect(await stateOf(late.batchId)).toMatchObject({ state: "sampling", flagged: false });
      slow.release();
      await vi.waitFor(
        async () => {
          await db`update batch_sample set next_try_at = '-infinity'`;
          expect(await stateOf(late.batchId)).toMatchObject({ state: "active", alive: 20 });
        },
        { timeout: 60_000, interval: 200 },
      );
      await checking;
      await expectWhole();
    } finally {
      domain = usual;
      await patient.close();
      await slow.close();
    }
  },
);

test.skipIf(noDovecot)(
  "mailboxes of an own domain cannot be tried, so the operator decides about them",
  async () => {
    const own = await shelf(db, 0);
    const taken = await bring({ good: 20, own: own.domain });
    const refused = await bring({ good: 20, own: own.domain });
    await investors.check(going);
    expect(await stateOf(taken.batchId)).toMatchObject({ state: "review", reason: "own_domain", alive: 0 });
    expect(await admin.approve(db, taken.batchId, decided)).toBe("active");
    expect(await stateOf(taken.batchId)).toMatchObject({ state: "active", alive: 21 });
    expect(await admin.refuseBatch(db, taken.batchId, decided)).toBe("batch decided");
    expect(await admin.refuseBatch(db, refused.batchId, decided)).toEqual({ state: "refused" });
    expect(await stateOf(refused.batchId)).toMatchObject({ state: "refused", reason: "operator" });
    expect(await admin.approve(db, refused.batchId, decided)).toBe("not under review");
    expect(await admin.approve(db, 0, decided)).toBe("no batch");
    await expectWhole();
  },
);

test.skipIf(noDovecot)(
  "logins leave what orders need: a slow host is asked no faster than is registered",
  { tags: ["full"] },
  async () => {
    const { batchId } = await bring({ good: 20 });
    const before = dovecot.logins();
    // One login a minute, and that one was just made.
    await setHost(db, dovecot.host, dovecot.tlsPort, { loginsPerMinute: 1 });
    await db`update imap_host set permits = 0, permits_at = clock_timestamp()`;
    const [row] = await db<{ id: bigint }[]>`
    select h.first_id as id from held_lot h where h.batch_id = ${batchId}`;
    expect(await imap.check(row?.id ?? 0n)).toEqual({ seen: "later" });
    expect(dovecot.logins()).toBe(before);
    await setHost(db, dovecot.host, dovecot.tlsPort, { loginsPerMinute: 100_000 });
    await db`update imap_host set permits = 100, permits_at = clock_timestamp()`;
    await vi.waitFor(async () => {
      await investors.check(going);
      expect(await stateOf(batchId)).toMatchObject({ state: "active" });
    }, soon);
  },
);

test.skipIf(noDovecot)("a mailbox on sale that is refused leaves the sale with its password", async () => {
  const { batchId } = await bring({ good: 20 });
  await investors.check(going);
  const siteId = await site(db);
  const before = await left(siteId);
  const [dying] = await db<{ id: bigint }[]>`
    select m.id from lot l join mailbox m on m.id between l.first_id and l.last_id where l.batch_id = ${batchId} order by m.id offset 2 limit 1`;
  const wrong = createSeal(key).seal("another");
  await db`update mailbox set secret = ${wrong} where id = ${dying?.id ?? 0n}`;
  await vi.waitFor(async () => {
    await db`update investor_batch set recheck_at = '-infinity' where batch_id = ${batchId}`;
    await investors.recheck(new Date());
    const [gone] = await db<{ dead: boolean; secret: Buffer | null }[]>`
      select dead, secret from mailbox where id = ${dying?.id ?? 0n}`;
    expect(gone).toEqual({ dead: true, secret: wrong });
  });
  expect(await stateOf(batchId)).toMatchObject({ state: "active", alive: 19 });
  expect(await left(siteId)).toBe(before - 1);
  await expectWhole();
});

test.skipIf(noDovecot)(
  "a server that refuses everybody takes no mailbox out of the stock",
  { tags: ["full"] },
  async () => {
    const { batchId } = await bring({ good: 20 });
    await investors.check(going);
    const ours = db`select m.id from lot l join mailbox m on m.id between l.first_id and l.last_id where l.batch_id = ${batchId}`;
    await db`update mailbox set secret = ${createSeal(key).seal("another")} where id in (${ours})`;
    await vi.waitFor(async () => {
      await db`update investor_batch set recheck_at = '-infinity' where batch_id = ${batchId}`;
      await investors.recheck(new Date());
      const tried = await db`
      select from lot l join mailbox m on m.id between l.first_id and l.last_id
      join investor_batch i on i.batch_id = l.batch_id and m.id <= i.recheck_id where i.batch_id = ${batchId}`;
      expect(tried.length).toBeGreaterThanOrEqual(4);
    }, soon);
    expect(await stateOf(batchId)).toMatchObject({ state: "active", alive: 20 });
  },
);

test("of an account with a refused batch, or a blocked one, no other batch is tried until the operator has looked", async () => {
  const { db } = await createDatabase();
  const { domainId, domain } = await shelf(db, 0);
  await db`update mail_domain set kind = 'hosted', imap_host = 'localhost', imap_port = 1, imap_tls = 'none' where id = ${domainId}`;
  const isFlagged = async () => (await db`select from investor_flag where seen_at is null`).length > 0;
  let looks = 0;
  const checkMailbox = async (mailboxId: bigint) => {
    looks++;
    if ((await nameOf(mailboxId)).startsWith("bad")) return { seen: "refused" as const };
    if (looks < 10) await vi.waitFor(async () => expect(await isFlagged()).toBe(true), soon);
    return { seen: "opened" as const };
  };
  const nameOf = async (mailboxId: bigint) =>
    (await db<{ name: string }[]>`select local_part as name from mailbox where id = ${mailboxId}`)[0]!.name;
  const investors = openInvestors({
    db,
    secretKey: key,
    mailboxes: { check: checkMailbox, refuse: async () => undefined },
  });
  onTestFinished(() => investors.close());
  const userId = await buyer(db, { isInvestor: true });
  for (const name of ["bad", "good"]) {
    const file = (async function* () {
      yield Buffer.from(Array.from({ length: 20 }, (_, n) => `${name}${n}@${domain}:x`).join("\n"));
    })();
    await investors.upload(uploadOf(userId, file));
  }
  const states = async () => {
    const found = await db<{ state: string }[]>`select state from investor_batch order by batch_id`;
    return found.map(({ state }) => state);
  };
  await investors.check(going);
  expect([looks, await states()]).toEqual([6, ["refused", "sampling"]]);
  await db`update users set blocked_at = now() where id = ${userId}`;
  await admin.clearFlags(db, userId, decided);
  await investors.check(going);
  expect([looks, await states()]).toEqual([6, ["refused", "sampling"]]);
  looks = 10;
  await db`update users set blocked_at = null where id = ${userId}`;
  await investors.check(going);
  expect([looks, await states()]).toEqual([29, ["refused", "active"]]);
});

test("a sample has no mailbox twice and leaves none out for ever", () => {
  const runs = [
    { firstId: 10n, lastId: 19n },
    { firstId: 100n, lastId: 114n },
  ];
  const all = new Set<bigint>();
  for (let turn = 0; turn < 200; turn++) {
    const picked = pick(runs, 20);
    expect(new Set(picked).size).toBe(20);
    for (const id of picked) all.add(id);
  }
  expect(all.size).toBe(25);
  expect(pick(runs, 100)).toHaveLength(25);
});
