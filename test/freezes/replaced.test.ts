// @module-tag full
// A primary that lives on after a standby has taken over.
import { expect, onTestFinished, test } from "vitest";
import { connect, type Db } from "../../src/server/platform/db/db.ts";
import { deadlines } from "../../src/server/platform/db/deadlines.ts";
import { startPair } from "../kit/servers.ts";
import { openProxy } from "../kit/silence.ts";

test("a process that knows a newer primary uses no connection to the one before, in no pool, though it lives", async () => {
  const { url, primary, standby } = await startPair();
  const way = await openProxy(standby.url);
  const over = url.replace(new URL(standby.url).host, new URL(way.url).host);
  const silenceMs = 3_600_000;
  const open = () => connect(over, { max: 3, deadlines: { ...deadlines.calls, silenceMs } });
  const pools = [open(), open()];
  for (const pool of pools) onTestFinished(() => pool.end({ timeout: 1 }));
  const port = async (pool: Db) =>
    (await pool<{ port: number }[]>`select inet_server_port() as port`)[0]?.port;
  const ports = async () => {
    const asked = await Promise.allSettled(pools.flatMap((pool) => [port(pool), port(pool), port(pool)]));
    return new Set(asked.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
  };
  expect(await ports()).toEqual(new Set([primary.port]));

  await standby.promote();
  expect(await ports()).toEqual(new Set([primary.port]));
  // Who waits for an answer makes the process look for a newer primary.
  const waits = pools[0]!`select pg_sleep(60)`.then(
    () => "answered",
    (fault: { code: string }) => fault.code,
  );
  expect(await waits).toBe("CONNECTION_CLOSED");
  // A query may meet the end of its connection, but no answer of the older server.
  expect(await ports()).not.toContain(primary.port);
  expect(await ports()).toEqual(new Set([standby.port]));

  // The newer one is away, and the other one writes: better no answer than an old one.
  way.silence({ andNew: true });
  const late = connect(over, { max: 1 });
  onTestFinished(() => late.end({ timeout: 1 }));
  await expect(port(late)).rejects.toThrow("the primary that was used last");
});
