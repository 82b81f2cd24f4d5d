// A server that is busy, or wrong for a while, costs no mailbox.
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import {
  closeHouses,
  codeLetter,
  type HouseOptions,
  openHouse,
  sealOfTests,
} from "../../../test/kit/hosted.ts";
import { openImapd } from "../../../test/kit/imapd.ts";
import { soon } from "../../../test/kit/soon.ts";
import * as inventory from "../inventory/inventory.ts";
import { audit } from "../orders/orders.ts";
import { isRefused } from "./imap.refusals.ts";
import type { Times } from "./imap.ts";

const { db } = await createDatabase();
afterEach(closeHouses);

const said = (text: string) => {
  const [, status = "", code, sentence = ""] = /^(NO|BAD) (?:\[([^\]\s]+)[^\]]*\] ?)?(.*)$/.exec(text) ?? [];
  return {
    authenticationFailed: true,
    responseStatus: status,
    response: sentence,
    responseText: sentence,
    ...(code === undefined ? {} : { serverResponseCode: code }),
  };
};

/** As servers answered in public reports, or as their sources have it. */
const wrongPasswords = [
  "NO [AUTHENTICATIONFAILED] Authentication failed.",
  "NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)",
  "NO [AUTHENTICATIONFAILED] LOGIN Invalid credentials",
  "NO [authenticationfailed] Authentication Failed",
  "NO [AUTHORIZATIONFAILED] Not for you",
  "NO [EXPIRED] Your password has expired",
  "NO Authentication failed.",
  "NO Authentication failure",
  "NO LOGIN failed.",
  "NO LOGIN failed",
  "NO AUTHENTICATE failed.",
  "NO Login failed: authentication failure",
  "NO Login incorrect",
  "NO Login failed.",
  "NO Invalid user name or password.",
  "NO Invalid username or password",
  "NO Invalid login or password",
  "NO Invalid credentials",
  "NO Bad LOGIN user name and/or password",
  "NO LOGIN Login error or password error",
  "NO Username or password incorrect",
  "NO The user name or password is incorrect.",
];

const notNow = [
  "NO [THROTTLED] Rate limit hit.",
  "NO [SYS/TEMP] Temporary failure",
  "NO Server Unavailable. 15",
  "NO Login fail. Account is abnormal, service is not open, password is incorrect, login frequency limited, or system is busy.",
  "NO Maximum number of connections from user+IP exceeded (mail_max_userip_connections=10)",
  "NO Temporary server problem",
  "NO [UNAVAILABLE] Temporary authentication failure. [host:2026-11-28 09:00:00]",
  "NO [AUTHENTICATIONFAILED] Too many failed attempts, try again later",
  "NO [INUSE] Mailbox in use",
  "NO [LIMIT] Too many connections",
  "NO [ALERT] Please log in via your web browser",
  "NO [CONTACTADMIN] Ask",
  "NO [SERVERBUG] Oops",
  "NO [OVERQUOTA] Full",
  "NO [PRIVACYREQUIRED] LOGIN disabled",
  "NO Internal error occurred. Refer to server log for more information.",
  "NO User is authenticated but not connected.",
  "NO something that nobody has heard of",
  "NO",
  "BAD Authentication failed.",
];

test.each(wrongPasswords)("a wrong password: %s", (text) => expect(isRefused(said(text))).toBe(true));
test.each(notNow)("not now: %s", (text) => expect(isRefused(said(text))).toBe(false));

/** The shop's day in a moment. */
const hasty: Partial<Times> = {
  refusedSeconds: [0.02],
  restSeconds: { first: 0.02, max: 0.05 },
  lookMs: 20,
  checkAgainMs: 5,
};

async function refusing(options: HouseOptions = {}) {
  const server = await openImapd();
  onTestFinished(() => server.close());
  const house = await openHouse(db, server, { tls: "none", ...options });
  const tries = (login: string) =>
    server.asked.filter((each) => each.command === "login" && each.login === login).length;
  return { server, house, tries };
}

const stateOf = async (mailboxId: bigint) => {
  const [row] = await db<{ dead: boolean; kept: boolean }[]>`
    select dead, secret is not null as kept from mailbox where id = ${mailboxId}`;
  return row && `${row.dead ? "out of sale" : "on sale"}, ${row.kept ? "with" : "without"} its password`;
};
const onSale = "on sale, with its password";
const withheld = "out of sale, with its password";
const dead = "out of sale, without its password";

/** Lets so many hours pass for a refused mailbox. */
const pass = (mailboxId: bigint, hours: number) => db`
  update imap_refused set first_at = first_at - make_interval(hours => ${hours}),
    counted_at = counted_at - make_interval(hours => ${hours}), next_try_at = next_try_at - make_interval(hours => ${hours})
  where mailbox_id = ${mailboxId}`;

/** A new host allows few log-ins at first, and one that refuses rests. */
const rested = () =>
  db`update imap_host set permits = 1000000, permits_at = clock_timestamp(), next_try_at = '-infinity'`;

const expectWhole = async () => expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);

describe("a log-in that is put off", () => {
  test.each(notNow.slice(0, 6))("costs nothing, and the letter comes: %s", async (text) => {
    const { server, house, tries } = await refusing();
    server.twist = ({ command, login }) =>
      command === "login" && tries(login) <= 6 ? { says: text } : undefined;
    const { imap } = await house.fetch(hasty);
    const { orderId, mailboxId, login } = await house.order();
    await vi.waitFor(async () => {
      expect(await stateOf(mailboxId)).toBe(onSale);
      expect(tries(login)).toBeGreaterThan(6);
    }, soon);
    server.put(login, codeLetter(house.site, "100001"));
    await house.expectCodes(orderId, ["100001"]);
    expect(await stateOf(mailboxId)).toBe(onSale);
    const errors = (await imap.hosts()).map(({ error }) => error ?? "").join(" ");
    expect(errors).toContain(text.replace(/^NO (\[[^\]]*\] )?/, "").slice(0, 40));
  });

  test("costs none of a host that puts off half of its mailboxes, and the others go on", async () => {
    const { server, house, tries } = await refusing({ mailboxes: 6 });
    const isBusy = (login: string) => /^box[024]@/.test(login);
    let isWell = false;
    server.twist = ({ command, login }) =>
      !isWell && command === "login" && isBusy(login) ? { says: "NO [THROTTLED] later" } : undefined;
    await house.fetch(hasty);
    const placed = await Promise.all(Array.from({ length: 6 }, () => house.order()));
    const busy = placed.filter(({ login }) => isBusy(login));
    await vi.waitFor(() => {
      for (const { login } of placed) expect(tries(login)).toBeGreaterThanOrEqual(isBusy(login) ? 4 : 1);
    }, soon);
    for (const { login } of placed) server.put(login, codeLetter(house.site, "200001"));
    for (const { login, orderId } of placed) if (!isBusy(login)) await house.expectCodes(orderId, ["200001"]);
    for (const { mailboxId } of placed) expect(await stateOf(mailboxId)).toBe(onSale);
    isWell = true;
    for (const { orderId } of busy) await house.expectCodes(orderId, ["200001"]);
  });
});

describe("a password that is called wrong", () => {
  test("takes a mailbox out of sale, and the next log-in puts it back: its order gets its letter", async () => {
    const { server, house } = await refusing();
    let isWell = false;
    server.twist = ({ command }) =>
      !isWell && command === "login" ? { says: "NO [AUTHENTICATIONFAILED] no" } : undefined;
    await house.fetch(hasty);
    const { orderId, mailboxId, login } = await house.order();
    await vi.waitFor(async () => expect(await stateOf(mailboxId)).toBe(withheld), soon);
    server.put(login, codeLetter(house.site, "300001"));
    isWell = true;
    await house.expectCodes(orderId, ["300001"]);
    expect(await stateOf(mailboxId)).toBe(onSale);
    await expectWhole();
  });

  test("kills a mailbox after a day, if others of its host were opened meanwhile, and no sooner", async () => {
    const { server, house, tries } = await refusing({ mailboxes: 2 });
    server.twist = ({ command, login }) =>
      command === "login" && login.startsWith("box0@") ? { says: "NO [AUTHENTICATIONFAILED] no" } : undefined;
    const { imap } = await house.fetch(hasty);
    const placed = [await house.order(), await house.order()];
    const [bad, good] = placed.toSorted((a, b) => a.login.localeCompare(b.login));
    const { mailboxId, login } = bad!;
    await vi.waitFor(async () => expect(await stateOf(mailboxId)).toBe(withheld), soon);
    // A hundred refusals of a minute are one.
    await vi.waitFor(() => expect(tries(login)).toBeGreaterThan(20), soon);
    await house.cancel(bad!);
    await house.cancel(good!);
    await vi.waitFor(() => expect(server.connections()).toBe(0), soon);
    expect(await stateOf(mailboxId)).toBe(withheld);
    const hours = async (count: number, isOther: boolean) => {
      await pass(mailboxId, count);
      await rested();
      if (isOther) expect(await imap.check(good!.mailboxId)).toMatchObject({ seen: "opened" });
      await rested();
      await imap.retryRefused();
      return stateOf(mailboxId);
    };
    // Nobody else is let in: the server may be wrong.
    await db`update imap_host set opened_at = opened_at - interval '2 days'`;
    for (let round = 0; round < 6; round++) expect(await hours(7, false)).toBe(withheld);
    await db`update imap_refused set first_at = clock_timestamp() where mailbox_id = ${mailboxId}`;
    const states = [];
    for (let round = 0; round < 4; round++) {
      await db`update imap_host set opened_at = opened_at - interval '7 hours'`;
      states.push(await hours(7, true));
    }
    expect(states).toEqual([withheld, withheld, withheld, dead]);
    await expectWhole();
  });

  test("is tried again without an order, ever more seldom, until it is right", async () => {
    const { server, house, tries } = await refusing();
    let isWell = false;
    server.twist = ({ command }) =>
      !isWell && command === "login" ? { says: "NO [AUTHENTICATIONFAILED] no" } : undefined;
    const { imap } = await house.fetch(hasty);
    const placed = await house.order();
    const { mailboxId, login } = placed;
    await vi.waitFor(async () => expect(await stateOf(mailboxId)).toBe(withheld), soon);
    await house.cancel(placed);
    await vi.waitFor(async () => {
      const wanted =
        await db`select from imap_mailbox where mailbox_id = ${mailboxId} and (since is not null or lease_until > now())`;
      expect(wanted).toHaveLength(0);
    }, soon);
    await db`update imap_refused set tries = 1, next_try_at = now() + interval '10 minutes'`;
    await rested();
    const before = tries(login);
    await imap.retryRefused();
    expect(tries(login)).toBe(before);
    await pass(mailboxId, 1);
    await imap.retryRefused();
    await imap.retryRefused();
    expect(tries(login)).toBe(before + 1);
    isWell = true;
    await pass(mailboxId, 1);
    await rested();
    await imap.retryRefused();
    expect(await stateOf(mailboxId)).toBe(onSale);
    expect(await db`select from imap_refused`).toHaveLength(0);
  });

  test("counts from the beginning after the mailbox was renewed", async () => {
    const { server, house } = await refusing();
    server.twist = ({ command }) =>
      command === "login" ? { says: "NO [AUTHENTICATIONFAILED] no" } : undefined;
    await house.fetch(hasty);
    const { mailboxId, login } = await house.order();
    await vi.waitFor(async () => expect(await stateOf(mailboxId)).toBe(withheld), soon);
    await db`update imap_refused set counted = 9, first_at = first_at - interval '9 days' where mailbox_id = ${mailboxId}`;
    const [row] = await db<{ id: number }[]>`select domain_id as id from mailbox where id = ${mailboxId}`;
    const batchId = await inventory.addBatch(db, { title: "renewed" });
    const secrets = new Map([[login.split("@")[0]!, sealOfTests().seal("a new one")]]);
    expect(await inventory.renewMailboxes(db, batchId, row!.id, secrets)).toMatchObject({ renewed: 1 });
    await vi.waitFor(async () => {
      const [refused] =
        await db`select counted, first_at > now() - interval '1 day' as today from imap_refused where mailbox_id = ${mailboxId}`;
      expect(refused).toEqual({ counted: 1, today: true });
    }, soon);
    expect(await stateOf(mailboxId)).toBe(withheld);
  });
});
