// @module-tag slow
import { expect, onTestFinished, test } from "vitest";
import {
  askReset,
  call,
  db,
  logIn,
  mailed,
  mailedBoth,
  member,
  newcomer,
  password,
  seal,
  useAccounts,
  users,
} from "../../../../test/kit/accounts.ts";
import {
  addPasskey,
  codeOf,
  enter,
  holdClock,
  mailsTo,
  opens,
  ticketOf,
  wait,
  withApp,
  withPasskey,
} from "../../../../test/kit/factors.ts";
import { soon } from "../../../../test/kit/soon.ts";
import * as contract from "../../../contract/account/factors.ts";
import { challengeSeconds } from "../../../contract/limits.ts";
import * as account from "../../../contract/users.ts";
import { now, secondsAfter } from "../../platform/clock.ts";
import { createSeal, type Seal } from "../../platform/seal.ts";
import { openUsers } from "../users.ts";

useAccounts();

test("the password of an account with an app opens nothing by itself; with a code of the app it begins a session", async () => {
  holdClock();
  const { email, secret } = await withApp();
  const refused = await logIn(email);
  expect(refused).toMatchObject({ value: "second factor", kinds: ["app", "recovery"] });
  expect(refused).not.toHaveProperty("data");
  expect(refused).not.toHaveProperty("passkey");
  const ticket = String(refused["ticket"]);
  expect(await enter({ ticket, code: "000000" === codeOf(secret) ? "000001" : "000000" })).toMatchObject({
    value: "invalid code",
  });
  const entered = await enter({ ticket, code: codeOf(secret) });
  expect(entered).toMatchObject({ status: "success", message: "authorized" });
  expect(await opens(String(entered.data["token"]))).toBe(true);
});

test("a ticket ends one sign-in, and after five minutes none; a strange one opens nothing", async () => {
  holdClock();
  const { email, secret } = await withApp();
  const ticket = await ticketOf(email);
  expect(await enter({ ticket, code: codeOf(secret) })).toMatchObject({ status: "success" });
  wait(30);
  expect(await enter({ ticket, code: codeOf(secret) })).toMatchObject({ value: "ticket" });
  const late = await ticketOf(email);
  wait(challengeSeconds);
  expect(await enter({ ticket: late, code: codeOf(secret) })).toMatchObject({ value: "ticket" });
  expect(await enter({ ticket: "A".repeat(43), code: codeOf(secret) })).toMatchObject({ value: "ticket" });
  expect(await enter({ code: codeOf(secret) })).toMatchObject({ value: "ticket" });
  const begun = String((await call(contract.beginApp, { token: (await member()).token }))["ticket"]);
  expect(await enter({ ticket: begun, code: codeOf(secret) })).toMatchObject({ value: "ticket" });
});

test("a code of the app is right one period before and after its own, once, and none of an earlier period after it", async () => {
  holdClock();
  const { email, secret } = await withApp();
  wait(300);
  const answerTo = async (seconds: number) =>
    (await enter({ ticket: await ticketOf(email), code: codeOf(secret, seconds) })).value ?? "ok";
  expect(await answerTo(-60)).toBe("invalid code");
  expect(await answerTo(60)).toBe("invalid code");
  expect(await answerTo(-30)).toBe("ok");
  expect(await answerTo(-30)).toBe("invalid code");
  expect(await answerTo(30)).toBe("ok");
  expect(await answerTo(0)).toBe("invalid code");
  wait(60);
  const ticket = await ticketOf(email);
  const code = codeOf(secret);
  const both = await Promise.all([enter({ ticket: await ticketOf(email), code }), enter({ ticket, code })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["error", "success"]);
});

test("each recovery code opens once, its owner is told, and new ones void those of before", async () => {
  holdClock();
  const { email, token, codes } = await withApp();
  expect(new Set(codes).size).toBe(10);
  const stored = await db`select * from user_recovery_code`;
  const all = JSON.stringify(stored, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value),
  );
  for (const code of codes)
    for (const form of [code, code.replaceAll("-", "")]) expect(all).not.toContain(form);
  const [first = "", second = ""] = codes;
  const shouted = first.replaceAll("-", " ").toUpperCase();
  const entered = await enter({ ticket: await ticketOf(email), code: shouted });
  expect(entered).toMatchObject({ status: "success", recovery_left: 9 });
  expect(await mailsTo(email, "recovery-used")).toBe(1);
  expect(await enter({ ticket: await ticketOf(email), code: first })).toMatchObject({
    value: "invalid code",
  });
  const renewed = (await call(contract.newRecoveryCodes, { token }))["recovery_codes"] as string[];
  expect(renewed).toHaveLength(10);
  expect(await enter({ ticket: await ticketOf(email), code: second })).toMatchObject({
    value: "invalid code",
  });
  expect(await enter({ ticket: await ticketOf(email), code: renewed[0] ?? "" })).toMatchObject({
    recovery_left: 9,
  });
});

test("recovery codes of another account open nothing", async () => {
  holdClock();
  const [mine, others] = [await withApp(), await withApp()];
  const ticket = await ticketOf(mine.email);
  expect(await enter({ ticket, code: others.codes[0] ?? "" })).toMatchObject({ value: "invalid code" });
});

test("from the first factor on, a proof of other sessions by the password alone counts no more", async () => {
  const { email, token } = await member();
  const other = String((await logIn(email)).data["token"]);
  const provedAt = async (session: string) =>
    (await users.callerOf(session))?.session?.provedAt.getTime() ?? -1;
  expect(await provedAt(other)).toBeGreaterThan(0);
  const { added } = await addPasskey(token);
  expect(added).toMatchObject({ status: "success" });
  expect(await provedAt(other)).toBe(0);
  expect(await provedAt(token)).toBeGreaterThan(secondsAfter(now(), -60).getTime());
});

test("tries of codes are limited by account and network; the owner at home still comes in", async () => {
  holdClock();
  const { email, secret } = await withApp();
  const home = { from: "203.0.113.20" };
  expect(await enter({ ticket: await ticketOf(email, home), code: codeOf(secret) }, home)).toMatchObject({
    status: "success",
  });
  wait(30);
  const wrong = codeOf(secret) === "000000" ? "000001" : "000000";
  const answers: unknown[] = [];
  for (let tries = 0; tries < 32; tries++) {
    const from = `198.51.100.${tries}`;
    const ticket = await ticketOf(email, { from });
    answers.push((await enter({ ticket, code: wrong }, { from })).value);
  }
  // The first sign-in at home was a stranger's, and right: it does not count.
  expect(new Set(answers.slice(0, 30))).toEqual(new Set(["invalid code"]));
  expect(answers.slice(30)).toEqual(["limit", "limit"]);
  const right = codeOf(secret);
  const stranger = { from: "192.0.2.77" };
  expect(await enter({ ticket: await ticketOf(email, stranger), code: right }, stranger)).toMatchObject({
    http: 429,
  });
  expect(await enter({ ticket: await ticketOf(email, home), code: right }, home)).toMatchObject({
    status: "success",
  });
});

test("a wrong password says nothing of a factor, and a place is known only after the factor", async () => {
  holdClock();
  const { email } = await withApp();
  expect(await logIn(email, { password: "not the password" })).toMatchObject({ value: "invalid password" });
  const from = "198.51.100.200";
  await ticketOf(email, { from });
  expect(await users.isAtHome(email, from, now())).toBe(false);
});

test("factors are for sessions of confirmed accounts: not for tokens of programs, nor before the activation", async () => {
  const { token } = await member();
  const program = String((await call(account.information, { token })).data["token"]);
  for (const endpoint of [
    contract.factors,
    contract.beginPasskey,
    contract.beginApp,
    contract.newRecoveryCodes,
  ])
    expect(await call(endpoint, { token: program }), endpoint.path).toMatchObject({ value: "session" });
  const fresh = (await newcomer()).token;
  expect(await call(contract.beginApp, { token: fresh })).toMatchObject({ value: "token" });
});

test("an account has one app, added with a code that it shows, within five minutes", async () => {
  holdClock();
  const { token, secret } = await withApp();
  const begun = await call(contract.beginApp, { token });
  const [another, ticket] = [String(begun["secret"]), String(begun["ticket"])];
  const asked = { token, name: "Tablet", ticket };
  expect(await call(contract.addApp, { ...asked, code: codeOf(secret) })).toMatchObject({
    value: "invalid code",
  });
  expect(await call(contract.addApp, { ...asked, code: codeOf(another) })).toMatchObject({
    value: "too many",
  });
  const fresh = (await member()).token;
  const late = await call(contract.beginApp, { token: fresh });
  expect(String(late["uri"])).toContain(`secret=${String(late["secret"])}`);
  wait(challengeSeconds);
  const code = codeOf(String(late["secret"]));
  expect(
    await call(contract.addApp, { token: fresh, name: "Phone", ticket: String(late["ticket"]), code }),
  ).toMatchObject({ value: "ticket" });
  const rows = await db`select * from user_factor`;
  expect(
    JSON.stringify(rows, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value),
    ),
  ).not.toContain(secret);
});

test("a new password leaves the factor; “this was not me” takes away what was added while its link lives, and nothing older", async () => {
  holdClock();
  const { email, token } = await withApp();
  await askReset(email);
  const asked = { email, password, code: await mailed(email) };
  expect(await call(account.changePassword, asked)).toMatchObject({ status: "success" });
  await ticketOf(email);
  expect(await opens(token)).toBe(false);
  const { link } = await mailedBoth(email);
  await db`update user_factor set created_at = created_at - interval '8 days'
           where user_id = (select id from users where email = ${email}) `;
  expect(await call(account.disown, { email, code: link })).toMatchObject({ status: "success" });
  const { factors } = await users.factors.list((await users.idOf(email)) ?? 0n);
  expect(factors).toHaveLength(1);

  const fresh = await withApp();
  const mail = await mailedBoth(fresh.email);
  expect(await call(account.disown, { email: fresh.email, code: mail.link })).toMatchObject({
    status: "success",
  });
  expect(await users.factors.has((await users.idOf(fresh.email)) ?? 0n)).toBe(false);
});

test("a proof asked of an account is answered by its own factor only, and each answer counts once", async () => {
  holdClock();
  const { email, token, secret, codes } = await withApp();
  const userId = (await users.idOf(email)) ?? 0n;
  const { key } = await addPasskey(token);
  const ways = await users.factors.ask(userId, "prove", now());
  expect(ways?.kinds).toEqual(["passkey", "app", "recovery"]);
  const verify = (given: Parameters<typeof users.factors.verify>[1]) =>
    users.factors.verify(userId, given, now());
  const used = (challenge: string, by = key) => ({
    passkey: by.used({ challenge }),
  });
  const stranger = await withPasskey();
  expect(await verify(used(ways?.ticket ?? "", stranger.key))).toBe("invalid passkey");
  const answered = used(ways?.ticket ?? "");
  expect([await verify(answered), await verify(answered)]).toEqual(["ok", "invalid passkey"]);
  const entering = await ticketOf(email);
  expect(await verify(used(entering))).toBe("invalid passkey");
  expect(await enter({ ticket: ways?.ticket ?? "", code: codeOf(secret) })).toMatchObject({
    value: "ticket",
  });
  const code = codeOf(secret);
  expect([await verify({ code }), await verify({ code })]).toEqual(["ok", "invalid code"]);
  const [recovery = ""] = codes;
  expect([await verify({ code: recovery }), await verify({ code: recovery })]).toEqual([
    "ok",
    "invalid code",
  ]);
  expect(
    await users.factors.ask((await users.idOf((await member()).email)) ?? 0n, "prove", now()),
  ).toBeUndefined();
});

test("the operator takes the factors of an account away: sessions end, the owner is told, the journal has the reason", async () => {
  holdClock();
  const { email, token } = await withApp();
  const userId = (await users.idOf(email)) ?? 0n;
  const elsewhere = await openUsers({ db, seal, adminEmails: new Set() });
  onTestFinished(() => elsewhere.close());
  expect(await elsewhere.callerOf(token)).toBeDefined();
  expect(await users.factors.reset({ userId, reason: "he wrote to us" }, "operator", now())).toEqual({
    factors: 1,
  });
  expect(await opens(token)).toBe(false);
  await expect.poll(() => elsewhere.callerOf(token), soon).toBeUndefined();
  expect(await logIn(email)).toMatchObject({ status: "success" });
  expect(await mailsTo(email, "factor-removed")).toBe(1);
  const [entry] = await db`select did, reason from audit_log where about = ${`user ${userId}`}`;
  expect(entry).toEqual({ did: "users factor reset", reason: "he wrote to us" });
  expect(await users.factors.reset({ userId }, "operator", now())).toBe("no factors");
  // Of a colleague it would be a way to his account.
  await db`update users set is_admin = true where id = ${userId}`;
  expect(await users.factors.reset({ userId }, 1n, now())).toBe("office account");
  expect(await users.factors.reset({ userId }, "operator", now())).toBe("no factors");
});

test("factors go on working while the key changes, and after the key before is gone", async () => {
  holdClock();
  const { email, secret, codes } = await withApp();
  const userId = (await users.idOf(email)) ?? 0n;
  const [first, second] = [Buffer.alloc(32, 6), Buffer.alloc(32, 7)];
  const [one = "", two = "", three = ""] = codes;
  const prove = async (by: Seal, code: string) => {
    const shop = await openUsers({ db, seal: by, adminEmails: new Set() });
    const proved = await shop.factors.verify(userId, { code }, now());
    await shop.close();
    return proved;
  };
  const between = createSeal(second, first);
  expect([await prove(between, codeOf(secret)), await prove(between, one)]).toEqual(["ok", "ok"]);
  expect(await prove(createSeal(second), two)).toBe("invalid code");
  for (const { table, column } of [
    { table: "user_factor", column: "secret" },
    { table: "user_recovery_code", column: "hash" },
  ])
    for (const row of await db<{ id: bigint; sealed: Uint8Array }[]>`
      select id, ${db(column)} as sealed from ${db(table)} where user_id = ${userId}`)
      await db`update ${db(table)} set ${db(column)} = ${between.seal(between.open(row.sealed))} where id = ${row.id}`;
  wait(30);
  expect([await prove(createSeal(second), codeOf(secret)), await prove(createSeal(second), three)]).toEqual([
    "ok",
    "ok",
  ]);
});
