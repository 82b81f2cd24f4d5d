// @module-tag full
// The program of the last release and this one on one database (docs/operations.md, upgrades). The last release is the newest tag, or,
// without a tag, the program before the newest change of the database. It runs on the packages and the built pages of this one.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import nodemailer from "nodemailer";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../kit/database.ts";
import { noticesFor, outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { environment, ready } from "../kit/process.ts";
import { soon } from "../kit/soon.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const git = async (...words: string[]) => (await run("git", ["-C", root, ...words])).stdout.trim();

async function findBefore(): Promise<string> {
  const tag = await git("describe", "--tags", "--abbrev=0").catch(() => "");
  if (tag !== "") return tag;
  const changed = await git("log", "--no-merges", "-1", "--format=%H", "--", "db/migrations");
  return git("rev-parse", "--verify", "--quiet", `${changed}^1`);
}

const before = await findBefore().catch(() => "");
const noBefore = before === "" ? "SKIPPED: this clone has no history to take the last release from" : "";

test.skipIf(before === "")(
  `the release before and this one sell side by side, and nobody waits for the change ${noBefore}`,
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-before-"));
    const dataDir = await mkdtemp(join(tmpdir(), "postern-upgraded-"));
    onTestFinished(async () => {
      for (const each of [folder, dataDir]) await rm(each, { recursive: true, force: true });
    });
    const archive = join(dataDir, "before.tar");
    await git("archive", "--output", archive, before);
    await run("tar", ["-xf", archive, "-C", folder]);
    for (const each of ["node_modules", "dist"]) await symlink(join(root, each), join(folder, each));
    const { db, url, drop } = await createDatabase();
    onTestFinished(drop);
    await db.unsafe("drop schema public cascade; create schema public");

    const settings = { DATABASE_URL: url, SECRET_KEY: "0123456789".repeat(4), CAPTCHA: "off", DEMO: "true" };
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
      await ready(child);
      return place;
    };
    const shop = async (cwd: string, ...words: string[]) => {
      const env = { ...environment({ port: 1, smtpPort: 2, dataDir }), ...settings };
      return run(process.execPath, ["src/server/shop.ts", ...words], { cwd, env });
    };
    const call = async ({ port }: { port: number }, path: string, parameters: Record<string, string>) => {
      const body = new URLSearchParams(parameters);
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body });
      return (await answer.json()) as Record<string, unknown>;
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
    // Mail to owners, which the program before cannot write, is left to this one and keeps no code waiting.
    expect(await call(current, "/user/tokens/add", { token, name: "program" })).toMatchObject({
      status: "success",
    });
    await call(old, "/user/sendCodeReset", { email, captcha: "off" });
    await outboxCode(dataDir, email, 2);
    await vi.waitFor(async () => expect(await noticesFor(dataDir, email)).toHaveLength(1), soon);
    await shop(root, "audit");
  },
);
