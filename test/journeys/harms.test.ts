// @module-tag full
// A shop that runs is harmed on purpose. Within three minutes the alert of docs/alerts.yml rings, and the overview of the office or
// /readyz says the same. Prometheus gets what the shop tells before and after the harm, as if it had asked every 15 seconds.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { certificateFor } from "../../src/server/platform/certificate.ts";
import { now, secondsAfter } from "../../src/server/platform/clock.ts";
import { connect } from "../../src/server/platform/db/db.ts";
import { openBackOffice } from "../kit/backoffice.ts";
import { createDatabase } from "../kit/database.ts";
import { emptyChainWallet, openEmptyChain } from "../kit/emptyChain.ts";
import { freePort } from "../kit/port.ts";
import { environment, ready, spawnShop } from "../kit/process.ts";
import { noPromtool, rulesPath, type Series, tryRules } from "../kit/promtool.ts";
import { embeddedPrograms, makeServer, serverFolder } from "../kit/servers.ts";
import { startShop, type TestShop } from "../kit/shop.ts";

interface Harmed {
  /** Of the process that is asked for its metrics; after the harm it may be another. */
  readonly url: () => string;
  readonly harm: () => Promise<unknown>;
  /** The series that shows it. */
  readonly shows: RegExp;
  /** What the operator looks at, and what it says meanwhile. */
  readonly page: () => Promise<unknown>;
  readonly says: object;
}

const adminEmail = "admin@example.com";
const secretKey = "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-harm-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A place for a shop, or for several after one another. */
async function place(dataDir?: string) {
  const { db, url, drop } = await createDatabase({ isStocked: true });
  onTestFinished(drop);
  return { db, databaseUrl: url, dataDir: dataDir ?? (await temporaryFolder()) };
}

async function open(...asked: Parameters<typeof startShop>): Promise<TestShop> {
  const [settings, ...others] = asked;
  const shop = await startShop({ LOG_LEVEL: "silent", ...settings }, ...others);
  onTestFinished(() => shop.stop());
  return shop;
}

const overviewOf = (shop: TestShop, token: string) => () => shop.get("/api/admin/overview", { token });
const troubled = (name: string) => ({
  health: { troubles: expect.arrayContaining([name]) as string[] },
});

async function databaseGone(): Promise<Harmed> {
  const folder = await serverFolder();
  const server = await makeServer(embeddedPrograms(folder), folder);
  await server.start();
  const db = connect(server.url, { max: 4 });
  onTestFinished(() => db.end());
  const shop = await open({}, { db, databaseUrl: server.url, dataDir: await temporaryFolder() });
  // The shop stops with a database, as it would when that is back.
  onTestFinished(() => server.start());
  return {
    url: () => shop.url,
    harm: () => server.signal("SIGKILL"),
    shows: /^postern_up\{part="database"\} 0$/m,
    page: () => shop.get("/readyz"),
    says: { value: "not ready", down: ["database"] },
  };
}

const run = (program: string, ...words: string[]) => {
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  return status === 0 ? "" : stderr;
};

async function diskFull(): Promise<Harmed> {
  const dataDir = await temporaryFolder();
  // A disk in memory takes only what is written to it.
  expect(run("mount", "-t", "tmpfs", "-o", "size=4g", "tmpfs", dataDir)).toBe("");
  onTestFinished(() => void run("umount", "--lazy", dataDir));
  const shop = await open({}, await place(dataDir));
  const admin = await shop.member(adminEmail);
  return {
    url: () => shop.url,
    harm: async () => {
      expect(run("mount", "-o", "remount,size=8m", dataDir)).toBe("");
      await expect(writeFile(join(dataDir, "dump"), Buffer.alloc(16e6))).rejects.toThrow("ENOSPC");
    },
    shows: /^postern_data_free_bytes 0$/m,
    page: overviewOf(shop, admin),
    says: troubled("disk"),
  };
}

async function nodeDead(): Promise<Harmed> {
  const node = await openEmptyChain(2_900_000);
  const settings = { ...emptyChainWallet, CHAIN_LTC_URLS: `http://${node.host}`, RATES: "fixed:ltc=80" };
  const shop = await open(settings);
  const admin = await shop.member(adminEmail);
  await expect
    .poll(() => scrape(shop.url), { timeout: 30_000 })
    .toMatch(/^postern_chain_failing\{chain="litecoin"\} 0$/m);
  return {
    url: () => shop.url,
    harm: () => node.close(),
    shows: /^postern_chain_failing\{chain="litecoin"\} 1$/m,
    page: overviewOf(shop, admin),
    says: { health: { down: ["chain litecoin"] } },
  };
}

async function receptionBehind(): Promise<Harmed> {
  const shop = await open();
  const { token } = await openBackOffice(shop);
  await pay(shop, token);
  const { email: to } = await shop.order(token);
  const send = (code: number) =>
    shop.send({ to, from: "no-reply@mail.instagram.com", subject: "Welcome", text: `Your code is ${code}.` });
  await send(111_111);
  const over = Promise.withResolvers<void>();
  return {
    url: () => shop.url,
    harm: async () => {
      const locked = Promise.withResolvers<void>();
      const holding = shop.db.begin(async (tx) => {
        await tx`lock table letter in share mode`;
        locked.resolve();
        await over.promise;
      });
      onTestFinished(async () => {
        over.resolve();
        await holding;
      });
      await locked.promise;
      const sent = await Promise.allSettled(Array.from({ length: 10 }, (_, nth) => send(200_000 + nth)));
      expect(sent.map(({ status }) => status)).not.toContain("fulfilled");
    },
    shows: /^postern_smtp_replies_total\{step="DATA",reply="451"\} [1-9]\d*$/m,
    page: overviewOf(shop, token),
    says: troubled("letters"),
  };
}

async function relayFails(): Promise<Harmed> {
  let isBroken = false;
  const relay = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, _session, done) {
      const no = () => Object.assign(new Error("not now"), { responseCode: 451 });
      stream.resume().on("end", () => done(isBroken ? no() : undefined));
    },
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => new Promise((down) => relay.close(() => down())));
  const where = await place();
  // Nobody reads what the relay has taken: the administrator registers before.
  const before = await open({}, where);
  const admin = await before.member(adminEmail);
  await before.stop();
  const { port } = relay.server.address() as AddressInfo;
  const shop = await open({ MAIL_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "shop@shop.example" }, where);
  return {
    url: () => shop.url,
    harm: async () => {
      isBroken = true;
      const person = {
        email: "ann@example.com",
        password: "correct horse",
        localization: "en",
        recaptcha: "off",
      };
      expect(await shop.post("/user/registration", person)).toMatchObject({ status: "success" });
    },
    shows: /^postern_queue\{queue="codes",state="retried"\} 1$/m,
    page: overviewOf(shop, admin),
    says: troubled("mail"),
  };
}

async function certificateExpired(): Promise<Harmed> {
  const where = await place();
  const start = async (days: number) => {
    const [from, until] = [-30, days].map((day) => secondsAfter(now(), day * 24 * 3600)) as [Date, Date];
    const { key, cert } = certificateFor("mx.letters.test", { from, until });
    const files = {
      SMTP_TLS_KEY: join(where.dataDir, "key.pem"),
      SMTP_TLS_CERT: join(where.dataDir, "cert.pem"),
    };
    await writeFile(files.SMTP_TLS_KEY, key);
    await writeFile(files.SMTP_TLS_CERT, cert);
    return open(files, where);
  };
  let shop = await start(60);
  const admin = await shop.member(adminEmail);
  return {
    url: () => shop.url,
    harm: async () => {
      await shop.stop();
      shop = await start(-1);
    },
    shows: /^postern_certificate_left_seconds -\d/m,
    page: () => overviewOf(shop, admin)(),
    says: troubled("certificate"),
  };
}

/** A process of the shop beside one of this process. */
async function spawned(where: Awaited<ReturnType<typeof place>>, settings: Record<string, string>) {
  const [port, smtpPort] = [await freePort(), await freePort()];
  const child = spawnShop({
    ...environment({ port, smtpPort, dataDir: where.dataDir }),
    DATABASE_URL: where.databaseUrl,
    SECRET_KEY: secretKey,
    DEMO: "true",
    ADMIN_EMAILS: adminEmail,
    ...settings,
  });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  await ready(child);
  return { child, url: `http://127.0.0.1:${port}` };
}

async function processFrozen(): Promise<Harmed> {
  const where = await place();
  const shop = await open({ ROLES: "web" }, where);
  const healthPort = String(await freePort());
  const { child } = await spawned(where, { ROLES: "smtp,jobs", HEALTH_PORT: healthPort });
  const admin = await shop.member(adminEmail);
  return {
    url: () => `http://127.0.0.1:${healthPort}`,
    harm: async () => child.kill("SIGSTOP"),
    shows: /^up 0$/m,
    page: async () => {
      // A minute that the jobs are late passes at once.
      await where.db`update job set due_at = due_at - interval '1 minute'`;
      return shop.get("/api/admin/overview", { token: admin });
    },
    says: troubled("jobs"),
  };
}

async function stockOut(): Promise<Harmed> {
  const where = await place();
  const shop = await open({}, where);
  const { token, act } = await openBackOffice(shop);
  const [domain, count] = ["small.example", 25];
  await act("domains/add", { name: domain, price: "0.0035", kind: "own" });
  await act("stock/add", { domain, count: String(count) });
  await pay(shop, token);
  // A process counts its orders, and this one has those of other tests.
  const { url } = await spawned(where, { ROLES: "web" });
  const get = async (path: string, asked: Record<string, string>): Promise<unknown> =>
    (await fetch(`${url}${path}?${new URLSearchParams({ token, ...asked })}`)).json();
  return {
    url: () => url,
    harm: async () => {
      for (let sold = 0; sold < count; sold++) await shop.order(token, { domain });
      for (let asked = 0; asked < 10; asked++)
        expect(await get("/email/order", { site: "instagram.com", domain })).toMatchObject({
          value: "no emails",
        });
    },
    shows: /^postern_orders_total\{outcome="no emails"\} [1-9]\d*$/m,
    page: () => get("/api/admin/overview", {}),
    says: troubled("stock"),
  };
}

async function auditFailed(): Promise<Harmed> {
  const shop = await open();
  const token = await shop.member(adminEmail);
  return {
    url: () => shop.url,
    harm: async () => {
      await shop.db`update account set balance = balance + 1 where book = 'balance'`;
      expect(await shop.get("/api/admin/audit", { token })).toMatchObject({ holds: false });
    },
    shows: /^postern_audit_broken [1-9]\d*$/m,
    page: overviewOf(shop, token),
    says: { waiting: { audit: expect.any(Number) as number } },
  };
}

/** Money of the demonstration, which an administrator confirms. */
async function pay(shop: TestShop, token: string): Promise<void> {
  const { id } = await shop.get("/payments/create", { token, wallet: "trx", amount: "10" });
  await shop.post(`/api/admin/payments/confirm/${String(id)}`, { token });
}

const intervalSeconds = 15;
const beforeSeconds = 600;
const withinSeconds = 180;
/** Prometheus' own. */
const patienceMs = 10_000;

/** What Prometheus learns by asking once. */
async function scrape(url: string): Promise<string> {
  const told = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(patienceMs) })
    .then((answer) => answer.text())
    .catch(() => undefined);
  return told === undefined ? "up 0\n" : `up 1\n${told}`;
}

const samplesOf = (told: string) =>
  new Map(
    [...told.matchAll(/^((?:up|postern_\w+)(?:\{.*\})?) (\S+)$/gm)].map(([, name = "", value]) => [
      name,
      Number(value),
    ]),
  );

/** Asked every 15 seconds: ten minutes of `before`, and `after` from the first time that the harm can be seen. */
function seriesOf(before: string, after: string, seconds: number): Series[] {
  const [past, now] = [samplesOf(before), samplesOf(after)];
  const pastTimes = beforeSeconds / intervalSeconds + Math.ceil(seconds / intervalSeconds);
  const nowTimes = withinSeconds / intervalSeconds;
  return [...new Set([...past.keys(), ...now.keys()])].map((name) => {
    const [was, is] = [past.get(name), now.get(name)];
    const labels = 'job="postern",instance="shop"';
    return {
      series: name.includes("{") ? name.replace("{", `{${labels},`) : `${name}{${labels}}`,
      values: [
        was === undefined ? `_x${pastTimes}` : `${was}+0x${pastTimes}`,
        is === undefined ? `stale _x${nowTimes}` : `${is}+0x${nowTimes}`,
      ].join(" "),
    };
  });
}

/** Which alerts ring so many seconds after the beginning of the series. */
const ringing = (seconds: number, alerts: readonly string[]) => ({
  expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
  eval_time: `${seconds}s`,
  exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
});

const isRoot = process.getuid?.() === 0;
const noMount = isRoot ? "" : "SKIPPED: only root may mount a disk of its own";

test.skipIf(noPromtool !== "").for([
  ["the database is gone", ["DatabaseGone"], databaseGone],
  [`the disk is full ${noMount}`, ["DiskLow"], diskFull],
  ["the node of a chain is dead", ["ChainFails"], nodeDead],
  ["the reception is behind", ["LettersPutOff"], receptionBehind],
  ["the relay fails", ["MailWaits"], relayFails],
  ["the certificate has expired", ["CertificateEnds"], certificateExpired],
  ["a process is frozen", ["ProcessGone"], processFrozen],
  ["a mail domain is sold out", ["NoAddressLeft"], stockOut],
  ["the audit has failed", ["AuditBroken"], auditFailed],
] as const)(`%s ${noPromtool}`, async ([name, alerts, make], { skip }) => {
  skip(make === diskFull && noMount !== "");
  const { url, harm, shows, page, says } = await make();
  const before = await scrape(url());
  expect(before).toMatch(/^up 1$/m);
  const began = performance.now();
  await harm();
  await expect.poll(() => scrape(url()), { timeout: 40_000 }).toMatch(shows);
  const seconds = (performance.now() - began) / 1000;
  const after = await scrape(url());
  await expect.poll(page).toMatchObject(says);
  const trial = {
    interval: `${intervalSeconds}s`,
    input_series: seriesOf(before, after, seconds),
    promql_expr_test: [ringing(beforeSeconds, []), ringing(beforeSeconds + withinSeconds, alerts)],
  };
  expect([name, tryRules(rulesPath, `${intervalSeconds}s`, [trial])]).toEqual([name, ""]);
});
