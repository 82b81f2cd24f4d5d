// @module-tag slow
// @module-tag full
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import { connect } from "../platform/db/db.ts";
import { startEmbedded } from "../platform/db/embedded.ts";
import { migrate } from "../platform/db/migrate.ts";
import { audit, deliver, openOrders } from "./orders.ts";

// A server of its own, durable as in a shop: the one that tests share is not.
const dataDir = await mkdtemp(join(tmpdir(), "postern-crash-"));
await chmod(dataDir, 0o711);
const log = { info: () => undefined, warn: () => undefined };
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const start = async () => {
  const server = await startEmbedded({ dataDir, log });
  return { server, db: connect(server.url, { max: 8, name: "crash" }) };
};

/** Kills the database without any last write. */
async function killDatabase(): Promise<void> {
  const file = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8");
  process.kill(Number(file.split("\n")[0]), "SIGKILL");
}

type Ends = Map<bigint, "pending" | "canceled" | "received">;

async function trade(db: ReturnType<typeof connect>, shop: Shop, told: Ends, onOrder: () => void) {
  const orders = openOrders(db, { ttlSeconds: 1200, concurrency: 3 });
  const client = async (userId: bigint) => {
    for (let turn = 0; ; turn++) {
      const placed = await orders.place({ userId, siteId: shop.siteId, domainIds: [shop.domainId] });
      if (!("orderId" in placed)) throw new Error(`refused: ${placed.refusal}`);
      const { orderId } = placed;
      told.set(orderId, "pending");
      onOrder();
      // An unanswered ask may have happened or not.
      if (turn % 3 === 0) {
        told.delete(orderId);
        if ((await orders.cancel({ userId, orderId })).outcome === "activation canceled")
          told.set(orderId, "canceled");
      } else if (turn % 3 === 1) {
        told.delete(orderId);
        const letterId = await letter(db, [await mailboxOf(db, orderId)]);
        await deliver(db, [{ letterId, orderId }]);
        told.set(orderId, "received");
      }
    }
  };
  await Promise.allSettled(Array.from({ length: 24 }, (_, index) => client(shop.users[index % 4] as bigint)));
}

type Shop = { users: bigint[]; siteId: number; domainId: number };

test("a database that is killed in the middle of work has every order, refund and letter that was acknowledged", async () => {
  const told: Ends = new Map();
  const first = await start();
  await migrate(first.db);
  const shop: Shop = {
    users: await Promise.all(Array.from({ length: 4 }, () => buyer(first.db, { balance: "100" }))),
    siteId: await site(first.db),
    domainId: (await shelf(first.db, 20_000)).domainId,
  };
  let running = first;
  for (let round = 0; round < 3; round++) {
    const before = told.size;
    let kill = (): void => undefined;
    const killed = new Promise<void>((resolve) => (kill = resolve)).then(killDatabase);
    let placed = 0;
    await Promise.all([
      trade(running.db, shop, told, () => {
        placed += 1;
        if (placed === 300) kill();
      }),
      killed,
    ]);
    await running.db.end({ timeout: 1 });
    await running.server.stop();

    running = await start();
    const { db } = running;
    expect(told.size).toBeGreaterThan(before);
    const kept = await db<{ id: bigint; status: string }[]>`select id, status from orders`;
    const statusOf = new Map(kept.map(({ id, status }) => [id, status]));
    for (const [orderId, status] of told) expect([orderId, statusOf.get(orderId)]).toEqual([orderId, status]);
    expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
  }
  await running.db.end();
  await running.server.stop();
});

test("a program whose connections are cut one by one in the middle of work goes on, and has all that was acknowledged", async () => {
  const told: Ends = new Map();
  const { server, db } = await start();
  await migrate(db);
  const shop: Shop = {
    users: await Promise.all(Array.from({ length: 4 }, () => buyer(db, { balance: "100" }))),
    siteId: await site(db),
    domainId: (await shelf(db, 20_000)).domainId,
  };
  const knife = connect(server.url, { max: 1, name: "knife" });
  const cut = () => knife`
    select pg_terminate_backend(pid, 1000) from pg_stat_activity where application_name = 'crash'
    order by state = 'idle in transaction' desc, random() limit 1`;
  for (let round = 0; round < 6; round++) {
    const before = told.size;
    let placed = 0;
    let cutting: Promise<unknown> = Promise.resolve();
    // Each client works until it is cut off; the others go on until they are too.
    const working = trade(db, shop, told, () => {
      placed += 1;
      if (placed % 20 === 0) cutting = cutting.then(cut);
    });
    await working;
    await cutting;
    expect(told.size).toBeGreaterThan(before);
  }
  await knife.end();
  const kept = await db<{ id: bigint; status: string }[]>`select id, status from orders`;
  const statusOf = new Map(kept.map(({ id, status }) => [id, status]));
  for (const [orderId, status] of told) expect([orderId, statusOf.get(orderId)]).toEqual([orderId, status]);
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
  await db.end();
  await server.stop();
});
