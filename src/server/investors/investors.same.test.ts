// @module-tag slow
// Logins that open one box are one mailbox: found in a file by their tags, and by what their server shows when they are tried.
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { noDovecot, startDovecot } from "../../../test/kit/dovecot.ts";
import { secretKey } from "../../../test/kit/hosted.ts";
import { type Imapd, openImapd } from "../../../test/kit/imapd.ts";
import { buyer, shelf } from "../../../test/kit/shelf.ts";
import { soon } from "../../../test/kit/soon.ts";
import { type Imap, openImap, setHost } from "../imap/imap.ts";
import { audit } from "../orders/orders.ts";
import { createLog } from "../platform/log.ts";
import { createSeal } from "../platform/seal.ts";
import { type Brought, openInvestors } from "./investors.ts";
import * as admin from "./investors.admin.ts";

const { db } = await createDatabase();
const key = Buffer.from(secretKey);
const going = new AbortController().signal;
const imap: Imap = openImap({
  db,
  seal: createSeal(key),
  log: createLog("silent"),
  keepWith: () => Promise.reject(new Error("nothing is fetched")),
});
const investors = openInvestors({ db, secretKey: key, mailboxes: imap });
let server: Imapd;
let domain: string;
beforeEach(async () => {
  server = await openImapd();
  onTestFinished(() => server.close());
  domain = await hosted();
});
afterAll(() => investors.close());

async function hosted({ host, port }: Pick<Imapd, "host" | "port"> = server): Promise<string> {
  const made = await shelf(db, 0);
  await db`update mail_domain set kind = 'hosted', imap_host = ${host}, imap_port = ${port}, imap_tls = 'none'
           where id = ${made.domainId}`;
  await setHost(db, host, port, { loginsPerMinute: 100_000 });
  // A new host allows few logins at first.
  await db`update imap_host set permits = 100000, permits_at = clock_timestamp()`;
  return made.domain;
}

async function bring(logins: readonly string[]): Promise<Brought> {
  const file = (async function* () {
    yield Buffer.from(logins.map((login) => `${login}:${server.password}`).join("\n"));
  })();
  const at = new Date();
  const upload = { sites: [], file, key: undefined, at, isValid: async () => true };
  return (await investors.upload({ ...upload, userId: await buyer(db, { isInvestor: true }) })) as Brought;
}

const named = (name: string, count: number, at = domain) =>
  Array.from({ length: count }, (_, place) => `${name}${place}@${at}`);
const lastWeek = new Date(Date.now() - 7 * 24 * 3600 * 1000);
const welcome = (id: string, to?: string) =>
  `From: welcome@${domain}\r\nMessage-ID: <${id}@${domain}>\r\n${to === undefined ? "" : `To: ${to}\r\n`}Subject: Hello\r\n\r\nHello\r\n`;

/** Checks what is due; answers what became of a batch. */
async function checked({ batchId }: Brought) {
  await investors.check(going);
  const batch = await admin.showBatch(db, batchId);
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
  return batch && { state: batch.state, alive: Number(batch.alive), same: batch.same };
}

const offSale = async ({ batchId }: Brought) =>
  (await admin.listSame(db, batchId)).map(({ address, first }) => `${address} ${first}`).toSorted();

/** Twenty logins, all of them tried; so many of them open the box of the first. */
async function aliases(count: number) {
  const logins = named("name", 20);
  const inBox = new Set(logins.slice(0, count));
  server.boxOf = (login) => (inBox.has(login) ? (logins[0] ?? "") : login);
  return logins;
}

test("logins that differ behind a plus alone are one mailbox, in a file and with what any batch brought", async () => {
  const tags = (name: string, from: number, count: number, at = domain) =>
    Array.from({ length: count }, (_, place) => `${name}+${from + place}@${at}`);
  const other = await hosted();
  const first = await bring([...tags("one", 0, 30), ...named("a", 20)]);
  expect(first).toMatchObject({ accepted: 21, rejected: { duplicateInFile: 29, duplicate: 0 } });
  const second = await bring([
    ...named("b", 25),
    `one@${domain}`,
    ...tags("b3", 0, 3),
    ...tags("two", 0, 1),
    `two@${domain}`,
  ]);
  expect(second).toMatchObject({ accepted: 26, rejected: { duplicateInFile: 4, duplicate: 1 } });
  const rival = [
    ...tags("one", 50, 2),
    ...tags("two", 0, 2),
    ...tags("b3", 9, 1),
    ...tags("one", 0, 1, other),
  ];
  const third = await bring([...named("c", 22), ...rival]);
  expect(third).toMatchObject({ accepted: 23, rejected: { duplicateInFile: 2, duplicate: 3 } });
  // A sign at the beginning begins no tag.
  const odd = await bring([...named("d", 20), `+a@${domain}`, `+b@${domain}`]);
  expect(odd).toMatchObject({ accepted: 22, rejected: { duplicateInFile: 0, duplicate: 0 } });
  const kept = await db`select local_part from mailbox m join mail_domain d on d.id = m.domain_id
                        where d.name in (${domain}, ${other}) and local_part ~ '^(one|two)' order by 1`;
  expect(kept.map(({ local_part: part }) => part as string)).toEqual(["one+0", "one+0", "two+0"]);
});

test("of four logins that show one letter the first is sold", async () => {
  const logins = await aliases(4);
  const brought = await bring(logins);
  server.put(logins[0] ?? "", welcome("a", logins[0]), { at: lastWeek });
  expect(await checked(brought)).toEqual({ state: "active", alive: 17, same: 3 });
  expect(await offSale(brought)).toEqual(logins.slice(1, 4).map((login) => `${login} ${logins[0]}`));
  const id = String(brought.batchId);
  const told = (await sayTo(db, ["batches", "same", id])).out;
  expect(told).toMatch(new RegExp(`^${logins[2]} +${id} +${logins[0]} +${id} +\\d.* UTC$`, "m"));
  expect(told).not.toContain(logins[4]);
  expect((await sayTo(db, ["batches", "same"])).out).toContain(logins[3]);
  expect((await sayTo(db, ["batches", "show", id])).out).toMatch(/^open another's box +3$/m);
});

test("a batch of logins of one box is refused", async () => {
  const logins = await aliases(20);
  const brought = await bring(logins);
  server.put(logins[0] ?? "", welcome("a", logins[0]), { at: lastWeek });
  expect(await checked(brought)).toMatchObject({ state: "refused", alive: 0 });
  expect((await offSale(brought)).length).toBeGreaterThan(4);
});

test("a box is found by the name that its server has for it, although it is empty", async () => {
  const logins = await aliases(3);
  server.capability += " OBJECTID";
  server.mailboxIdOf = (login) => `F2212ea87-6097-${server.boxOf(login)}`;
  expect(await checked(await bring(logins))).toEqual({ state: "active", alive: 18, same: 2 });
});

test("a box is found by three letters that name nobody, and not by two, which a provider may put into all", async () => {
  const logins = await aliases(2);
  const brought = await bring(logins);
  for (const id of ["a", "b", "c"]) server.put(logins[0] ?? "", welcome(id), { at: lastWeek });
  for (const login of logins.slice(2))
    for (const id of ["d", "e"]) server.put(login, welcome(id), { at: lastWeek });
  expect(await checked(brought)).toEqual({ state: "active", alive: 19, same: 1 });
});

test.each<[string, (login: string) => void]>([
  ["are empty", () => undefined],
  [
    "have the same number for their only folder",
    () => {
      server.capability += server.capability.includes("OBJECTID") ? "" : " OBJECTID";
      server.mailboxIdOf = () => "1";
    },
  ],
  ["have the same welcome", (login) => server.put(login, welcome("a"), { at: lastWeek })],
  [
    "have a welcome for each under one id",
    (login) => server.put(login, welcome("a", login), { at: lastWeek }),
  ],
  [
    "have the same list's letter",
    (login) => server.put(login, welcome("a", `all@${domain}`), { at: lastWeek }),
  ],
  [
    "have letters for one, and others that differ",
    (login) => {
      server.put(login, welcome("a", `name0@${domain}`), { at: lastWeek });
      server.put(login, welcome(login.replace("@", "."), login), { at: lastWeek });
    },
  ],
  [
    "have letters without an id",
    (login) => {
      for (const _ of [1, 2, 3])
        server.put(login, `From: welcome@${domain}\r\n\r\nHello\r\n`, { at: lastWeek });
    },
  ],
])(
  "different boxes with the same UIDVALIDITY are not taken for one another when they %s",
  async (_what, fill) => {
    const logins = named("name", 20);
    for (const login of logins) fill(login);
    expect(await checked(await bring(logins))).toEqual({ state: "active", alive: 20, same: 0 });
  },
);

test("the second one leaves, of another domain, batch and investor, and the first is sold on", async () => {
  const logins = named("mine", 20);
  const first = await bring(logins);
  server.put(logins[3] ?? "", welcome("a", logins[3]), { at: new Date(Date.now() + 60_000) });
  expect(await checked(first)).toEqual({ state: "active", alive: 20, same: 0 });
  const there = named("theirs", 20, await hosted());
  server.boxOf = (login) => (login === there[7] ? (logins[3] ?? "") : login);
  const second = await bring(there);
  expect(await checked(second)).toEqual({ state: "active", alive: 19, same: 1 });
  expect(await offSale(second)).toEqual([`${there[7]} ${logins[3]}`]);
  expect(await checked(first)).toEqual({ state: "active", alive: 20, same: 0 });
});

test("a batch whose try ends while the database is asked what is due is checked to its end", async () => {
  const first = await bring(named("mine", 20));
  const [last] = await db<{ id: bigint }[]>`select max(id) as id from mailbox`;
  const second = await bring(named("yours", 20));
  const lock = await db.reserve();
  await lock`begin`;
  const tried = Promise.withResolvers<void>();
  let left = 20;
  const check = async (mailboxId: bigint) => {
    if (mailboxId > last!.id) await tried.promise;
    // Only the question for what is due reads the hosts here.
    else if (--left === 0) await lock`lock table imap_host in access exclusive mode`;
    return { seen: "opened" as const };
  };
  const mailboxes = { check, refuse: async () => undefined };
  const checker = openInvestors({ db, secretKey: key, mailboxes, pause: async () => undefined });
  onTestFinished(() => checker.close());
  const checking = checker.check(going);
  const waits = (many: number) =>
    vi.waitFor(async () => {
      const waiting = await lock`select from pg_locks where relation = 'imap_host'::regclass and not granted`;
      expect(waiting).toHaveLength(1);
      const ended = await lock`select from batch_sample where batch_id = ${second.batchId} and opened`;
      expect(ended).toHaveLength(many);
    }, soon);
  await waits(0);
  tried.resolve();
  await waits(1);
  await lock`rollback`;
  lock.release();
  await checking;
  for (const { batchId } of [first, second])
    expect(await admin.showBatch(db, batchId)).toMatchObject({ state: "active", opened: 20 });
});

test.skipIf(noDovecot)(
  "a real server with an alias shows one box by a letter, and boxes of their own by none",
  async () => {
    const dovecot = await startDovecot();
    onTestFinished(() => dovecot.remove());
    domain = await hosted(dovecot);
    const logins = named("name", 20);
    await dovecot.addUsers(logins.filter((_, place) => place !== 9));
    await dovecot.alias(logins[9] ?? "", logins[4] ?? "");
    for (const login of logins.slice(0, 9))
      await dovecot.drop(login, welcome(login.slice(0, 5), login), { at: lastWeek });
    const brought = await bring(logins);
    expect(await checked(brought)).toEqual({ state: "active", alive: 19, same: 1 });
    expect(await offSale(brought)).toEqual([`${logins[9]} ${logins[4]}`]);
  },
);
