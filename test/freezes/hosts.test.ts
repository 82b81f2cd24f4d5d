// @module-tag slow
// A DATABASE_URL with several hosts, of which one takes writes.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect, listen, notify } from "../../src/server/platform/db/db.ts";
import { startEmbedded } from "../../src/server/platform/db/embedded.ts";
import { createDatabase } from "../kit/database.ts";
import { soon } from "../kit/soon.ts";

/** A second server, with the same names in it as the first. */
async function second(url: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-second-"));
  const log = { info: () => undefined, warn: () => undefined };
  const server = await startEmbedded({ dataDir, log, throwaway: true });
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const own = new URL(server.adminUrl);
  const { pathname, username, password } = new URL(url);
  await said(server.adminUrl, `create database ${pathname.slice(1)}`);
  await said(server.adminUrl, `alter role ${username} password '${password}'`);
  Object.assign(own, { pathname, password });
  await said(own.href, "create table place (name text)");
  return own.href;
}

async function said(url: string, statement: string): Promise<void> {
  const one = connect(url, { max: 1 });
  await one.unsafe(statement);
  await one.end();
}

test("of several hosts the one that writes is found by every connection, and the next one when it changes", async () => {
  const { db, url } = await createDatabase();
  await db`create table place (name text)`;
  const other = await second(url);
  const [name = ""] = new URL(url).pathname.slice(1).split("/");
  const writes = async (at: string, may: boolean) =>
    said(at, `alter database ${name} set default_transaction_read_only = ${may ? "off" : "on"}`);
  const both = new URL(url);
  const hosts = [url, other].map((each) => new URL(each).host).join(",");
  const login = both.password === "" ? both.username : `${both.username}:${both.password}`;
  await writes(url, false);
  const one = connect(`postgres://${login}@${hosts}/${name}?target_session_attrs=read-write`, { max: 6 });
  onTestFinished(() => one.end({ timeout: 1 }));
  const insert = () => one`insert into place values ('here')`;
  await Promise.all(Array.from({ length: 12 }, insert));
  expect(await db`select 1 from place`).toHaveLength(0);
  const heard = Promise.withResolvers<string>();
  const stop = await listen(one, "news", heard.resolve);
  onTestFinished(stop);
  await notify(one, "news", "here");
  expect(await heard.promise).toBe("here");

  // The fail-over: it becomes a standby, which ends its connections, and the first takes over.
  const admin = connect(other, { max: 1 });
  onTestFinished(() => admin.end());
  await admin.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  await said(url, `begin read write; alter database ${name} set default_transaction_read_only = off; commit`);
  await admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`;
  await Promise.allSettled(Array.from({ length: 6 }, insert));
  await insert();
  expect((await db`select 1 from place`).length).toBeGreaterThan(0);
});

test("a server that takes no writes any more refuses one, and is left by every connection", async () => {
  const { db, url } = await createDatabase();
  await db`create table place (name text)`;
  const one = connect(url, { max: 3 });
  onTestFinished(() => one.end({ timeout: 1 }));
  const three = <Answer>(work: () => Promise<Answer>) => Promise.allSettled([work(), work(), work()]);
  // As after a change of roles that keeps the connections: the next write on each of them would be refused.
  await three(
    async () => one`select set_config('default_transaction_read_only', 'on', false), pg_sleep(0.05)`,
  );
  await expect(one`insert into place values ('refused')`).rejects.toMatchObject({ code: "25006" });
  const insert = async () => one`insert into place values ('here')`;
  // Sockets end between two turns of the event loop.
  await vi.waitFor(insert, soon);
  const written = await three(insert);
  expect(written.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
});

test("when no host writes every query is told so, and none waits", async () => {
  const { url } = await createDatabase();
  const { username, pathname } = new URL(url);
  const one = connect(`postgres://${username}@127.0.0.1:1,127.0.0.1:2${pathname}`, { max: 2 });
  onTestFinished(() => one.end({ timeout: 1 }));
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => one`select 1`));
  for (const outcome of outcomes)
    expect(String((outcome as PromiseRejectedResult).reason)).toContain("takes writes");
});
