// @module-tag slow
import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { type Act as OfficeAct, wordsOf } from "../../contract/office/act.ts";
import { acts } from "../../contract/office/acts.ts";
import { openCatalog } from "../catalog/catalog.ts";
import * as journal from "../journal/journal.ts";
import { readConfig } from "../platform/config/config.ts";
import type { Db } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { paymentsOf } from "../payments/payments.ts";

async function shop() {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const say = (...words: string[]) => sayTo(db, words);
  const json = async (...words: string[]) => {
    const { status, out, err } = await say(...words, "--json");
    expect({ status, err }).toEqual({ status: 0, err: expect.any(String) });
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    return JSON.parse(out) as Record<string, unknown>;
  };
  return { db, say, json };
}

async function addUser(db: Db, email: string): Promise<bigint> {
  const [row] = await db<{ id: bigint }[]>`
    insert into users (email, password_hash, token_hash, token_sealed, name, activated_at)
    values (${email}, '', ${Buffer.from(email)}, '', 'Pat', now()) returning id`;
  if (!row) throw new Error("no user");
  return row.id;
}

test("a domain is put on sale, stocked, changed and listed, for people and for programs", async () => {
  const { say, json } = await shop();
  expect(await json("domains", "add", "Letters.test", "--price", "0.0035")).toEqual({
    id: expect.any(Number) as number,
    name: "letters.test",
    price: "0.0035",
    kind: "own",
    on: true,
  });
  expect(await json("stock", "add", "letters.test", "1500")).toEqual({
    domain: "letters.test",
    count: 1500,
    added: 1500,
    mailboxes: 1500,
  });
  expect(await json("domains", "set", "letters.test", "--price", "0.01", "--off")).toEqual({
    name: "letters.test",
    kind: "own",
    price: "0.01",
    on: false,
  });
  expect(await json("domains", "set", "letters.test", "--on")).toMatchObject({ price: "0.01", on: true });
  await say("domains", "add", "hosted.test", "--price", "12", "--kind", "hosted");
  await say("hosts", "add", "hosted.test", "--imap", "imap.example.com:993");
  expect((await say("domains", "list")).out).toBe(
    [
      "domain        kind    price  mailboxes  sale  imap",
      "letters.test  own      0.01      1,500  on",
      "hosted.test   hosted   12.0          0  on    imap.example.com:993 implicit",
      "",
    ].join("\n"),
  );
  expect(await json("domains", "list")).toMatchObject([
    { name: "letters.test", mailboxes: 1500, on: true },
    {},
  ]);
});

test("letters cannot be distributed over workers that are not there; what is missing is said, and nothing is changed", async () => {
  const { say } = await shop();
  for (const verb of ["check", "distribute"])
    expect(await say("cluster", verb)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^This database has no Citus: run "create extension citus"/) as string,
    });
  expect((await say("cluster", "show")).out).toMatch(
    /^There is no worker\.\n\n.*\nletter_raw +this database/,
  );
});

test("a long order of stock tells how far it is, beside the answer", async () => {
  const { say } = await shop();
  await say("domains", "add", "letters.test", "--price", "1");
  const { out, err } = await say("stock", "add", "letters.test", "12000", "--json");
  expect(err.split("\n")).toContain("letters.test: 10,000 of 12,000 mailboxes");
  expect(JSON.parse(out)).toMatchObject({ added: 12000 });
});

test("prices are changed from a moment on, listed with what waits, and undone by the number of the change", async () => {
  const { say, json } = await shop();
  await say("domains", "add", "letters.test", "--price", "0.01");
  const rule = ["prices", "change", "shop.example/all", "percent", "-10"];
  const { id, count } = await json(...rule, "--from", "2099-12-01T09:30", "--reason", "a sale");
  expect(count).toBe(1);
  expect((await say("prices", "change", "all", "to", "0.02")).out).toContain("To undo it: prices undo ");
  expect((await say("prices", "list")).out).toMatch(/letters\.test +0\.02$/m);
  expect((await say("prices", "history")).out).toMatch(
    /shop\.example .* 0\.02 .* 0\.009 .*2099-12-01 09:30:00 UTC .*waits .*a sale/,
  );
  expect(await json("prices", "undo", String(id))).toMatchObject({ count: 1 });
  expect(await say("prices", "undo", String(id))).toMatchObject({ status: 1 });
  expect(await say(...rule, "--from", "in spring")).toMatchObject({ status: 2 });
  expect((await say("prices", "general", "all")).err).toContain("nothing to change");
});

test("a running shop notices new domains, prices, senders and blocked sites at once", async () => {
  const { db, say } = await shop();
  const catalog = await openCatalog(db);
  onTestFinished(() => catalog.close());
  expect(await catalog.domains()).toEqual([]);
  await say("domains", "add", "letters.test", "--price", "0.0035");
  await expect.poll(async () => (await catalog.domains()).map(({ name }) => name)).toEqual(["letters.test"]);
  await say("domains", "set", "letters.test", "--price", "0.5");
  await expect.poll(async () => (await catalog.domains())[0]?.price).toBe(usd("0.5"));
  await say("sites", "alias", "facebook", "mail.fb.example");
  const site = await catalog.siteOf("facebook.com");
  if ("refused" in site) throw new Error("no site");
  await expect.poll(() => catalog.sendersOf(site.id, site.name)).toContain("fb.example");
  expect((await say("sites", "show", "facebook")).out).toBe(
    "facebook.com is served; its letters come from facebook.com and facebookmail.com, fb.example.\n",
  );
  expect((await say("sites", "unalias", "facebook", "twitter.com")).err).toContain(
    "twitter.com: Letters from this domain do not count for the site",
  );
  await say("sites", "unalias", "facebook", "Mail.fb.example");
  await expect.poll(() => catalog.sendersOf(site.id, site.name)).not.toContain("fb.example");
  await say("sites", "block", "instagram");
  await expect.poll(() => catalog.siteOf("instagram.com")).toMatchObject({ refused: "site" });
  expect((await say("sites", "list")).out).toBe("not served\ninstagram.com\n");
  await say("sites", "unblock", "instagram");
  await expect.poll(() => catalog.siteOf("instagram.com")).toMatchObject({ name: "instagram.com" });
});

test("a balance is changed with a reason, never below zero, and once under one key", async () => {
  const { db, say, json } = await shop();
  const id = await addUser(db, "pat@example.com");
  const credit = (amount: string, ...more: string[]) =>
    ["users", "credit", "pat@example.com", amount, "--reason", "goodwill", ...more] as const;
  expect((await say(...credit("5"))).out).toBe(
    'pat@example.com had 0.0 and has 5.0 dollars (balance).\nTo undo it: users credit pat@example.com -5 --book balance --reason "a mistake"\n',
  );
  expect((await say(...credit("-1.5"))).out).toContain(
    "pat@example.com had 5.0 and has 3.5 dollars (balance).\nTo undo it: users credit pat@example.com 1.5 ",
  );
  expect(await say(...credit("-4"))).toEqual({
    status: 1,
    out: "",
    err: "pat@example.com has only 3.5 dollars.\n",
  });
  await say(...credit("1", "--key", "ticket 12"));
  expect((await say(...credit("1", "--key", "ticket 12"))).out).toContain("done before");
  expect(await say(...credit("2", "--key", "ticket 12"))).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^pat@example\.com: This key was used for something else/) as string,
  });
  expect(await ledger.balance(db, id)).toBe(usd("4.5"));
  expect(await json("users", "show", "pat@example.com")).toMatchObject({ id: String(id), balance: "4.5" });
  expect(await journal.list(db, { about: `user ${id}` })).toMatchObject([
    { by: "operator", did: "users credit", before: { balance: "3.5" }, after: { balance: "4.5" } },
    { before: { balance: "5.0" }, after: { balance: "3.5" }, reason: "goodwill" },
    { before: { balance: "0.0" }, after: { balance: "5.0" }, reason: "goodwill" },
  ]);
});

test("an account that has not confirmed its address is made no administrator", async () => {
  const { db, say, json } = await shop();
  await addUser(db, "pat@example.com");
  await db`update users set activated_at = null`;
  expect(await say("users", "grant", "pat@example.com", "admin")).toMatchObject({
    status: 1,
    err: "pat@example.com: The account is not activated yet: it needs the code of the mail.\n",
  });
  expect(await json("users", "show", "pat@example.com")).toMatchObject({ admin: false });
});

test("an account is made an administrator, blocked and opened again", async () => {
  const { db, say, json } = await shop();
  await addUser(db, "pat@example.com");
  expect(await say("users", "grant", "Pat@Example.com", "admin")).toMatchObject({ status: 0 });
  expect(await say("users", "revoke", "pat@example.com", "admin")).toMatchObject({
    status: 1,
    err: "pat@example.com: This is the last owner: appoint another one first.\n",
  });
  expect(await say("users", "block", "pat@example.com")).toMatchObject({ status: 0 });
  expect(await json("users", "show", "pat@example.com")).toMatchObject({ admin: true, blocked: true });
  await say("users", "unblock", "pat@example.com");
  await say("users", "grant", "pat@example.com", "investor");
  expect(await json("users", "show", "pat@example.com")).toMatchObject({
    investor: true,
    blocked: false,
    admin: true,
  });
  const mails = await db<{ kind: string }[]>`select kind from owner_notice`;
  // To the account, and as an owner of the shop.
  expect(mails.map(({ kind }) => kind)).toEqual([
    "role-granted",
    "office-granted",
    "role-granted",
    "office-granted",
  ]);
  expect((await say("users", "revoke", "pat@example.com", "investor")).out).toBe(
    "pat@example.com is no investor any more.\nTo undo it: users grant pat@example.com investor\n",
  );
  expect(await json("users", "show", "pat@example.com")).toMatchObject({ investor: false, admin: true });
});

test("the payer of a sandbox payment is played by either name of the command", async () => {
  const { db, say, json } = await shop();
  const payments = paymentsOf({ db, config: readConfig({}), log: createLog("silent") });
  const ask = async () => {
    const created = await payments.create({ userId: 7n, currency: "eth", usd: usd("100") });
    if (typeof created === "string") throw new Error(created);
    return String(created.id);
  };
  const first = await ask();
  expect((await say("payments", "confirm", first)).out).toBe(
    `The payment ${first} is confirmed: 100.0 dollars were credited.\n`,
  );
  expect(await say("payments", "confirm", first)).toMatchObject({
    status: 1,
    err: expect.stringContaining("already"),
  });
  const second = await ask();
  expect((await say("pay", second, "--amount", "0.01")).out).toContain("0.023334 Ethereum are missing");
  expect(await json("pay", second)).toMatchObject({ id: second, state: "credited", credited: "100.0" });
  expect(await ledger.balance(db, 7n)).toBe(usd("200"));
  expect(await json("payments", "list")).toMatchObject([{ id: second }, { id: first }]);
  expect(await json("payments", "list", "--open")).toEqual([]);
  expect((await say("payments", "show", second)).out).toContain("too little has come");
  expect(await say("pay", "1")).toMatchObject({ status: 1, err: expect.stringContaining("no payment 1") });
});

test("letters to the postmaster are read in the terminal, which does not do what strangers write", async () => {
  const { db, say, json } = await shop();
  const raw =
    "From: \u001b[2JNet <abuse@net.example>\r\nX-Ticket: \u009b31m\u202e17\r\n\r\nCall\u0007 us.\r\n";
  const [row] = await db<{ id: bigint }[]>`
    with one as (
      insert into letter (judged_at, is_to_postmaster, size_bytes, mail_from, sender, subject)
      values (now(), true, 9, 'abuse@net.example', ${"\u001b[2JNet <abuse@net.example>"}, 'Ticket 17') returning id, arrived_at),
    raw as (insert into letter_raw (letter_id, arrived_at, raw) select id, arrived_at, ${Buffer.from(raw)} from one)
    select id from one`;
  const id = String(row?.id);
  expect((await say("letters", "list", "--postmaster")).out).toMatch(
    /\uFFFD\[2JNet <abuse@net\.example> +Ticket 17/,
  );
  const { out } = await say("letters", "show", id);
  expect(out).toContain("X-Ticket: \uFFFD31m\uFFFD17");
  expect(out).toMatch(/^proves +spf unknown; dkim unknown; dmarc unknown$/m);
  expect(out).toContain("Call");
  expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(await json("letters", "show", id)).toMatchObject({ id, isPostmasters: true });
  expect(await journal.list(db, { about: `letter ${id}` })).toMatchObject([
    { by: "operator", did: "letters show" },
    { did: "letters show" },
  ]);
});

test("the audit holds, and says with status 1 which invariant does not", async () => {
  const { db, say, json } = await shop();
  const sound = await json("audit");
  expect(sound).toMatchObject({ holds: true });
  const id = await addUser(db, "pat@example.com");
  await say("users", "credit", "pat@example.com", "5", "--reason", "goodwill");
  expect(await json("audit")).toMatchObject({ holds: true });
  await db`update account set balance = balance + 1 where user_id = ${id}`;
  const broken = await say("audit", "--json");
  expect(broken).toMatchObject({ status: 1, err: expect.stringContaining("not hold") });
  expect(JSON.parse(broken.out)).toMatchObject({ holds: false });
});

const lines = Object.values(acts).flatMap((act: OfficeAct) =>
  Object.entries(act.commands).map(([line, said]) => ({ act, line, said })),
);

test.each(lines)("shop $line is there with all that its act asks", async ({ act, line, said }) => {
  const { status, out } = await sayTo(undefined, [...wordsOf(line).split(" "), "--help"]);
  expect(status).toBe(0);
  const asked = Object.keys(act.ask).filter((name) => said.sets?.[name] === undefined);
  const spoken = asked.map((name) => (said.called?.[name] ?? name).replaceAll("_", "-"));
  expect(spoken.filter((name) => !new RegExp(`[<-]${name}\\b`).test(out))).toEqual([]);
});

test("a domain that writes for a second site is let in with a warning that names the first, and the command that undoes it", async () => {
  const { say, json } = await shop();
  await say("sites", "alias", "facebook", "mailer.example");
  const { out } = await say("sites", "alias", "instagram", "mailer.example");
  expect(out).toContain("Warning: letters from mailer.example are for facebook.com as well.");
  expect(out).toContain("To undo it: sites unalias instagram.com mailer.example");
  expect(await json("sites", "unalias", "instagram", "mailer.example")).toMatchObject({
    site: "instagram.com",
    senders: ["mailer.example"],
  });
});

/** Refusals change nothing, so one database serves all. */
const refusing = createDatabase().then(async ({ db }) => {
  await sayTo(db, ["domains", "add", "letters.test", "--price", "1"]);
  await sayTo(db, ["domains", "add", "hosted.test", "--price", "1", "--kind", "hosted"]);
  return db;
});

test.each([
  [
    ["domains", "add", "letters.test", "--price", "1"],
    "letters.test: A mail domain with this name already exists",
  ],
  [["domains", "add", "no spaces", "--price", "1"], "must be a full domain name"],
  [["domains", "set", "nowhere.test", "--off"], "nowhere.test: There is no mail domain"],
  [["stock", "add", "nowhere.test", "5"], "nowhere.test: There is no mail domain"],
  [["stock", "add", "hosted.test", "5"], "are on its own server"],
  [["hosts", "add", "letters.test", "--imap", "imap.example.com:993"], "mail of an own domain arrives here"],
  [
    ["hosts", "add", "hosted.test", "--imap", "imap.example.com:143", "--tls", "none"],
    "only for a server on this machine",
  ],
  [["sites", "block", "not a site"], "is not a domain name"],
  [["sites", "alias", "facebook", "-"], "-: `domains` must be domains that letters can come from"],
  [["letters", "turned-away", "--site", "nobody.example"], "There is no order"],
  [["letters", "show", "5"], "no letter 5"],
  [["users", "credit", "who@example.com", "5", "--reason", "x"], "no account"],
  [["users", "block", "who@example.com"], "no account"],
  [["payments", "show", "5"], "no payment 5"],
  [["users", "show", "who@example.com"], "no account"],
])("shop %j is refused in one sentence", async (words, reason) => {
  const { status, out, err } = await sayTo(await refusing, words);
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain(reason);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
});

test.each([
  [["domans", "list"], "domains"],
  [["domains", "lst"], "list, add, set"],
  [["domains"], "add"],
  [["domains", "add", "letters.test"], "--price"],
  [["domains", "add", "letters.test", "--price", "cheap"], "number of dollars"],
  [["domains", "add", "letters.test", "--price", "0"], "above 0"],
  [["domains", "add", "letters.test", "--price", "1", "--kind", "rented"], "own, hosted"],
  [["domains", "add", "letters.test", "--price", "1", "extra"], "too many arguments"],
  [["domains", "set", "letters.test"], "--price, --on, --off"],
  [["domains", "set", "letters.test", "--on", "--off"], "cannot be used with"],
  [["domains", "list", "--jsn"], "--json"],
  [["stock", "add", "letters.test", "many"], "whole number"],
  [["stock", "add", "letters.test", "0"], "whole number"],
  [["hosts", "add", "letters.test", "--imap", "nowhere"], "imap.example.com:993"],
  [["users", "credit", "pat@example.com", "5"], "--reason"],
  [["users", "credit", "pat@example.com", "five", "--reason", "x"], "number of dollars"],
  [["users", "grant", "pat@example.com", "king"], "owner, money, support, editor, investor"],
  [["payments", "confirm", "abc"], "only digits"],
  [["letters", "show", "abc"], "only digits"],
  [["letters", "list"], "--postmaster"],
  [["payments", "list", "--state", "lost"], "awaiting"],
])("shop %j is wrong usage and names what is right", async (words, right) => {
  const { status, out, err } = await sayTo(undefined, words);
  expect({ status, out }).toEqual({ status: 2, out: "" });
  expect(err).toContain(right);
});

test.each([
  [[], "domains"],
  [["--help"], "domains"],
  [["help"], "domains"],
  [["help", "payments"], "confirm"],
  [["domains", "--help"], "add"],
  [["domains", "add", "--help"], "--price"],
  [["audit", "--help"], "--json"],
])("shop %j shows the help and has done what was asked", async (words, part) => {
  const { status, out, err } = await sayTo(undefined, words);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toContain(part);
});
