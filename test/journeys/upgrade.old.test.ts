// @module-tag full
// From a program of a month ago, with its data, to this one (docs/operations.md, upgrades); the migration is killed in its middle.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import nodemailer from "nodemailer";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "../../src/server/platform/db/db.ts";
import { createDatabase } from "../kit/database.ts";
import { outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { environment, type Place, ready } from "../kit/process.ts";
import { oldRelease, unpack } from "../kit/releases.ts";
import { soon } from "../kit/soon.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const old = await oldRelease().catch(() => "");
const noOld = old === "" ? "SKIPPED: this clone has no history to take an old release from" : "";
const email = "upgrade@example.com";

interface Plan {
  readonly migrations: readonly {
    readonly name: string;
    readonly steps: readonly { table: string; waits: string }[];
  }[];
}

test.skipIf(old === "")(
  `data of a program of a month ago is there after a migration that was killed in its middle ${noOld}`,
  { timeout: 180_000 },
  async () => {
    const folder = await unpack(old);
    const dataDir = await mkdtemp(join(tmpdir(), "postern-upgraded-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const { db, url, drop } = await createDatabase();
    onTestFinished(drop);
    await db.unsafe("drop schema public cascade; create schema public");
    const programs = programsOn(url, dataDir);

    const before = await programs.start(folder);
    const asked = { email, password: "correct horse", recaptcha: "off" };
    const { token } = await call(before, "/user/registration", asked);
    await call(before, "/user/activate", { token: String(token), code: await outboxCode(dataDir, email) });
    await programs.shop(folder, "users", "credit", email, "10", "--reason", "enough");
    const order = async (at: Place) => {
      const placed = await call(at, "/email/order", {
        token: String(token),
        site: "instagram.com",
        domain: "letters.test",
      });
      return { id: String(placed["id"]), email: String(placed["email"]) };
    };
    const read = (at: Place, id: string) =>
      call(at, "/email/getmessage", { token: String(token), id, wait: "20" });
    const done = await order(before);
    await send(before, done.email, "111111");
    expect(await read(before, done.id)).toMatchObject({ status: "success", code: "111111" });
    const waiting = await order(before);
    const balance = async ({ port }: Place) =>
      (await fetch(`http://127.0.0.1:${port}/user/balance?token=${String(token)}`)).json();
    const had = await balance(before);
    expect(had).toMatchObject({ status: "success" });
    await programs.stop(before);

    const plan = JSON.parse(await programs.shop(root, "migrate", "--dry-run", "--json")) as Plan;
    const names = plan.migrations.map(({ name }) => `${name}.sql`);
    expect(names.length).toBeGreaterThan(0);
    await killInTheMiddle(db, plan, () => programs.say(root, "migrate"));
    const applied = async () =>
      (await db<{ name: string }[]>`select name from applied where name = any(${names})`).map(
        ({ name }) => name,
      );
    const half = await applied();
    expect([half.length > 0, half.length < names.length]).toEqual([true, true]);
    const { applied: rest } = JSON.parse(await programs.shop(root, "migrate", "--json")) as {
      applied: string[];
    };
    expect([...half, ...rest].toSorted()).toEqual(names.toSorted());
    await programs.shop(root, "audit");

    const after = await programs.start(root);
    expect(await balance(after)).toEqual(had);
    expect(await read(after, done.id)).toMatchObject({ status: "success", code: "111111" });
    await send(after, waiting.email, "222222");
    expect(await read(after, waiting.id)).toMatchObject({ status: "success", code: "222222" });
    const next = await order(after);
    await send(after, next.email, "333333");
    expect(await read(after, next.id)).toMatchObject({ status: "success", code: "333333" });
    await programs.shop(root, "audit");
    await programs.stop(after);
    expect(programs.faults()).toEqual([]);
  },
);

/** Holds the table of a late migration, and kills the program while it waits for that. */
async function killInTheMiddle(db: Db, { migrations }: Plan, start: () => ChildProcess): Promise<void> {
  const existing = new Set(
    (await db<{ name: string }[]>`select relname as name from pg_class where relkind = 'r'`).map(
      ({ name }) => name,
    ),
  );
  const late = migrations
    .slice(1)
    .flatMap(({ steps }) => steps)
    .findLast(({ table, waits }) => waits === "everybody" && existing.has(table));
  if (late === undefined) throw new Error("no migration but the first changes a table of before");
  const holder = await db.reserve();
  await holder`begin`;
  await holder.unsafe(`select from ${late.table} limit 1`);
  const child = start();
  const gone = once(child, "exit");
  const isWaiting = async () =>
    expect(
      await db`select from pg_locks where not granted and relation = ${late.table}::regclass`,
    ).not.toEqual([]);
  await vi.waitFor(isWaiting, { ...soon, timeout: 40_000 });
  child.kill("SIGKILL");
  await gone;
  await holder`rollback`;
  holder.release();
}

function programsOn(url: string, dataDir: string) {
  const settings = {
    DATABASE_URL: url,
    SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
    CAPTCHA: "off",
    DEMO: "true",
  };
  const running = new Map<Place, ChildProcess>();
  let logged = "";
  const stop = async (place: Place) => {
    const child = running.get(place);
    if (!running.delete(place) || child === undefined) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  };
  onTestFinished(async () => {
    for (const place of running.keys()) await stop(place);
  });
  const env = { ...environment({ port: 1, smtpPort: 2, dataDir }), ...settings };
  const words = (given: readonly string[]) => ["src/server/shop.ts", ...given];
  return {
    stop,
    async start(cwd: string): Promise<Place> {
      const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
      const own = { ...env, ...environment(place), ...settings };
      const child = spawn(process.execPath, ["src/server/main.ts"], {
        cwd,
        env: own,
        stdio: ["ignore", "pipe", "inherit"],
      });
      running.set(place, child);
      child.stdout.on("data", (lines: Buffer) => (logged += lines.toString()));
      await ready(child);
      return place;
    },
    /** What a command says that succeeds. */
    shop: async (cwd: string, ...given: string[]) =>
      (await promisify(execFile)(process.execPath, words(given), { cwd, env })).stdout,
    say: (cwd: string, ...given: string[]) =>
      spawn(process.execPath, words(given), { cwd, env, stdio: "ignore" }),
    faults: () => logged.split("\n").filter((line) => /"level":"(?:error|fatal)"/.test(line)),
  };
}

async function call({ port }: Place, path: string, parameters: Record<string, string>) {
  const body = new URLSearchParams(parameters);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body });
  return (await answer.json()) as Record<string, unknown>;
}

async function send({ smtpPort: port }: Place, to: string, code: string): Promise<void> {
  const sender = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  const text = `Your verification code is ${code}.`;
  await sender.sendMail({ from: "no-reply@mail.instagram.com", to, subject: "Your code", text });
  sender.close();
}
