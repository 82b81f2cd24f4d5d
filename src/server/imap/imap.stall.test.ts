// @module-tag full
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { closeHouses, codeLetter, openHouse } from "../../../test/kit/hosted.ts";
import { openStalling, type Stalling } from "../../../test/kit/stalling.ts";
import { soon } from "../../../test/kit/soon.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import type { Times } from "./imap.ts";

const { db } = await createDatabase();
afterEach(closeHouses);

/** A server that stops or drips bytes; each hits a bound of its own. */
const ways: [string, Pick<Stalling, "drips">, Partial<Times>][] = [
  ["is silent", { drips: false }, { silenceMs: 300 }],
  ["drips", { drips: true }, { fetchMs: 300, onceMs: 300 }],
];

async function hosted(how: Pick<Stalling, "drips">, at: RegExp, code: string) {
  const server: Stalling = Object.assign(await openStalling(), { ...how, at });
  onTestFinished(() => server.close());
  const house = await openHouse(db, server, { tls: "none" });
  server.letter = codeLetter(house.site, code);
  return { server, house };
}

for (const [way, how, times] of ways) {
  test.each([
    ["a letter", /BODY/],
    ["a list of letters", /INTERNALDATE/],
  ])(`a server that ${way} within %s is left, and asked anew until it has told all`, async (_what, at) => {
    const { server, house } = await hosted(how, at, "300001");
    await house.fetch({ ...times, refusedSeconds: [], restSeconds: { first: 0.1, max: 0.2 } });
    const { orderId } = await house.order();
    await vi.waitFor(() => expect(server.stalled).toBeGreaterThanOrEqual(2), soon);
    expect(server.connections()).toBeLessThanOrEqual(1);
    expect(await house.codes(orderId)).toEqual([]);
    server.at = undefined;
    await house.expectCodes(orderId, ["300001"]);
  });

  test(`a mailbox whose server ${way} while it is looked into was not seen, neither good nor bad`, async () => {
    const { server, house } = await hosted(how, /ENVELOPE/, "300002");
    await db`update imap_host set permits = 1000000`;
    const [mailbox] = await db<{ id: bigint }[]>`
      select m.id from mailbox m join mail_domain d on d.id = m.domain_id where d.name = ${house.domain}`;
    const { imap } = await house.fetch(times);
    const before = secondsAfter(now(), -60);
    const check = () => imap.check(mailbox!.id, before);
    // On a busy machine the bound may come before the server stops.
    await vi.waitUntil(async () => (await check()).seen === "down" && server.stalled > 0, soon);
    await vi.waitFor(() => expect(server.connections()).toBe(0), soon);
    server.at = undefined;
    await vi.waitFor(async () => expect((await check()).seen).toBe("opened"), soon);
  });
}
