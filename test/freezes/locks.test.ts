// What a process does to the others that stops in the midst of a transaction: by SIGSTOP, without power, without a network.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { usd } from "../../src/server/platform/money.ts";
import { connect, type Db } from "../../src/server/platform/db/db.ts";
import { openOrders } from "../../src/server/orders/orders.ts";
import { createDatabase } from "../kit/database.ts";
import { buyer, shelf, site } from "../kit/shelf.ts";

/** Seconds of operation, as milliseconds of a test. */
const short = { statementMs: 2_000, lockMs: 100, idleInTransactionMs: 700, silenceMs: 2_500 };

function pool(url: string, max: number): Db {
  const opened = connect(url, { max, deadlines: short });
  onTestFinished(() => opened.end({ timeout: 1 }));
  return opened;
}

/** Begins a transaction that locks the buyer's account, and says nothing more. */
async function freeze(url: string, userId: bigint): Promise<void> {
  const frozen = await pool(url, 1).reserve();
  await frozen`begin`;
  await frozen`select 1 from account where user_id = ${userId} for update`;
}

/** A shop of six buyers, and what becomes of eight asks of each while the account of the first is locked. */
async function shop() {
  const { db, url } = await createDatabase();
  const work = pool(url, 6);
  await work`select 1`;
  const orders = openOrders(work, { ttlSeconds: 1200, concurrency: 3 });
  onTestFinished(() => orders.drain());
  const [siteId, { domainId }] = [await site(db), await shelf(db, 60, "0.01")];
  const [locked = 0n, ...others] = await Promise.all(
    Array.from({ length: 6 }, () => buyer(db, { balance: "1" })),
  );
  const place = (userId: bigint) => orders.place({ userId, siteId, domainIds: [domainId] });
  await place(others[0] ?? 0n);
  /** How many of forty asks of the other buyers are placed. */
  const rush = async () => {
    const asked = Array.from({ length: 8 }, () => [locked, ...others]).flat();
    const outcomes = await Promise.allSettled(asked.map(place));
    return outcomes.filter(
      (each, index) => asked[index] !== locked && each.status === "fulfilled" && "orderId" in each.value,
    ).length;
  };
  /** The price that the locked buyer pays, once he is served. */
  const served = () =>
    place(locked).then(
      (placed) => "price" in placed && placed.price,
      () => "not yet",
    );
  return { url, locked, rush, served };
}

test("a transaction that stands still with a buyer's account locked stops no other buyer, and this one for seconds", async () => {
  const { url, locked, rush, served } = await shop();
  await freeze(url, locked);
  expect(await rush()).toBe(40);
  // The database has ended the frozen transaction, or does so soon.
  await expect.poll(served).toBe(usd("0.01"));
});

test(
  "a process that is frozen with a buyer's account locked stops no other buyer, and this one for seconds",
  { tags: ["full"], timeout: 15_000 },
  async () => {
    const { url, locked, rush, served } = await shop();
    const script = fileURLToPath(new URL("locker.ts", import.meta.url));
    const child = spawn(process.execPath, [script, url, String(locked), "700"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    child.kill("SIGSTOP");
    expect(await rush()).toBe(40);
    await expect.poll(served).toBe(usd("0.01"));
  },
);
