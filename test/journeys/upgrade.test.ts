// @module-tag full
// The program of the last release and this one on one database (docs/operations.md, upgrades).
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import nodemailer from "nodemailer";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../kit/database.ts";
import { listenTo } from "../kit/listener.ts";
import { noticesFor, outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { environment, ready } from "../kit/process.ts";
import { lastRelease, unpack } from "../kit/releases.ts";
import { openReceiver } from "../kit/receiver.ts";
import { soon } from "../kit/soon.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const before = await lastRelease().catch(() => "");
const noBefore = before === "" ? "SKIPPED: this clone has no history to take the last release from" : "";

test.skipIf(before === "")(
  `the release before and this one sell side by side, and nobody waits for the change ${noBefore}`,
  async () => {
    const folder = await unpack(before);
    const dataDir = await mkdtemp(join(tmpdir(), "postern-upgraded-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const { db, url, drop } = await createDatabase();
    onTestFinished(drop);
    await db.unsafe("drop schema public cascade; create schema public");

    const settings = {
      DATABASE_URL: url,
      SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
      CAPTCHA: "off",
      DEMO: "true",
      WEBHOOK_PRIVATE: "127.0.0.1",
      WEBHOOK_PORTS: "1024-65535",
    };
    let logged = "";
    const start = async (cwd: string) => {
      const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
      const child = spawn(process.execPath, ["src/server/main.ts"], {
        cwd,
        env: { ...environment(place), ...settings },
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(async () => {
        if (child.exitCode !== null) return;
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        await gone;
      });
      child.stdout.on("data", (lines: Buffer) => (logged += lines.toString()));
      await ready(child);
      return place;
    };
    const shop = async (cwd: string, ...words: string[]) => {
      const env = { ...environment({ port: 1, smtpPort: 2, dataDir }), ...settings };
      return run(process.execPath, ["src/server/shop.ts", ...words], { cwd, env });
    };

    const old = await start(folder);
    const email = "upgrade@example.com";
    const { token } = (await call(old, "/user/registration", {
      email,
      password: "correct horse",
      recaptcha: "off",
    })) as { token: string };
    await call(old, "/user/activate", { token, code: await outboxCode(dataDir, email) });
    await shop(folder, "users", "credit", email, "10", "--reason", "enough for every order");

    // An order is placed at one program, its letter comes to another, and a third answers with it.
    const walk = async (code: string, ...[at, by, from]: { port: number; smtpPort: number }[]) => {
      if (!at || !by || !from) throw new Error("three places are needed");
      const placed = await call(at, "/email/order", { token, site: "instagram.com", domain: "letters.test" });
      expect(placed).toMatchObject({ status: "success" });
      const sender = nodemailer.createTransport({ host: "127.0.0.1", port: by.smtpPort, ignoreTLS: true });
      await sender.sendMail({
        from: "no-reply@mail.instagram.com",
        to: String(placed["email"]),
        subject: "Your code",
        text: `Your verification code is ${code}.`,
      });
      const asked = { token, id: String(placed["id"]), wait: "20" };
      expect(await call(from, "/email/getmessage", asked)).toMatchObject({ status: "success", code });
    };
    await walk("111111", old, old, old);

    // A command of this version leaves the database of the one before alone.
    await expect(shop(root, "domains", "list")).rejects.toMatchObject({
      stderr: expect.stringContaining("shop -- migrate"),
    });
    const { applied } = JSON.parse((await shop(root, "migrate", "--json")).stdout) as { applied: string[] };
    expect(applied).not.toEqual([]);
    await walk("222222", old, old, old);
    const current = await start(root);
    await walk("333333", old, current, old);
    await walk("444444", current, old, current);
    // Mail waits in a table of each program, and goes out once whichever has written it.
    for (const each of [old, current, old, current])
      expect(await call(each, "/user/tokens/add", { token, name: "program" })).toMatchObject({
        status: "success",
      });
    await call(old, "/user/sendCodeReset", { email, captcha: "off" });
    await outboxCode(dataDir, email, 2);
    // The fourth of a day waits for its hour.
    await vi.waitFor(async () => expect(await noticesFor(dataDir, email)).toHaveLength(3), soon);
    for (const each of [old, current]) {
      const play = await call(each, "/email/order", { token, site: "sandbox-ok", domain: "all" });
      const asked = { token, id: String(play["id"]), wait: "20" };
      expect(await call(old, "/email/getmessage", asked)).toMatchObject({ status: "success" });
    }
    const due = () => db`select from task where done_at is null and (due_at is null or due_at < now())`;
    // A look at a letter's signatures may still be under way.
    await vi.waitFor(async () => expect(await due()).toEqual([]), soon);
    expect(await noticesFor(dataDir, email)).toHaveLength(3);
    await tellTogether(token, old, current);
    await shop(root, "audit");
    expect(logged.split("\n").filter((line) => /"level":"(?:error|fatal)"/.test(line))).toEqual([]);
  },
);

interface Port {
  readonly port: number;
}

const urlOf = ({ port }: Port) => `http://127.0.0.1:${port}`;

async function call(at: Port, path: string, parameters: Record<string, string>) {
  const body = new URLSearchParams(parameters);
  const answer = await fetch(urlOf(at) + path, { method: "POST", body });
  return (await answer.json()) as Record<string, unknown>;
}

const wanted = { site: "facebook.com", domain: "letters.test" };
const ordersCount = 24;

/** Orders are placed and canceled at both; their refunds are events that the release before may not know. */
async function tellTogether(token: string, old: Port, current: Port): Promise<void> {
  const program = await openReceiver();
  onTestFinished(() => program.close());
  const hook = (at: Port, name: string, events: Record<string, string> = {}) =>
    call(at, "/user/webhooks/add", { token, url: `${program.url}/${name}`, ...events });
  await hook(old, "before");
  await hook(current, "all");
  const { webhook } = (await hook(current, "refunds", { events: "refund" })) as { webhook: { id: string } };
  expect(webhook).toMatchObject({ events: ["refund"] });
  const streams = await Promise.all([old, current].map((at) => listenTo(urlOf(at), { token })));
  onTestFinished(() => streams.forEach((stream) => stream.close()));

  const trade = async (...[at, by]: Port[]) => {
    const { id } = await call(at!, "/email/order", { token, ...wanted });
    expect(await call(by!, "/email/cancel", { token, id: String(id) })).toMatchObject({ status: "success" });
  };
  const four = [
    [old, current],
    [current, old],
    [old, old],
    [current, current],
  ];
  for (let turn = 0; turn < ordersCount / four.length; turn++)
    await Promise.all(four.map((places) => trade(...places)));

  const moneyOf = (told: readonly { name: string; data: Record<string, unknown> }[]) =>
    told
      .filter(({ name }) => name === "balance" || name === "refund")
      .map(({ data }) => String(data["balance"]));
  const sentTo = (name: string) =>
    program.heard
      .filter(({ path }) => path === `/${name}`)
      .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
      .map(({ type, data }) => ({ name: type, data }));
  const named = (told: readonly { name: string }[], name: string) =>
    told.filter((each) => each.name === name);
  await vi.waitFor(() => {
    for (const { heard } of streams) expect(named(heard, "activation")).toHaveLength(2 * ordersCount);
    const [before, after] = streams.map(({ heard }) => moneyOf(heard));
    expect(before).toEqual(after);
    expect(after?.at(-1)).toBe("9.986");
    expect(named(streams[1]!.heard, "refund")).toHaveLength(ordersCount);
    // An event is sent by one of both: as a refund, or as the balance that the release before knows it for.
    expect(moneyOf(sentTo("all")).toSorted()).toEqual(after?.toSorted());
    for (const name of ["before", "all"])
      expect(named(sentTo(name), "activation")).toHaveLength(2 * ordersCount);
  }, soon);
  const balances = new Set(moneyOf(streams[1]!.heard));
  expect(moneyOf(sentTo("before")).filter((balance) => !balances.has(balance))).toEqual([]);
  expect(sentTo("refunds").filter(({ name }) => name !== "refund")).toEqual([]);

  expect(await call(old, "/user/webhooks/change", { token, id: webhook.id, events: "letter" })).toMatchObject(
    {
      status: "success",
    },
  );
}
