// @module-tag full
// Letters on the workers of a Citus cluster: moved there while the shop runs, then stored, read, released, forgotten and audited; a
// worker dies.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { addPartitions } from "../../src/server/letters/letters.retention.sql.ts";
import { forgetOld } from "../../src/server/letters/letters.retention.ts";
import { audit } from "../../src/server/orders/orders.ts";
import { now, secondsAfter } from "../../src/server/platform/clock.ts";
import { connect } from "../../src/server/platform/db/db.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { sayTo } from "../kit/command.ts";
import { citusVersion, startCitus } from "../kit/servers.ts";
import { startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

const without = citusVersion === undefined ? "SKIPPED: no PostgreSQL here has Citus" : "";

const letter = (to: string, code: string, from = "no-reply@mail.instagram.com") => ({
  to,
  from,
  subject: `${code} is your code`,
  text: `Your code is ${code}.`,
});

async function openShop(url: string) {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-cluster-"));
  const db = connect(url, { max: 4 });
  onTestFinished(async () => {
    await db.end();
    await rm(dataDir, { recursive: true, force: true });
  });
  const shop = await startShop({ LOG_LEVEL: "fatal" }, { db, databaseUrl: url, dataDir });
  onTestFinished(() => shop.stop());
  const say = async (...words: string[]) => {
    const { status, out, err } = await sayTo(db, words);
    return status === 0 ? out : err;
  };
  return { shop, db, say };
}

const codeOf = async (shop: TestShop, token: string, id: string) =>
  (await shop.get("/email/getmessage", { token, id, wait: 30 }))["code"];

test.skipIf(citusVersion === undefined)(
  `letters on a cluster are all that letters of one database are ${without}`,
  async () => {
    const { url, workers } = await startCitus(citusVersion!);
    const { shop, db, say } = await openShop(url);
    const token = await shop.buyer();
    const before = await shop.order(token);
    await shop.send(letter(before.email, "111111"));
    expect(await codeOf(shop, token, before.id)).toBe("111111");

    expect(await say("cluster", "check")).toMatch(/bytes of letters can be moved to 2 workers/);
    expect(await say("cluster", "distribute")).toMatch(/^Moved to the workers: letter_raw, letter_body\./);
    expect(await say("cluster", "distribute")).toBe("The letters had been moved before.\n");
    expect(await say("cluster", "show")).toMatch(/letter_body +workers/);

    // Order, letter, read, timeline, the letter from before the move.
    const after = await shop.order(token);
    await shop.send(letter(after.email, "222222"));
    expect(await codeOf(shop, token, after.id)).toBe("222222");
    expect(await codeOf(shop, token, before.id)).toBe("111111");
    expect(await shop.get("/email/timeline", { token, id: after.id })).toMatchObject({ status: "success" });
    expect(await shop.get("/email/history", { token })).toMatchObject({ status: "success" });

    // Release: a letter of an unknown sender waits until its domain is one of the site.
    const waiting = await shop.order(token, { site: "discord.com" });
    await shop.send(letter(waiting.email, "333333", "no-reply@discord-letters.example"));
    await vi.waitFor(
      async () => expect(await say("letters", "turned-away")).toMatch("discord-letters.example"),
      soon,
    );
    await say("sites", "alias", "discord", "discord-letters.example");
    expect(await codeOf(shop, token, waiting.id)).toBe("333333");

    // Forget: what is older than it is kept goes with its partitions.
    const old = secondsAfter(now(), -100 * 24 * 3600);
    expect(await addPartitions(db, old, old, { spanDays: 6, spansAhead: 0 })).toBe(2);
    await forgetOld(db, 30, { log: createLog("silent") });
    expect(
      await db`select name from letter_partition where ends_at < ${old}::timestamptz + interval '30 days'`,
    ).toEqual([]);

    // A worker dies: what is answered 250 is there when it is back, and the rest was refused for now.
    const orders = await Promise.all(Array.from({ length: 12 }, () => shop.order(token)));
    const codes = orders.map((_, nth) => String(500_000 + nth));
    await workers[0]!.signal("SIGKILL");
    const send = (nth: number) =>
      shop.send(letter(orders[nth]!.email, codes[nth]!)).then(
        () => true,
        (fault: { responseCode?: number }) => fault.responseCode,
      );
    const answers = [];
    for (const nth of orders.keys()) answers.push(await send(nth));
    expect(new Set(answers)).toEqual(new Set([true, 451]));
    expect(await say("cluster", "check")).toMatch(/does not answer/);
    await workers[0]!.start();
    // Each connection to the dead one fails once more.
    for (const [nth, answer] of answers.entries())
      if (answer !== true) await vi.waitFor(async () => expect(await send(nth)).toBe(true), soon);
    for (const [nth, { id }] of orders.entries()) expect(await codeOf(shop, token, id)).toBe(codes[nth]);
    expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
  },
  180_000,
);
