import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { secondsAfter, startOfDay } from "../clock.ts";
import { openDaily } from "./daily.ts";

const hour = 60 * 60;

async function daily(keep: number) {
  const [{ db, drop }, folder] = [await createDatabase(), await mkdtemp(join(tmpdir(), "postern-daily-"))];
  onTestFinished(drop);
  onTestFinished(() => rm(folder, { recursive: true }));
  const backups = openDaily({
    db,
    dataDir: folder,
    isEmbedded: true,
    folder: join(folder, "out"),
    keep,
    publicKey: undefined,
  });
  const made = async () => (await readdir(join(folder, "out"))).toSorted();
  return { db, backups, folder, made };
}

test("one backup is made a day, after 03:00, and the newest are kept", async () => {
  const { db, backups, made, folder } = await daily(2);
  const now = new Date();
  await backups.makeDue(now);
  const [first] = await made();
  expect(first).toMatch(/^postern-.*\.backup$/);
  expect(await backups.ageSeconds()).toBeLessThan(60);
  const [noted] = await db`select size_bytes, is_encrypted from backup_outcome`;
  expect(noted).toMatchObject({ is_encrypted: false });
  expect(noted!["size_bytes"]).toBeGreaterThan(1_000n);

  await backups.makeDue(now);
  expect(await made()).toEqual([first]);
  // As if it had been made a minute before the last 03:00, and then a minute after.
  const due = secondsAfter(startOfDay(now), 27 * hour);
  await db`update backup_outcome set made_at = ${secondsAfter(due, 60)}`;
  await backups.makeDue(secondsAfter(due, 23 * hour));
  expect(await made()).toHaveLength(1);
  await db`update backup_outcome set made_at = ${secondsAfter(due, -60)}`;
  await backups.makeDue(secondsAfter(due, -1));
  expect(await made()).toHaveLength(1);
  await backups.makeDue(due);
  expect(await made()).toHaveLength(2);

  const part = (minute: number) =>
    join(folder, "out", `postern-2026-01-01T00-0${minute}-00.000Z.backup.part`);
  for (const path of [part(1), part(2), join(folder, "out/mine.txt")]) await writeFile(path, "");
  await utimes(part(1), secondsAfter(now, -2 * hour), secondsAfter(now, -2 * hour));
  await db`update backup_outcome set made_at = ${secondsAfter(now, -48 * hour)}`;
  await backups.makeDue(now);
  const left = await made();
  expect(left).not.toContain(first);
  expect(left.filter((name) => name.endsWith(".backup"))).toHaveLength(2);
  expect(left.filter((name) => !name.endsWith(".backup"))).toEqual([
    "mine.txt",
    "postern-2026-01-01T00-02-00.000Z.backup.part",
  ]);
});

test("one that fails is an error of the job, deletes nothing, and is tried again after an hour", async () => {
  const { db, backups, made } = await daily(1);
  const now = new Date();
  await backups.makeDue(now);
  const [first] = await made();
  await db`update backup_outcome set made_at = ${secondsAfter(now, -48 * hour)}`;
  await db`create table restore_unfinished ()`;
  await expect(backups.makeDue(now)).rejects.toThrow(/no shop in it/);
  expect(await made()).toEqual([first]);
  await db`drop table restore_unfinished`;
  await backups.makeDue(secondsAfter(now, hour - 1));
  expect(await made()).toEqual([first]);
  await backups.makeDue(secondsAfter(now, hour));
  expect(await made()).toHaveLength(1);
  expect(await made()).not.toEqual([first]);
});
