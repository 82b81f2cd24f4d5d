// @module-tag slow
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { type Dovecot, noDovecot, startDovecot } from "../../../test/kit/dovecot.ts";
import { closeHouses, codeLetter, type HouseOptions, houses, openHouse } from "../../../test/kit/hosted.ts";
import { soon } from "../../../test/kit/soon.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";

const { db } = await createDatabase();
let dovecot: Dovecot;

const house = (options: HouseOptions = {}, at = dovecot) => openHouse(db, at, options);

beforeAll(async () => {
  if (noDovecot === undefined) dovecot = await startDovecot();
});
afterEach(closeHouses);
afterAll(() => dovecot?.remove());

const kept = async (mailboxId: bigint) =>
  (await db`select from recipient where mailbox_id = ${mailboxId}`).length;
const isOpen = (at = dovecot) => vi.waitFor(() => expect(at.connections()).toBe(1), soon);
const isClosed = (at = dovecot) => vi.waitFor(() => expect(at.connections()).toBe(0), soon);

const isRead = (mailboxId: bigint, folder = "INBOX") =>
  vi.waitFor(async () => {
    const rows = await db`select from imap_folder where mailbox_id = ${mailboxId} and folder = ${folder}`;
    expect(rows).toHaveLength(1);
  }, soon);

describe.skipIf(noDovecot !== undefined)(`letters of hosted mailboxes ${noDovecot ?? ""}`, () => {
  test.each(["implicit", "starttls", "none"] as const)(
    "a letter comes to its order because the server tells of it, TLS %s",
    async (tls) => {
      const { site, order, fetch, expectCodes } = await house({ tls });
      await fetch({ junkMs: 600_000 });
      const { orderId, login, mailboxId } = await order();
      await isRead(mailboxId);
      await dovecot.drop(login, codeLetter(site, "100001"));
      await expectCodes(orderId, ["100001"]);
    },
  );

  test("a server that cannot tell of letters is asked every few moments", async () => {
    const plain = await startDovecot({ capability: "IMAP4rev1 SASL-IR LITERAL+ ID NAMESPACE" });
    try {
      const { site, order, fetch, expectCodes } = await house({}, plain);
      await fetch();
      const { orderId, login, mailboxId } = await order();
      await isRead(mailboxId);
      for (const code of ["200001", "200002", "200003"]) await plain.drop(login, codeLetter(site, code));
      await expectCodes(orderId, ["200001", "200002", "200003"]);
    } finally {
      await houses.pop()?.close();
      await plain.remove();
    }
  });

  test("a server that does not offer STARTTLS where it must is told no password", async () => {
    const { port } = dovecot;
    const stripped = createServer((client) => {
      const server = connect(port, "127.0.0.1");
      // A man in the middle removes the offer.
      server.on("data", (bytes) =>
        client.write(bytes.toString("latin1").replaceAll("STARTTLS ", ""), "latin1"),
      );
      client.on("data", (bytes) => {
        heard += bytes.toString("latin1");
        server.write(bytes);
      });
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const)
        one.on("error", () => undefined).on("close", () => other.destroy());
    });
    let heard = "";
    await once(stripped.listen(0, "127.0.0.1"), "listening");
    try {
      const between = (stripped.address() as AddressInfo).port;
      const { order, fetch } = await house({ tls: "starttls" }, { ...dovecot, port: between });
      const { imap } = await fetch();
      await order();
      await vi.waitFor(async () => {
        const errors = (await imap.hosts()).map(({ error }) => error);
        expect(errors).toContainEqual(expect.stringContaining("does not support STARTTLS"));
      }, soon);
      expect(heard).not.toMatch(/login|authenticate/i);
      expect(heard).not.toContain(dovecot.password);
    } finally {
      await houses.pop()?.close();
      stripped.close();
    }
  });

  test("letters in the junk folder are found, and one that is moved out of it is not taken twice", async () => {
    const { site, order, fetch, expectCodes } = await house();
    await fetch();
    const { orderId, login, mailboxId } = await order();
    await isRead(mailboxId, "Junk");
    const letter = codeLetter(site, "300001");
    await dovecot.drop(login, letter, { folder: "Junk" });
    await expectCodes(orderId, ["300001"]);
    await dovecot.drop(login, letter);
    await dovecot.drop(login, codeLetter(site, "300002"));
    await expectCodes(orderId, ["300001", "300002"]);
    expect(await kept(mailboxId)).toBe(2);
  });

  test("letters from before the order are none of ours, and nothing is changed on the server", async () => {
    const { site, order, fetch, expectCodes } = await house();
    const login = `box0@${houses.at(-1)?.domain}`;
    for (const seconds of [-90_000, -3_600, -5])
      await dovecot.drop(login, codeLetter(site, "111111"), { at: secondsAfter(now(), seconds) });
    const before = await dovecot.files(login);
    const { orderId, mailboxId } = await order();
    await dovecot.drop(login, codeLetter(site, "400001"));
    await fetch();
    await expectCodes(orderId, ["400001"]);
    expect(await kept(mailboxId)).toBe(1);
    const files = await dovecot.files(login);
    expect(files).toHaveLength(4);
    // A flag of a read, answered or deleted letter would be in its name (":2,S").
    expect(files.filter((name) => /:2,\w/.test(name))).toEqual([]);
    expect(before).toHaveLength(3);
  });

  test("a new order at the same mailbox gets only what came after it", async () => {
    const { site, order, again, fetch, expectCodes } = await house();
    await fetch();
    const first = await order();
    await dovecot.drop(first.login, codeLetter(site, "500001"));
    await expectCodes(first.orderId, ["500001"]);
    const second = await again(first);
    await dovecot.drop(first.login, codeLetter(site, "500002"), { at: secondsAfter(now(), 1) });
    await expectCodes(second.orderId, ["500002"]);
    await expectCodes(first.orderId, ["500001", "500002"]);
  });

  test("letters that came while nobody looked are none of ours either, however old", async () => {
    const { site, order, cancel, fetch, expectCodes } = await house();
    const fetching = await fetch();
    const first = await order();
    await isRead(first.mailboxId, "Junk");
    await cancel(first);
    await isClosed();
    await fetching.stop();
    await db`update imap_folder set checked_at = checked_at - interval '3 days'`;
    for (const hours of [-1, -60, -50])
      await dovecot.drop(first.login, codeLetter(site, "111111"), { at: secondsAfter(now(), hours * 3_600) });
    const second = await order();
    await fetch();
    await isOpen();
    await vi.waitFor(async () => {
      const [row] =
        await db`select last_uid from imap_folder where mailbox_id = ${second.mailboxId} and folder = 'INBOX'`;
      expect(row?.["last_uid"]).toBe(3n);
    }, soon);
    await dovecot.drop(second.login, codeLetter(site, "510001"));
    await expectCodes(second.orderId, ["510001"]);
    expect(await kept(second.mailboxId)).toBe(1);
  });

  test("a connection is closed when the last order of its mailbox ends", async () => {
    const { order, cancel, fetch } = await house();
    await fetch();
    const placed = await order();
    await isOpen();
    await cancel(placed);
    await isClosed();
  });

  test("a domain that moves to another host is followed there at once", async () => {
    const { site, domain, order, fetch, expectCodes } = await house();
    await fetch();
    const { orderId, login, mailboxId } = await order();
    await isRead(mailboxId);
    const host = async () =>
      (await db`select host_id from imap_mailbox where mailbox_id = ${mailboxId}`)[0]?.["host_id"] as number;
    const before = await host();
    await db`update mail_domain set imap_port = ${dovecot.port}, imap_tls = 'none' where name = ${domain}`;
    await vi.waitFor(async () => expect(await host()).not.toBe(before), soon);
    await dovecot.drop(login, codeLetter(site, "800001"));
    await expectCodes(orderId, ["800001"]);
    await vi.waitFor(async () => {
      const [row] =
        await db`select count(*)::integer as open from imap_mailbox where host_id = ${before} and lease_until > now()`;
      expect([row?.["open"], dovecot.connections()]).toEqual([0, 1]);
    }, soon);
  });

  test("letters that get new numbers (UIDVALIDITY) are not taken again, and new ones are", async () => {
    const { site, order, fetch, expectCodes } = await house();
    const fetching = await fetch();
    const { orderId, login, mailboxId } = await order();
    await isRead(mailboxId);
    for (const code of ["600001", "600002"]) await dovecot.drop(login, codeLetter(site, code));
    await expectCodes(orderId, ["600001", "600002"]);
    const [before] =
      await db`select uid_validity from imap_folder where mailbox_id = ${mailboxId} and folder = 'INBOX'`;
    await fetching.stop();
    await dovecot.stop();
    await dovecot.renumber(login);
    // It is named by the second of its creation.
    await vi.waitFor(
      () => expect(BigInt(Math.floor(now().getTime() / 1000))).toBeGreaterThan(before?.["uid_validity"] + 1n),
      soon,
    );
    await dovecot.start();
    await dovecot.drop(login, codeLetter(site, "600003"));
    await fetch();
    await expectCodes(orderId, ["600001", "600002", "600003"]);
    const [after] =
      await db`select uid_validity from imap_folder where mailbox_id = ${mailboxId} and folder = 'INBOX'`;
    expect(after?.["uid_validity"]).not.toBe(before?.["uid_validity"]);
    expect(await kept(mailboxId)).toBe(3);
  });

  test("a letter that is too large is left where it is, and holds up none behind it", async () => {
    const { site, order, fetch, expectCodes } = await house();
    await fetch();
    const { orderId, login, mailboxId } = await order();
    await isRead(mailboxId);
    await dovecot.drop(login, codeLetter(site, "777777") + "x".repeat(70).concat("\r\n").repeat(160_000));
    await dovecot.drop(login, codeLetter(site, "700001"));
    await expectCodes(orderId, ["700001"]);
    expect(await kept(mailboxId)).toBe(1);
  });

  test.each([-3, 5])(
    "a letter whose size Dovecot has wrong by %d bytes, so that it hangs up, holds up none behind it",
    async (wrongBy) => {
      const { site, order, fetch, expectCodes } = await house();
      await fetch();
      const { orderId, login, mailboxId } = await order();
      await isRead(mailboxId);
      const letter = codeLetter(site, "710001");
      await dovecot.drop(login, letter, { size: letter.length + wrongBy });
      for (const code of ["710002", "710003"]) await dovecot.drop(login, codeLetter(site, code));
      await expectCodes(orderId, ["710002", "710003"]);
    },
  );

  test.each(["implicit", "starttls"] as const)(
    "a server with a certificate of nobody that we know is told no password, TLS %s",
    async (tls) => {
      const { order, fetch, codes } = await house({ tls, isTrusted: false });
      const logins = dovecot.logins();
      const { imap } = await fetch();
      const { orderId } = await order();
      await vi.waitFor(async () => {
        const errors = (await imap.hosts()).map(({ error }) => error);
        expect(errors).toContainEqual(expect.stringContaining("self-signed certificate"));
      }, soon);
      expect(dovecot.logins()).toBe(logins);
      expect(await codes(orderId)).toEqual([]);
      await db`update imap_host set failures = 0, next_try_at = '-infinity'`;
    },
  );

  test("a mailbox whose password is refused leaves the sale at once; its order goes on, and no log has the password", async () => {
    const said: string[] = [];
    const log = createLog(
      "trace",
      new Writable({ write: (chunk, _encoding, done) => (said.push(String(chunk)), done()) }),
    );
    const { order, fetch } = await house({ password: "not the right one" });
    await fetch({ refusedSeconds: [0.05, 0.05] }, log);
    const { orderId, mailboxId } = await order();
    await vi.waitFor(async () => {
      const [row] = await db`select dead from mailbox where id = ${mailboxId}`;
      expect(row?.["dead"]).toBe(true);
    }, soon);
    const [row] = await db`
      select o.status, m.secret is not null as kept from orders o join mailbox m on m.id = o.mailbox_id where o.id = ${orderId}`;
    expect(row).toEqual({ status: "pending", kept: true });
    await isClosed();
    expect(said.join("")).toContain("it is out of sale");
    const [watched] = await db`select last_error from imap_mailbox where mailbox_id = ${mailboxId}`;
    expect(said.join("") + String(watched?.["last_error"])).not.toContain("not the right one");
  });

  test("a server that refuses every password makes no mailbox dead", async () => {
    const { order, fetch } = await house({ password: "not the right one", mailboxes: 6 });
    const { imap } = await fetch({
      refusedSeconds: [3600],
      lookMs: 50,
      checkAgainMs: 10,
      restSeconds: { first: 0.01, max: 0.05 },
    });
    const placed = await Promise.all(Array.from({ length: 6 }, () => order()));
    const ids = placed.map(({ mailboxId }) => String(mailboxId));
    const refused = (times: number) =>
      vi.waitFor(async () => {
        const rows =
          await db`select from imap_mailbox where mailbox_id = any (${ids}) and refusals = ${times}`;
        expect(rows).toHaveLength(6);
      }, soon);
    await refused(1);
    await db`update imap_mailbox set next_try_at = '-infinity' where mailbox_id = any (${ids})`;
    await refused(2);
    expect(await db`select from mailbox where id = any (${ids}) and secret is null`).toHaveLength(0);
    expect((await imap.hosts()).map(({ error }) => error)).toContainEqual(expect.stringMatching(/auth/i));
  });
});
