// @module-tag slow
import { ImapFlow } from "imapflow";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { noDovecot, startDovecot } from "../../../test/kit/dovecot.ts";
import { closeHouses, codeLetter, openHouse } from "../../../test/kit/hosted.ts";
import { soon } from "../../../test/kit/soon.ts";

const { db } = await createDatabase();
afterEach(closeHouses);

describe.skipIf(noDovecot !== undefined)(`a busy server ${noDovecot ?? ""}`, () => {
  test("an hour of log-ins that Dovecot refuses by its own limit kills no mailbox, and the letter comes after it", async () => {
    const dovecot = await startDovecot({ connectionsOfOne: 1 });
    onTestFinished(() => dovecot.remove());
    const house = await openHouse(db, dovecot, { tls: "none", ttlSeconds: 7_200 });
    const login = `box0@${house.domain}`;
    const other = new ImapFlow({
      host: dovecot.host,
      port: dovecot.port,
      secure: false,
      doSTARTTLS: false,
      auth: { user: login, pass: dovecot.password },
      logger: false,
    });
    await other.connect();
    onTestFinished(() => other.close());
    const { imap } = await house.fetch({ restSeconds: { first: 1, max: 60 }, refusedSeconds: [5, 30, 300] });
    const { orderId, mailboxId } = await house.order();
    await dovecot.drop(login, codeLetter(house.site, "100001"));
    const host = async () => {
      const [row] = await db<{ failures: number; error: string | null; at: Date | null }[]>`
        select failures, last_error as error, last_error_at as at from imap_host order by id desc limit 1`;
      return row!;
    };
    for (let minute = 0; minute < 60; minute++) {
      const before = (await host()).at;
      await vi.waitFor(async () => {
        expect((await host()).at?.getTime()).not.toBe(before?.getTime());
        expect(
          await db`select from imap_mailbox where mailbox_id = ${mailboxId} and worker is null`,
        ).toHaveLength(1);
      }, soon);
      await db`update imap_host set next_try_at = next_try_at - interval '1 minute'`;
      await db`update imap_mailbox set next_try_at = next_try_at - interval '1 minute'`;
    }
    const [mailbox] = await db`select dead, secret is not null as kept from mailbox where id = ${mailboxId}`;
    expect(mailbox).toEqual({ dead: false, kept: true });
    expect((await host()).error).toMatch(/Maximum number of connections/);
    expect((await imap.hosts()).at(-1)?.failures).toBeGreaterThan(5);
    await other.logout();
    await db`update imap_host set next_try_at = '-infinity'`;
    await house.expectCodes(orderId, ["100001"]);
  });
});
