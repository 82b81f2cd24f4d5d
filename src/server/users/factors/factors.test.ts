// @module-tag slow
import { TOTP } from "otpauth";
import { expect, onTestFinished, test, vi } from "vitest";
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
  type Sent,
  useAccounts,
  users,
} from "../../../../test/kit/accounts.ts";
import { Passkey } from "../../../../test/kit/passkey.ts";
import { soon } from "../../../../test/kit/soon.ts";
import * as contract from "../../../contract/account/factors.ts";
import { challengeSeconds } from "../../../contract/limits.ts";
import * as account from "../../../contract/users.ts";
import { now, secondsAfter } from "../../platform/clock.ts";
import { openUsers } from "../users.ts";

useAccounts();

type Told = Record<string, unknown>;
const options = (answer: Told) => answer["options"] as { challenge: string; [name: string]: unknown };

/** The clock stands at the beginning of a period of codes, unless a test moves it. */
function holdClock(): void {
  const at = Math.ceil(Date.now() / 30_000) * 30_000;
  vi.useFakeTimers({ now: at, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}
const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1000 });

async function withApp() {
  const { email, token } = await member();
  const begun = await call(contract.beginApp, { token });
  const [secret, ticket] = [String(begun["secret"]), String(begun["ticket"])];
  const added = await call(contract.addApp, { token, name: "Phone", ticket, code: codeOf(secret) });
  expect(added).toMatchObject({ status: "success", data: { kind: "app", name: "Phone" } });
  wait(30);
  return { email, token, secret, codes: added["recovery_codes"] as string[] };
}

async function addPasskey(token: string, key = new Passkey(), name = "Laptop") {
  const begun = options(await call(contract.beginPasskey, { token }));
  const answer = { token, name, passkey: key.made({ challenge: begun.challenge }) };
  return { key, begun, answer, added: await call(contract.addPasskey, answer) };
}

async function withPasskey() {
  const { email, token } = await member();
  const { key, added } = await addPasskey(token);
  expect(added).toMatchObject({ status: "success", data: { kind: "passkey", name: "Laptop" } });
  return { email, token, key, codes: added["recovery_codes"] as string[] };
}

async function ticketOf(email: string, sent: Sent = {}): Promise<string> {
  const answer = await logIn(email, {}, sent);
  expect(answer).toMatchObject({ status: "error", value: "second factor" });
  return String(answer["ticket"]);
}

const enter = (asked: Record<string, string>, sent: Sent = {}) => call(contract.authorizeFactor, asked, sent);
const opens = async (token: string) => (await call(account.balance, { token })).status === "success";
const mailsTo = async (email: string, kind: string) => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from task where kind = ${kind} and payload->>'to' = ${email}`;
  return row?.count;
};

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

test("a passkey signs in without a password, and after the password", async () => {
  const { email, key } = await withPasskey();
  const alone = options(await call(contract.askPasskey, {}));
  expect(alone).toMatchObject({ rpId: "localhost", userVerification: "required", allowCredentials: [] });
  const entered = await enter({ passkey: key.used(alone) });
  expect(entered).toMatchObject({ status: "success" });
  expect(await opens(String(entered.data["token"]))).toBe(true);

  const refused = await logIn(email);
  expect(refused).toMatchObject({ value: "second factor", kinds: ["passkey", "recovery"] });
  const asked = refused["passkey"] as { challenge: string };
  expect(asked).toMatchObject({ allowCredentials: [{ id: key.id }] });
  expect(await enter({ passkey: key.used({ ...asked, knows: false }) })).toMatchObject({ status: "success" });
});

test("an answer of a passkey opens once, and none with an old counter, of another page, for another challenge or without its person", async () => {
  const { key } = await withPasskey();
  const ask = async () => options(await call(contract.askPasskey, {}));
  const passkey = key.used(await ask());
  expect(await enter({ passkey })).toMatchObject({ status: "success" });
  expect(await enter({ passkey })).toMatchObject({ value: "ticket" });
  const refused = { value: "invalid passkey" };
  expect(
    await enter({ passkey: key.used({ ...(await ask()), origin: "http://localhost.evil" }) }),
  ).toMatchObject(refused);
  expect(await enter({ passkey: key.used({ ...(await ask()), host: "elsewhere" }) })).toMatchObject(refused);
  expect(await enter({ passkey: key.used({ ...(await ask()), knows: false }) })).toMatchObject(refused);
  expect(await enter({ passkey: key.used({ challenge: "A".repeat(43) }) })).toMatchObject({
    value: "ticket",
  });
  expect(
    await enter({ passkey: JSON.stringify({ id: key.id, response: { clientDataJSON: "e30" } }) }),
  ).toMatchObject({ value: "ticket" });
  key.counter = 0;
  expect(await enter({ passkey: key.used(await ask()) })).toMatchObject(refused);
  key.counter = 50;
  expect(await enter({ passkey: key.used(await ask()) })).toMatchObject({ status: "success" });
});

test("a passkey of another account is refused, in the sign-in and when it is added", async () => {
  const [mine, others] = [await withPasskey(), await withPasskey()];
  const ways = await logIn(mine.email);
  const challenge = String(ways["ticket"]);
  expect(await enter({ passkey: others.key.used({ challenge }) })).toMatchObject({
    value: "invalid passkey",
  });
  expect(await enter({ passkey: mine.key.used({ challenge }) })).toMatchObject({ status: "success" });
  expect((await addPasskey(mine.token, others.key)).added).toMatchObject({ value: "too many" });
  const { answer } = await addPasskey(others.token);
  expect(await call(contract.addPasskey, { ...answer, token: mine.token })).toMatchObject({
    value: "invalid passkey",
  });
  const used = await addPasskey(mine.token);
  expect(await call(contract.addPasskey, used.answer)).toMatchObject({ value: "invalid passkey" });
  const foreign = options(await call(contract.beginPasskey, { token: mine.token }));
  const passkey = new Passkey().made({ challenge: foreign.challenge, origin: "https://evil.example" });
  expect(await call(contract.addPasskey, { token: mine.token, name: "x", passkey })).toMatchObject({
    value: "invalid passkey",
  });
});

test("an account has several passkeys with a name and a last use; with the last factor its recovery codes end", async () => {
  const { email, token, key } = await withPasskey();
  const second = await addPasskey(token, new Passkey(), "Key ring");
  expect(second.added).not.toHaveProperty("recovery_codes");
  expect(second.begun).toMatchObject({ excludeCredentials: [{ id: key.id }] });
  const listed = async () =>
    (await call(contract.factors, { token })) as unknown as {
      data: { id: string; name: string; used_at?: number }[];
      recovery_left: number;
    };
  await enter({ passkey: second.key.used(options(await call(contract.askPasskey, {}))) });
  const { data, recovery_left: left } = await listed();
  expect(data.map(({ name, used_at: used }) => [name, used !== undefined])).toEqual([
    ["Laptop", false],
    ["Key ring", true],
  ]);
  expect(left).toBe(10);
  const stranger = (await member()).token;
  const [laptop, ring] = data.map(({ id }) => id);
  expect(await call(contract.removeFactor, { token: stranger, id: ring ?? "" })).toMatchObject({
    value: "no factor",
  });
  expect(await call(contract.removeFactor, { token, id: ring ?? "" })).toMatchObject({ status: "success" });
  expect(
    await enter({ passkey: second.key.used(options(await call(contract.askPasskey, {}))) }),
  ).toMatchObject({
    value: "invalid passkey",
  });
  expect(await call(contract.removeFactor, { token, id: laptop ?? "" })).toMatchObject({ status: "success" });
  expect(await listed()).toMatchObject({ data: [], recovery_left: 0 });
  expect(await call(contract.newRecoveryCodes, { token })).toMatchObject({ value: "no factor" });
  expect(await logIn(email)).toMatchObject({ status: "success" });
  expect([await mailsTo(email, "factor-added"), await mailsTo(email, "factor-removed")]).toEqual([2, 2]);
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
  // The first sign-in at home was a stranger's.
  expect(new Set(answers.slice(0, 29))).toEqual(new Set(["invalid code"]));
  expect(answers.slice(29)).toEqual(["limit", "limit", "limit"]);
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
  expect(await users.factors.reset({ userId }, userId, now())).toBe("no access");
});

test("passkeys are for a name with TLS, or for this machine", async () => {
  for (const [publicUrl, takes] of [
    ["https://shop.example", true],
    ["http://localhost:3000", true],
    ["http://shop.example", false],
    ["https://203.0.113.7", false],
    ["http://127.0.0.1:3000", false],
    ["https://[2001:db8::1]", false],
  ] as const) {
    const shop = await openUsers({ db, seal, adminEmails: new Set(), publicUrl });
    expect(shop.factors.takesPasskeys, publicUrl).toBe(takes);
    await shop.close();
  }
});
