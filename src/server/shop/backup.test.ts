// @module-tag slow
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";

const ofShop = "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602";

async function shop() {
  const [{ db, url, drop }, folder] = [
    await createDatabase({ isStocked: true }),
    await mkdtemp(join(tmpdir(), "postern-backup-")),
  ];
  onTestFinished(drop);
  onTestFinished(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o711);
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const settings = { DATABASE_URL: url, SECRET_KEY: ofShop, DATA_DIR: join(folder, "data") };
  const say = (words: string[], more: Record<string, string> = {}) =>
    sayTo(db, words, { ...settings, ...more }, url);
  return { db, url, folder, say };
}

const jsonOf = (out: string) => JSON.parse(out) as Record<string, unknown>;

test("a backup is written, tried out in a place that is thrown away, and restored", async () => {
  const { db, folder, say } = await shop();
  await db`insert into shop_key (mark) values ('\\x00')`;
  const keyFile = join(folder, "private.key");
  const pair = await say(["backup-key", keyFile]);
  const [, publicKey = ""] = /^BACKUP_KEY=(backup-public-\S+)\n$/.exec(pair.out) ?? [];
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  expect(await readFile(keyFile, "utf8")).toMatch(/^backup-private-\S{43}\n$/);
  expect(await say(["backup-key", keyFile])).toMatchObject({ status: 1, out: "" });

  const open = await say(["backup", folder]);
  expect(open).toMatchObject({
    status: 0,
    err: expect.stringMatching(/not encrypted.*\n.*SECRET_KEY/) as string,
  });
  expect(await readdir(folder)).toContain(open.out.trim().slice(folder.length + 1));
  const made = await say(["backup", folder, "--json"], { BACKUP_KEY: publicKey });
  expect(jsonOf(made.out)).toMatchObject({ encrypted: true, has_key: false });
  const sealed = jsonOf(made.out)["backup"] as string;
  expect(await db`select by, did, about from audit_log order by id desc limit 1`).toEqual([
    { by: "operator", did: "backup write", about: sealed },
  ]);

  const private_ = { BACKUP_PRIVATE_KEY_FILE: keyFile };
  expect(await say(["verify", sealed])).toMatchObject({
    status: 1,
    out: "",
    err: expect.stringContaining(publicKey) as string,
  });
  const verified = jsonOf((await say(["verify", sealed, "--json"], private_)).out);
  expect(verified).toMatchObject({ encrypted: true, left: [], broken: [], key: "another" });
  expect((await readdir(folder)).filter((name) => name.startsWith("postern-verify-"))).toEqual([]);

  const empty = await createDatabase();
  onTestFinished(empty.drop);
  await empty.db.unsafe("drop schema public cascade; create schema public");
  const target = { ...private_, DATABASE_URL: empty.url };
  const restored = await say(["restore", sealed], target);
  expect(restored).toMatchObject({
    status: 0,
    out: expect.stringMatching(/rows of \d+ tables are restored\.\nSECRET_KEY/) as string,
  });
  expect(await empty.db`select name from mail_domain order by 1`).toEqual(
    await db`select name from mail_domain order by 1`,
  );
  expect(await say(["restore", sealed], target)).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^The database is not empty/) as string,
  });
});

test("what the audit finds in a backup is told, and ends with 1", { timeout: 120_000 }, async () => {
  const { db, folder, say } = await shop();
  await db`update mail_domain set live = live + 1`;
  const { out } = await say(["backup", folder]);
  const said = await say(["verify", out.trim()]);
  expect(said).toMatchObject({
    status: 1,
    out: expect.stringContaining("It was never started with any key.") as string,
    err: expect.stringMatching(/^What does not hold in the backup: /) as string,
  });
});

test("a backup that cannot be used leaves no trace of a restore", async () => {
  const { folder, say } = await shop();
  const target = { DATABASE_URL: "", DATA_DIR: join(folder, "new") };
  expect(await say(["restore", join(folder, "none")], target)).toMatchObject({ status: 1, out: "" });
  expect(await readdir(folder)).toEqual([]);
  expect(await say(["backup"])).toMatchObject({ status: 2, out: "" });
});
