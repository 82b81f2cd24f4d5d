// @module-tag slow
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { type Dovecot, noDovecot, startDovecot } from "../../../test/kit/dovecot.ts";
import {
  closeHouses,
  codeLetter,
  type House,
  type HouseOptions,
  openHouse,
} from "../../../test/kit/hosted.ts";
import type { Host } from "./imap.ts";
import { soon } from "../../../test/kit/soon.ts";

const { db } = await createDatabase({ max: 30 });
let dovecot: Dovecot;

const house = (options: HouseOptions = {}) => openHouse(db, dovecot, options);

beforeAll(async () => {
  if (noDovecot === undefined) dovecot = await startDovecot();
});
afterEach(closeHouses);
afterAll(() => dovecot?.remove());

const ordersAt = (made: House, count: number) =>
  Promise.all(Array.from({ length: count }, () => made.order()));

const openOf = (hosts: readonly Host[]) => Math.max(0, ...hosts.map(({ open }) => open));

function watchMost(count: () => Promise<number>): () => Promise<number> {
  let most = 0;
  let isOver = false;
  onTestFinished(() => void (isOver = true));
  const watching = (async () => {
    for (; !isOver; await new Promise((resolve) => setTimeout(resolve, 100)))
      most = Math.max(most, await count());
  })();
  return async () => {
    isOver = true;
    await watching;
    return most;
  };
}

const codeOf = (place: number) => String(100_000 + place);

describe.skipIf(noDovecot !== undefined)(`many hosted mailboxes ${noDovecot ?? ""}`, () => {
  test(
    "three hundred living mailboxes take turns at twenty connections, and each gets its letters",
    { tags: ["full"], timeout: 330_000 },
    async () => {
      const made = await house({ mailboxes: 300, connections: 20, loginsPerMinute: 60_000, tls: "none" });
      const placed = await ordersAt(made, 300);
      const drop = ({ login }: { login: string }, place: number) =>
        dovecot.drop(login, codeLetter(made.site, codeOf(place)));
      const given = async () =>
        (
          await db`select from delivery where order_id = any (${placed.map(({ orderId }) => String(orderId))})`
        ).length;
      await Promise.all(placed.map(drop));
      // As often as usual: a connection stays for less.
      const { imap } = await made.fetch({ pollMs: 3_000 });
      const [most, leased] = [
        watchMost(async () => dovecot.connections()),
        watchMost(async () => openOf(await imap.hosts())),
      ];
      await vi.waitFor(async () => expect(await given()).toBe(300), { timeout: 150_000, interval: 250 });
      expect(await imap.hosts()).toContainEqual(expect.objectContaining({ wanted: 300, connections: 20 }));
      await Promise.all(
        [7, 77, 177, 277].map((place) => drop(placed[place] ?? { login: "" }, 1_000 + place)),
      );
      await vi.waitFor(async () => expect(await given()).toBe(304), { timeout: 150_000, interval: 250 });
      for (const [place, { orderId }] of placed.entries())
        expect((await made.codes(orderId))[0]).toBe(codeOf(place));
      expect(await leased()).toBe(20);
      // The kernel counts while some close and others open.
      expect(await most()).toBeLessThan(30);
    },
  );

  test("no more logins are made in a minute than the operator allows", { tags: ["full"] }, async () => {
    const made = await house({ mailboxes: 60, connections: 5, loginsPerMinute: 60 });
    const startedAt = performance.now();
    await db`update imap_host set permits = 0, permits_at = clock_timestamp()`;
    const before = dovecot.logins();
    await ordersAt(made, 60);
    await made.fetch();
    await vi.waitFor(() => expect(dovecot.logins() - before).toBeGreaterThan(4), {
      timeout: 30_000,
      interval: 20,
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(dovecot.logins() - before).toBeLessThanOrEqual(seconds + 1);
  });

  test("two processes share the mailboxes of a host, one takes over what the other leaves, and no letter is taken twice", async () => {
    const made = await house({ mailboxes: 40, connections: 40 });
    const [first] = [await made.fetch(), await made.fetch()];
    const placed = await ordersAt(made, 40);
    const ids = placed.map(({ mailboxId }) => String(mailboxId));
    const shares = async () => {
      const rows = await db<{ count: number }[]>`
        select count(*)::integer as count from imap_mailbox where mailbox_id = any (${ids}) and lease_until > now() group by worker`;
      return rows.map(({ count }) => count).toSorted((a, b) => a - b);
    };
    await vi.waitFor(
      async () => expect((await shares()).reduce((sum, share) => sum + share, 0)).toBe(40),
      soon,
    );
    const [smaller = 0, larger = 0, ...others] = await shares();
    expect([smaller >= 10, larger <= 30, others]).toEqual([true, true, []]);
    for (const [place, { login }] of placed.entries())
      await dovecot.drop(login, codeLetter(made.site, codeOf(place)));
    const stopping = first?.stop();
    for (const [place, { login }] of placed.entries())
      await dovecot.drop(login, codeLetter(made.site, codeOf(1_000 + place)));
    await stopping;
    for (const [place, { orderId }] of placed.entries())
      await made.expectCodes(orderId, [codeOf(place), codeOf(1_000 + place)], 30_000);
    expect(await shares()).toEqual([40]);
    const [all] = await db`select count(*)::integer as count from recipient where mailbox_id = any (${ids})`;
    expect(all?.["count"]).toBe(80);
  });
});
