// @module-tag slow
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { type Dovecot, noDovecot, startDovecot } from "../../../test/kit/dovecot.ts";
import {
  closeHouses,
  codeLetter,
  type HostedOrder,
  type House,
  type HouseOptions,
  openHouse,
  secretKey,
} from "../../../test/kit/hosted.ts";
import { freePort } from "../../../test/kit/port.ts";
import { ready, spawnShop } from "../../../test/kit/process.ts";
import { readConfig, resolveSecret } from "../platform/config/config.ts";
import { createSeal } from "../platform/seal.ts";

const { db, url } = await createDatabase();
let dovecot: Dovecot;
const seal = createSeal(
  resolveSecret(readConfig({ DATABASE_URL: url, SECRET_KEY: secretKey, DATA_DIR: "/nonexistent" })),
);

const house = (options: HouseOptions = {}) => openHouse(db, dovecot, options, seal);

beforeAll(async () => {
  if (noDovecot === undefined) dovecot = await startDovecot();
});
afterEach(closeHouses);
afterAll(() => dovecot?.remove());

const patience = { timeout: 60_000, interval: 100 };
const codeOf = (place: number) => String(100_000 + place);

const keptIn = async (placed: readonly HostedOrder[]) => {
  const ids = placed.map(({ mailboxId }) => String(mailboxId));
  return (await db`select from recipient where mailbox_id = any (${ids})`).length;
};

async function dropAll(made: House, placed: readonly HostedOrder[], from: number, to: number): Promise<void> {
  for (let place = from; place < to; place++) {
    const { login } = placed[place % placed.length] ?? { login: "" };
    await dovecot.drop(login, codeLetter(made.site, codeOf(place)));
  }
}

async function expectEachOnce(made: House, placed: readonly HostedOrder[], letters: number): Promise<void> {
  await vi.waitFor(async () => expect(await keptIn(placed)).toBeGreaterThanOrEqual(letters), patience);
  for (const [first, { orderId }] of placed.entries()) {
    const places = Array.from({ length: letters }, (_, place) => place);
    const mine = places.filter((place) => place % placed.length === first);
    await made.expectCodes(orderId, mine.map(codeOf), 30_000);
  }
  expect(await keptIn(placed)).toBe(letters);
}

describe.skipIf(noDovecot !== undefined)(`hosted mailboxes in outages ${noDovecot ?? ""}`, () => {
  test.each(["SIGTERM", "SIGKILL"] as const)(
    "a server that ends by %s and comes back is gone on with: no letter is lost, none is taken twice",
    async (signal) => {
      const made = await house({ mailboxes: 4 });
      const placed = await Promise.all([1, 2, 3, 4].map(() => made.order()));
      const { imap } = await made.fetch({ restSeconds: { first: 0.1, max: 0.5 } });
      await dropAll(made, placed, 0, 20);
      await vi.waitFor(async () => expect(await keptIn(placed)).toBeGreaterThan(3), patience);
      await dovecot.stop(signal);
      await dropAll(made, placed, 20, 30);
      await vi.waitFor(async () => {
        const failures = (await imap.hosts()).map((host) => host.failures);
        expect(Math.max(...failures)).toBeGreaterThan(1);
      }, patience);
      await dovecot.start();
      await dropAll(made, placed, 30, 40);
      await expectEachOnce(made, placed, 40);
    },
    90_000,
  );

  test(
    "killing the process again and again, at any moment, loses no letter and takes none twice",
    { tags: ["full"], timeout: 180_000 },
    async () => {
      const made = await house({ mailboxes: 4 });
      const placed = await Promise.all([1, 2, 3, 4].map(() => made.order()));
      const dataDir = await mkdtemp(join(tmpdir(), "postern-killed-"));
      const kills = 3;
      const perLife = 20;
      try {
        for (let life = 0; life < kills; life++) {
          const shop = await startShop(dataDir);
          const dropping = dropAll(made, placed, life * perLife, (life + 1) * perLife);
          const few = life * perLife + 2 + Math.floor(Math.random() * 12);
          await vi.waitFor(async () => expect(await keptIn(placed)).toBeGreaterThanOrEqual(few), {
            timeout: 60_000,
            interval: 3,
          });
          shop.kill("SIGKILL");
          await Promise.all([once(shop, "exit"), dropping]);
          // Ends its leases.
          await db`update imap_mailbox set lease_until = clock_timestamp()`;
        }
        const shop = await startShop(dataDir);
        await expectEachOnce(made, placed, kills * perLife);
        shop.kill("SIGTERM");
        await once(shop, "exit");
        expect(await db`select from imap_mailbox where worker is not null`).toHaveLength(0);
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  );

  test("what a process leaves when it dies is taken over by another as soon as its leases end", async () => {
    const made = await house();
    const { orderId, login, mailboxId } = await made.order();
    await db`insert into imap_mailbox (mailbox_id, host_id, since, is_pending, turn_at, worker, leased_at, lease_until)
             select ${mailboxId}, (select max(id) from imap_host), now(), true, now(), 'dead', now(), now() + interval '3 seconds'`;
    await made.fetch();
    await dovecot.drop(login, codeLetter(made.site, "123456"));
    await made.expectCodes(orderId, ["123456"], 20_000);
    const [row] =
      await db`select leased_at > now() - interval '20 seconds' and worker <> 'dead' as mine from imap_mailbox where mailbox_id = ${mailboxId}`;
    expect(row?.["mine"]).toBe(true);
  });
});

async function startShop(dataDir: string): Promise<ChildProcess> {
  const child = spawnShop({
    PATH: process.env["PATH"] ?? "",
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    DATA_DIR: dataDir,
    ROLES: "jobs",
    PORT: String(await freePort()),
    LOG_LEVEL: "error",
  });
  await ready(child);
  return child;
}
