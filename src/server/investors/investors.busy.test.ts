import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { secretKey } from "../../../test/kit/hosted.ts";
import { openImapd, type Twist } from "../../../test/kit/imapd.ts";
import { buyer, shelf } from "../../../test/kit/shelf.ts";
import { openImap, setHost } from "../imap/imap.ts";
import { createLog } from "../platform/log.ts";
import { createSeal } from "../platform/seal.ts";
import * as admin from "./investors.admin.ts";
import { type Brought, openInvestors } from "./investors.ts";

const key = Buffer.from(secretKey);
const hour = 3_600_000;

/** A batch at a server that answers log-ins as `login` says, by the name and how many asked before. */
async function brought({ count = 25, loginsPerMinute = 100_000 } = {}) {
  const { db } = await createDatabase();
  const server = await openImapd();
  onTestFinished(() => server.close());
  const { domainId, domain } = await shelf(db, 0);
  await db`update mail_domain set kind = 'hosted', imap_host = ${server.host}, imap_port = ${server.port}, imap_tls = 'none'
           where id = ${domainId}`;
  await setHost(db, server.host, server.port, { loginsPerMinute });
  const log = createLog("silent");
  const imap = openImap({
    db,
    seal: createSeal(key),
    log,
    keepWith: () => Promise.reject(new Error("none")),
  });
  const clock = { at: new Date() };
  const paused: number[] = [];
  const investors = openInvestors({
    db,
    secretKey: key,
    mailboxes: imap,
    times: { downSeconds: 0 },
    clock: () => clock.at,
    pause: async (milliseconds) => void paused.push(milliseconds),
  });
  onTestFinished(() => investors.close());
  const file = (async function* () {
    yield Buffer.from(Array.from({ length: count }, (_, n) => `box${n}@${domain}:x`).join("\n"));
  })();
  const { batchId } = (await investors.upload({
    userId: await buyer(db, { isInvestor: true }),
    sites: [],
    file,
    key: undefined,
    at: clock.at,
    isValid: async () => true,
  })) as Brought;
  const shop: { login: (name: string, before: number) => Twist | undefined } = { login: () => undefined };
  let logins = 0;
  server.twist = ({ command, login }) => (command === "login" ? shop.login(login, logins++) : undefined);
  const check = async () => {
    await db`update imap_host set permits = 100000, permits_at = clock_timestamp(), next_try_at = '-infinity'`;
    await investors.check(new AbortController().signal);
    return stateOf();
  };
  const stateOf = async () => {
    const { state, reason, alive } = (await admin.showBatch(db, batchId))!;
    const kept = await db`select from mailbox where domain_id = ${domainId} and secret is not null`;
    return { state, reason, kept: kept.length, alive: Number(alive) };
  };
  return { db, batchId, imap, shop, clock, check, paused, stateOf, asked: () => logins };
}

const decided = () => ({ by: "test", reason: undefined, at: new Date() });

test.each([
  "NO [THROTTLED] Rate limit hit.",
  "NO Login fail. Password is incorrect, or system is busy.",
  "NO Temporary authentication failure (rate-limit)",
  "NO [AUTHENTICATIONFAILED] Too many login failures, retry later",
  "NO LOGIN failed: try again in 60 seconds",
])("a server that puts off every log-in refuses no batch, and no password is wiped: %s", async (says) => {
  const { db, batchId, shop, check } = await brought();
  shop.login = () => ({ says });
  expect(await check()).toEqual({ state: "review", reason: "unreachable", kept: 25, alive: 0 });
  shop.login = () => undefined;
  await admin.approve(db, batchId, decided());
  expect(await check()).toEqual({ state: "active", reason: null, kept: 25, alive: 25 });
});

test("a server that lets some in and then refuses all, in the words of a wrong password, is asked again an hour later", async () => {
  const { db, batchId, shop, clock, check, asked } = await brought();
  shop.login = (_, before) => (before < 12 ? undefined : { says: "NO LOGIN failed" });
  expect(await check()).toEqual({ state: "sampling", reason: "busy", kept: 25, alive: 0 });
  expect(asked()).toBe(17);
  expect(await admin.showBatch(db, batchId)).toMatchObject({ tried: 17, opened: 12 });
  shop.login = () => undefined;
  clock.at = new Date(clock.at.getTime() + hour - 1000);
  expect(await check()).toMatchObject({ state: "sampling" });
  expect(asked()).toBe(17);
  clock.at = new Date(clock.at.getTime() + 2000);
  expect(await check()).toEqual({ state: "active", reason: null, kept: 25, alive: 25 });
  expect(asked()).toBe(25);
});

test("a batch whose server refuses all an hour later as well is refused; the operator sees what was tried and said", async () => {
  const { db, batchId, shop, clock, check, asked } = await brought();
  shop.login = (_, before) => (before < 12 ? undefined : { says: "NO LOGIN failed" });
  await check();
  clock.at = new Date(clock.at.getTime() + hour);
  expect(await check()).toEqual({ state: "refused", reason: "unopened", kept: 0, alive: 0 });
  expect(asked()).toBe(22);
  const seen = await admin.showBatch(db, batchId);
  expect(seen).toMatchObject({ tried: 17, opened: 12 });
  expect(seen?.said).toContain("LOGIN failed");
});

test("a batch with many wrong passwords among the right ones is refused at once", async () => {
  const { shop, check } = await brought();
  shop.login = (_, before) => (before % 2 === 0 ? undefined : { says: "NO LOGIN failed" });
  expect(await check()).toMatchObject({ state: "refused", reason: "unopened" });
});

test("mailboxes that the server refused in the check are not sold until they open", async () => {
  const { db, imap, shop, check, stateOf } = await brought({ count: 22 });
  const wrong = new Set<string>();
  shop.login = (name, before) => {
    if (before % 5 === 0) wrong.add(name);
    return wrong.has(name) ? { says: "NO LOGIN failed" } : undefined;
  };
  expect(await check()).toEqual({ state: "active", reason: null, kept: 22, alive: 18 });
  const [domain] = await db<{ live: bigint }[]>`select live from mail_domain where kind = 'hosted'`;
  expect(domain?.live).toBe(18n);
  shop.login = () => undefined;
  await db`update imap_refused set next_try_at = '-infinity'`;
  await imap.retryRefused();
  expect(await stateOf()).toMatchObject({ state: "active", alive: 22 });
});

test("between two mailboxes of a sample the server has time for twenty other log-ins", async () => {
  const { check, paused } = await brought({ loginsPerMinute: 600 });
  expect(await check()).toMatchObject({ state: "active" });
  expect(paused).toEqual(Array.from({ length: 20 }, () => 2000));
});
