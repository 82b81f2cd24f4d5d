// @module-tag slow
// One odd answer of a server loses no letter and gives none to the wrong order.
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { closeHouses, codeLetter, type HouseOptions, openHouse } from "../../../test/kit/hosted.ts";
import { type Imapd, openImapd, type Question, type Twist } from "../../../test/kit/imapd.ts";
import { soon } from "../../../test/kit/soon.ts";
import { now, secondsAfter } from "../platform/clock.ts";

const { db } = await createDatabase();
afterEach(closeHouses);

async function odd(options: HouseOptions = {}) {
  const server = await openImapd();
  onTestFinished(() => server.close());
  const house = await openHouse(db, server, { tls: "none", ...options });
  return { server, house, codeLetter: (code: string) => codeLetter(house.site, code) };
}

const asked = (server: Imapd, command: Question["command"]) =>
  server.asked.filter((each) => each.command === command);

/** Until the inbox was looked at: what comes then is new. */
const isLookedAt = (mailboxId: bigint) =>
  vi.waitFor(async () => {
    const rows = await db`select from imap_folder where mailbox_id = ${mailboxId} and folder = 'INBOX'`;
    expect(rows).toHaveLength(1);
  }, soon);

const kept = async (mailboxId: bigint) =>
  (await db`select from recipient where mailbox_id = ${mailboxId}`).length;

/** The twist of the first so many questions of a command. */
const first = (command: Question["command"], count: number, twist: Twist) => {
  let left = count;
  return (question: Question) => (question.command === command && left-- > 0 ? twist : undefined);
};

describe("a letter is given once", () => {
  test.each<[string, Twist]>([
    [
      "a letter that nobody asked for is told of before it",
      { before: ["* 99 FETCH (UID 4711 FLAGS (\\Seen))"] },
    ],
    ["a flag of itself is told of before it", { before: ["* 1 FETCH (FLAGS (\\Seen))"] }],
    ["it comes in two lines", { body: "split" }],
    ["it comes twice", { isTwice: true }],
    ["it comes without its UID", { body: "without UID" }],
    ["the names of its items are spelt in small letters", { isRespelt: true }],
    ["the server says OK and gives nothing", { body: "none" }],
    ["the server gives NIL", { body: "NIL" }],
    ["the server gives a literal of no bytes", { body: "{0}" }],
    ["the server gives an empty text", { body: '""' }],
    ["the server says NO", { says: "NO later" }],
    ["the server drops the connection within it", { isCut: true }],
  ])("when %s, for the first two times", async (_what, twist) => {
    const { server, house, codeLetter: letter } = await odd();
    server.twist = first("body", 2, twist);
    await house.fetch();
    const { orderId, login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    server.put(login, letter("100001"));
    await house.expectCodes(orderId, ["100001"]);
    expect(await kept(mailboxId)).toBe(1);
  });

  test("by a server without UIDVALIDITY", async () => {
    const { server, house, codeLetter: letter } = await odd();
    server.validity = undefined;
    await house.fetch();
    const { orderId, login, mailboxId } = await house.order();
    server.put(login, letter("110001"));
    await house.expectCodes(orderId, ["110001"]);
    server.hangUp();
    server.put(login, letter("110002"));
    await house.expectCodes(orderId, ["110001", "110002"]);
    expect(await kept(mailboxId)).toBe(2);
  });

  test("that came between the order and the first look, although the list of letters does not know it yet", async () => {
    const { server, house, codeLetter: letter } = await odd();
    const login = `box0@${house.domain}`;
    for (const hours of [-30, -2])
      server.put(login, letter("111111"), { at: secondsAfter(now(), 3_600 * hours) });
    const { orderId } = await house.order();
    server.put(login, letter("120001"));
    let looks = 0;
    server.twist = ({ command }) => (command === "heads" && looks++ < 3 ? { lag: 1 } : undefined);
    await house.fetch();
    await vi.waitFor(() => expect(looks).toBeGreaterThanOrEqual(3), soon);
    await house.expectCodes(orderId, ["120001"]);
  });

  test("that is listed after a later one", async () => {
    const { server, house, codeLetter: letter } = await odd();
    await house.fetch();
    const { orderId, login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    server.put(login, letter("130009"), { uid: 9 });
    await house.expectCodes(orderId, ["130009"]);
    server.put(login, letter("130004"), { uid: 4 });
    await house.expectCodes(orderId, ["130009", "130004"]);
  });

  test("by a server without UIDNEXT", async () => {
    const { server, house, codeLetter: letter } = await odd();
    server.tellsNext = false;
    const login = `box0@${house.domain}`;
    server.put(login, letter("111111"), { at: secondsAfter(now(), -600) });
    await house.fetch();
    const { orderId, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    server.put(login, letter("115001"));
    await house.expectCodes(orderId, ["115001"]);
    expect(await kept(mailboxId)).toBe(1);
  });

  test("by a server that refuses to list an empty folder", async () => {
    const { server, house, codeLetter: letter } = await odd();
    server.tells = false;
    server.twist = ({ command, login, folder }) =>
      command === "heads" && server.folder(login, folder).letters.length === 0
        ? { says: "BAD Invalid messageset" }
        : undefined;
    await house.fetch();
    const { orderId, login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    server.put(login, letter("116001"));
    await house.expectCodes(orderId, ["116001"]);
  });

  test("that has the number of an earlier one, as the server went back without a word", async () => {
    const { server, house, codeLetter: letter } = await odd();
    const fetching = await house.fetch();
    const { orderId, login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    for (const code of ["117001", "117002", "117003"]) server.put(login, letter(code));
    await house.expectCodes(orderId, ["117001", "117002", "117003"]);
    await fetching.stop();
    Object.assign(server.folder(login), { letters: [], next: 1 });
    server.put(login, letter("117004"));
    await house.fetch();
    const before = ["117001", "117002", "117003", "117004"];
    await house.expectCodes(orderId, before);
    // While it is connected, too.
    for (const code of ["117005", "117006"]) server.put(login, letter(code));
    await house.expectCodes(orderId, [...before, "117005", "117006"]);
    Object.assign(server.folder(login), { letters: [], next: 1 });
    server.put(login, letter("117007"));
    await house.expectCodes(orderId, [...before, "117005", "117006", "117007"]);
    expect(await kept(mailboxId)).toBe(7);
  });

  test("in every folder for junk, by its flag or its name", async () => {
    const { server, house, codeLetter: letter } = await odd();
    server.folders = [
      '() "/" INBOX',
      '(\\Junk) "/" "Quarantine"',
      '() "/" Bulk',
      '() "/" "INBOX/Spamverdacht"',
      '() "/" Spam',
      '(\\Noselect) "/" Junk',
    ];
    await house.fetch();
    const { orderId, login } = await house.order();
    const folders = ["Quarantine", "Bulk", "INBOX/Spamverdacht", "Spam"];
    for (const [place, folder] of folders.entries()) server.put(login, letter(`14000${place}`), { folder });
    await house.expectCodes(orderId, ["140000", "140001", "140002", "140003"]);
    expect(server.asked.filter(({ folder }) => folder === "Junk")).toEqual([]);
  });

  test("in a folder for junk that its first letter makes", async () => {
    const { server, house, codeLetter: letter } = await odd();
    await house.fetch();
    const { orderId, login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    await vi.waitFor(() => expect(asked(server, "idle")).not.toEqual([]), soon);
    server.folders = ['() "/" INBOX', '(\\Junk) "/" Junk'];
    server.put(login, letter("145001"), { folder: "Junk" });
    await house.expectCodes(orderId, ["145001"]);
  });

  test("whose size the server overstates", async () => {
    const { server, house, codeLetter: letter } = await odd();
    server.sizeOf = () => 4_000_000_000;
    await house.fetch();
    const { orderId, login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    server.put(login, letter("150001"));
    await house.expectCodes(orderId, ["150001"]);
  });

  test("soon, by a server that accepts IDLE and never tells", async () => {
    const { server, house, codeLetter: letter } = await odd();
    server.tells = false;
    await house.fetch({ pollMs: 100, junkMs: 600_000, againMs: 600_000 });
    const { orderId, login } = await house.order();
    await vi.waitFor(() => expect(asked(server, "idle")).not.toEqual([]), soon);
    server.put(login, letter("160001"));
    await house.expectCodes(orderId, ["160001"]);
  });
});

describe("one letter that the server cannot give", () => {
  test.each<[string, Twist]>([
    ["because it says NO", { says: "NO it could not be converted" }],
    ["because it drops the connection within it", { isCut: true }],
  ])("holds up none behind it, %s", async (_why, twist) => {
    const { server, house, codeLetter: letter } = await odd();
    let isWell = false;
    server.twist = ({ command, uid }) => (!isWell && command === "body" && uid === 1 ? twist : undefined);
    await house.fetch();
    const { orderId, login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    for (const code of ["200001", "200002", "200003"]) server.put(login, letter(code));
    await house.expectCodes(orderId, ["200002", "200003"]);
    const tries = () => asked(server, "body").filter(({ uid }) => uid === 1).length;
    await vi.waitFor(() => expect(tries()).toBeGreaterThanOrEqual(3), soon);
    isWell = true;
    await house.expectCodes(orderId, ["200001", "200002", "200003"]);
  });

  test("is left after three failures, asked for ever more seldom, and named in the log once", async () => {
    const { server, house, codeLetter: letter } = await odd();
    server.twist = ({ command, uid }) => (command === "body" && uid === 1 ? { says: "NO never" } : undefined);
    await house.fetch({ againMs: 600_000, pollMs: 10 });
    const { orderId, login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    server.put(login, letter("210001"));
    const tries = () => asked(server, "body").filter(({ uid }) => uid === 1).length;
    // Each time it is asked for twice.
    await vi.waitFor(() => expect(tries()).toBe(6), soon);
    const looks = asked(server, "heads").length;
    server.put(login, letter("210002"));
    await house.expectCodes(orderId, ["210002"]);
    await vi.waitFor(() => expect(asked(server, "heads").length).toBeGreaterThan(looks + 3), soon);
    expect(tries()).toBe(6);
  });
});

describe("a letter is of the order that it came after, whatever the server's clock says", () => {
  test.each([-3, 3])("%d hours off, it came after the first look", async (hours) => {
    const { server, house, codeLetter: letter } = await odd();
    server.aheadMs = hours * 3_600_000;
    await house.fetch();
    const { orderId, login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    server.put(login, letter("300001"));
    await house.expectCodes(orderId, ["300001"]);
  });

  const dated = (letter: string, at: Date) => `Date: ${at.toUTCString()}\r\n${letter}`;

  test("three hours behind, it came between the order and the first look, and says itself when it was written", async () => {
    const { server, house, codeLetter: letter } = await odd();
    server.aheadMs = -3 * 3_600_000;
    const { orderId, login } = await house.order();
    server.put(login, dated(letter("310001"), secondsAfter(now(), 1)));
    await house.fetch();
    await house.expectCodes(orderId, ["310001"]);
  });

  test("three hours behind, it came between the order and the first look, and another has shown the clock before", async () => {
    const { server, house, codeLetter: letter } = await odd({ mailboxes: 2 });
    server.aheadMs = -3 * 3_600_000;
    const fetching = await house.fetch();
    const one = await house.order();
    await isLookedAt(one.mailboxId);
    server.put(one.login, dated(letter("320001"), now()));
    await house.expectCodes(one.orderId, ["320001"]);
    await fetching.stop();
    const other = await house.order();
    server.put(other.login, letter("320002"));
    await house.fetch();
    await house.expectCodes(other.orderId, ["320002"]);
  });

  test.each(["with", "without"])(
    "three hours ahead, it lay there before the order, %s a date of its own",
    async (how) => {
      const { server, house, codeLetter: letter } = await odd();
      server.aheadMs = 3 * 3_600_000;
      const login = `box0@${house.domain}`;
      const at = secondsAfter(now(), -600);
      const old = letter("330001");
      server.put(login, how === "with" ? dated(old, at) : old, { at: secondsAfter(at, 3 * 3_600) });
      await house.fetch();
      const { orderId, mailboxId } = await house.order();
      await isLookedAt(mailboxId);
      server.put(login, letter("330002"));
      await house.expectCodes(orderId, ["330002"]);
      expect(await kept(mailboxId)).toBe(1);
    },
  );
});

describe("many letters", () => {
  const rare = { pollMs: 600_000, junkMs: 600_000, againMs: 600_000 };

  test("thousands from before the order cost one list of the newest, and the new one is given", async () => {
    const { server, house, codeLetter: letter } = await odd();
    const login = `box0@${house.domain}`;
    const folder = server.folder(login);
    const raw = letter("111111");
    folder.letters = Array.from({ length: 5_000 }, (_, place) => ({
      uid: place + 1,
      raw,
      at: secondsAfter(now(), -36 * 3_600 + place * 25),
    }));
    folder.next = 5_001;
    const { orderId } = await house.order();
    server.put(login, letter("400001"));
    await house.fetch(rare);
    await house.expectCodes(orderId, ["400001"]);
    const isLetter = ({ line }: Question) => line.includes("BODY.PEEK[]");
    expect(server.asked.filter(isLetter).map(({ uid }) => uid)).toEqual([5_001]);
    expect(asked(server, "heads").length).toBeLessThanOrEqual(5);
  });

  test("hundreds that came after the order are all given, and listed once", async () => {
    const { server, house, codeLetter: letter } = await odd();
    await house.fetch(rare);
    const { login, mailboxId } = await house.order();
    await isLookedAt(mailboxId);
    await vi.waitFor(() => expect(asked(server, "idle")).not.toEqual([]), soon);
    server.tells = false;
    const before = asked(server, "heads").length;
    for (let place = 0; place < 299; place++) server.put(login, letter(String(500_000 + place)));
    server.tells = true;
    server.put(login, letter("500299"));
    await vi.waitFor(async () => expect(await kept(mailboxId)).toBe(300), soon);
    expect(asked(server, "heads").length - before).toBeLessThanOrEqual(2);
  });
});

describe("a mailbox that is opened before it is on sale", () => {
  test.each<[string, Twist]>([
    ["list of letters", { lag: 2 }],
    ["answer to a list of letters", { says: "NO later" }],
    ["list of folders", { says: "OK done" }],
  ])("is not taken for unused by an incomplete %s", async (what, twist) => {
    const { server, house, codeLetter: letter } = await odd();
    const login = `box0@${house.domain}`;
    const at = secondsAfter(now(), -86_400);
    server.put(login, letter("600001").replaceAll("no-reply", "a-friend"), { at });
    const command = what === "list of folders" ? "list" : "heads";
    let isWell = false;
    server.twist = (question) => (!isWell && question.command === command ? twist : undefined);
    const { imap } = await house.fetch();
    const [mailbox] = await db<{ id: bigint }[]>`
      select m.id from mailbox m join mail_domain d on d.id = m.domain_id where d.name = ${house.domain}`;
    await db`update imap_host set permits = 1000000, permits_at = clock_timestamp()`;
    expect(await imap.check(mailbox!.id, secondsAfter(now(), -60))).toMatchObject({ seen: "down" });
    isWell = true;
    await db`update imap_host set permits = 1000000, permits_at = clock_timestamp()`;
    expect(await imap.check(mailbox!.id, secondsAfter(now(), -60))).toMatchObject({ seen: "personal" });
  });
});
