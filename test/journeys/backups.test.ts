// @module-tag full
// Drills with backups (docs/operations.md), by the programs that an operator runs.
import { sell } from "../kit/sell.ts";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { audit } from "../../src/server/orders/orders.ts";
import { type Db } from "../../src/server/platform/db/db.ts";
import { createDatabase } from "../kit/database.ts";
import { guarded } from "../kit/guard.ts";
import { freePort } from "../kit/port.ts";
import { ready, shopProcess, spawnShop } from "../kit/process.ts";
import { startShop } from "../kit/shop.ts";

const SECRET_KEY = "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-backups-"));
  await chmod(folder, 0o711);
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10, retryDelay: 50 }));
  return folder;
}

/** Runs the operator's command to its end; answers what it printed. Throws when it did not end with 0. */
function say(settings: Record<string, string>, ...words: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", ...guarded(), SECRET_KEY, ...settings };
  return new Promise((done, failed) => {
    execFile(process.execPath, ["src/server/shop.ts", ...words], { env }, (fault, out, err) =>
      fault ? failed(new Error(`${words.join(" ")}: ${err}`)) : done(out.trim()),
    );
  });
}

async function emptyDatabase(): Promise<{ db: Db; url: string }> {
  const { db, url, drop } = await createDatabase();
  onTestFinished(drop);
  await db.unsafe("drop schema public cascade; create schema public");
  return { db, url };
}

test(
  "each backup of a shop that sells brings back its moment, in another database and on another machine",
  { timeout: 180_000 },
  async () => {
    const shop = await startShop();
    onTestFinished(() => shop.stop());
    const folder = await makeFolder();
    const here = { DATABASE_URL: shop.databaseUrl, DATA_DIR: shop.dataDir };
    const token = await shop.buyer();
    const before = await sell(shop, token, "111111");
    // Orders go on while it is written.
    const [early] = await Promise.all([
      say(here, "backup", folder),
      ...Array.from({ length: 40 }, () => shop.order(token)),
    ]);
    const after = await sell(shop, token, "222222");
    const late = await say(here, "backup", folder);

    const { db, url } = await emptyDatabase();
    const dataDir = await makeFolder();
    await say({ DATABASE_URL: url, DATA_DIR: dataDir }, "restore", early);
    const again = await startShop({}, { db, databaseUrl: url, dataDir });
    onTestFinished(() => again.stop());
    expect(await again.get("/email/getmessage", { token, id: before })).toMatchObject({ code: "111111" });
    expect(await again.get("/email/getmessage", { token, id: after })).toMatchObject({ status: "error" });
    expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
    await sell(again, token, "333333");

    const place = { port: await freePort(), smtpPort: await freePort(), dataDir: await makeFolder() };
    await say({ DATA_DIR: place.dataDir }, "restore", late);
    const elsewhere = shopProcess(place, { SECRET_KEY });
    await elsewhere.start();
    onTestFinished(() => elsewhere.stop());
    for (const [id, code] of Object.entries({ [before]: "111111", [after]: "222222" })) {
      const answer = await fetch(`${elsewhere.url}/email/getmessage?${new URLSearchParams({ token, id })}`);
      expect(await answer.json()).toMatchObject({ code });
    }
    expect(await say({ DATA_DIR: place.dataDir }, "audit", "--json")).toContain('"holds":true');
  },
);

test("a process that is killed while it makes the backup of the day leaves none, and the next one makes it", async () => {
  const { db, url, drop } = await createDatabase({ isStocked: true });
  onTestFinished(drop);
  const [folder, dataDir] = [await makeFolder(), await makeFolder()];
  const settings = {
    PATH: process.env["PATH"] ?? "",
    DATABASE_URL: url,
    SECRET_KEY,
    DATA_DIR: dataDir,
    BACKUP_DIR: folder,
    LOG_LEVEL: "warn",
    PORT: String(await freePort()),
    SMTP_PORT: String(await freePort()),
  };
  const start = async () => {
    const child = spawnShop(settings);
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill();
      await gone;
    });
    await ready(child);
    return child;
  };
  const child = await start();
  const session = await db.reserve();
  await session.unsafe("begin; lock table webhook in access exclusive mode");
  const due = async () =>
    (await db`update job set due_at = now() where name = 'make backups' returning 1`).length;
  await expect.poll(due).toBe(1);
  const waiting = () => db`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and application_name = 'postern-backup'`;
  await expect.poll(waiting).toHaveLength(1);
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  await session.unsafe("commit");
  session.release();
  expect(await readdir(folder)).toEqual([expect.stringMatching(/\.backup\.part$/)]);

  await start();
  const whole = async () => (await readdir(folder)).filter((name) => name.endsWith(".backup"));
  await expect.poll(whole, { timeout: 30_000 }).toHaveLength(1);
  await expect.poll(() => db`select from backup_outcome`).toHaveLength(1);
  const [name] = await whole();
  expect(await say({ DATABASE_URL: url, DATA_DIR: dataDir }, "verify", join(folder, name!))).toContain(
    "hold",
  );
});
