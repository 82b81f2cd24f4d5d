// @module-tag slow
import { expect, test } from "vitest";
import {
  app,
  askReset,
  call,
  db,
  later,
  logIn,
  mailed,
  member,
  newcomer,
  newEmail,
  password,
  seen,
  type Sent,
  signUp,
  solved,
  wrong,
  useAccounts,
} from "../../../test/kit/accounts.ts";
import { holdClock, withApp } from "../../../test/kit/factors.ts";
import * as contract from "../../contract/users.ts";
import { block, find } from "./users.ts";

useAccounts();

test("a stranger becomes a member: registers, activates, logs in, sees the account and its balance", async () => {
  const email = newEmail();
  const made = await signUp(email.toUpperCase());
  expect(made).toMatchObject({ http: 200, status: "success", message: "registered" });
  const session = String(made.token);
  expect(made.data).toEqual({ token: session });
  expect(
    await call(contract.activate, { token: session, code: await mailed(email) }, { method: "POST" }),
  ).toMatchObject({
    status: "success",
    message: "activated",
  });
  const entered = await logIn(email);
  expect(entered).toMatchObject({ status: "success", message: "authorized" });
  expect(entered.data["token"]).not.toBe(session);
  const { data } = await call(contract.information, { token: session });
  // The account's own token, which programs use.
  const token = String(data["token"]);
  expect(await call(contract.information, { token })).toMatchObject({ data: { token } });
  expect([session, entered.data["token"]]).not.toContain(token);
  const nothing = {
    earned: "0.0",
    payed: "0.0",
    payed_date: null,
    to_withdraw: "0.0",
    held: "0.0",
    count: 0,
  };
  expect(data).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: email.split("@")[0],
    email,
    avatar: 1,
    active: true,
    token,
    balance: "0.0",
    is_investor: false,
    is_admin: false,
    telegramConfirmed: false,
    socials: [{ is_auth: 0 }],
    mode: "user",
    created_at: expect.any(Number),
    referrals: { ...nothing, link: null, word: null, date: null },
    soft: { ...nothing, id: data["id"] },
  });
  expect(await call(contract.balance, { token })).toMatchObject({ status: "success", balance: "0.0" });
});

test("a token that is replaced opens nothing from that moment, and the new one does; who is signed in stays so", async () => {
  const { token: session } = await signUp(newEmail());
  const { token: old } = (await call(contract.information, { token: String(session) })).data;
  expect(await call(contract.replaceToken, { token: String(old) })).toMatchObject({ value: "session" });
  // An account that is not activated is cached nowhere.
  await db`update user_session set proved_at = proved_at - interval '10 minutes'`;
  expect(await call(contract.replaceToken, { token: String(session) })).toMatchObject({ value: "proof" });
  await db`update user_session set proved_at = proved_at + interval '10 minutes'`;
  const { data } = await call(contract.replaceToken, { token: String(session) });
  expect(await call(contract.balance, { token: String(session) })).toMatchObject({ status: "success" });
  expect(data["token"]).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(await call(contract.balance, { token: String(old) })).toMatchObject({
    status: "error",
    value: "token",
  });
  expect(await call(contract.balance, { token: String(data["token"]) })).toMatchObject({ status: "success" });
});

test("multipart registration is taken as the specification has it", async () => {
  const email = newEmail();
  const form = new FormData();
  const fields = { email, password, localization: "ru", recaptcha: await solved() };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const request = new Request("http://shop.test/", { method: "POST", body: form });
  const response = await app.inject({
    method: "POST",
    url: "/user/registration",
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { "content-type": request.headers.get("content-type") ?? "" },
  });
  expect(response.json()).toMatchObject({ status: "success", message: "registered" });
});

test("the mail is in the language of the pages; the ru that every page sends says nothing", async () => {
  const languageOf = async (more: Record<string, string>) => {
    const email = newEmail();
    await signUp(email, more);
    return (await find(db, email))?.language;
  };
  expect(await languageOf({ language: "ar" })).toBe("ar");
  expect(await languageOf({})).toBe("en");
  expect(await languageOf({ localization: "es" })).toBe("es");
  expect(await languageOf({ language: "ru" })).toBe("ru");
  expect(await languageOf({ language: "xx", localization: "ru" })).toBe("en");
});

test("a captcha is asked for, is good once, and is not used up by a form that is filled in wrongly", async () => {
  const email = newEmail();
  const recaptcha = await solved();
  expect(await call(contract.registration, { email, password: "short", recaptcha })).toMatchObject({
    value: "password too short",
    message: "password too short",
  });
  expect(await signUp(email, { localization: "russian" })).toMatchObject({ value: "localization" });
  expect(await signUp(email, { ref: "no word" })).toMatchObject({ value: "word" });
  expect(await signUp("no address", {})).toMatchObject({ value: "invalid email" });
  expect(await signUp(email, { password: "пароль пароль" })).toMatchObject({ value: "invalid password" });
  expect(await signUp(email, { recaptcha: "none" })).toMatchObject({ parameter: "recaptcha" });
  expect(await signUp(email, { recaptcha })).toMatchObject({ status: "success" });
  expect(await logIn(email, { captcha: recaptcha })).toMatchObject({ value: "captcha" });
  expect(await call(contract.sendCodeReset, { email, captcha: recaptcha })).toMatchObject({
    value: "captcha",
  });
});

test("who registers again before the activation goes on with the right password, and learns nothing with a wrong one", async () => {
  const { email, token } = await newcomer();
  const right = await signUp(email);
  expect(right).toMatchObject({ http: 200, value: "email already registered", data: { token: right.token } });
  const one = async (session: unknown) =>
    (await call(contract.information, { token: String(session) })).data["id"];
  expect(await one(right.token)).toBe(await one(token));
  const wrongly = await signUp(email, { password: "wrong horse" });
  expect(wrongly).toMatchObject({ value: "email already registered" });
  expect([wrongly.token, wrongly.data]).toEqual([undefined, undefined]);
});

test("who registers again a while later gets a new code", async () => {
  const { email } = await newcomer();
  const first = await mailed(email);
  await signUp(email);
  expect(await mailed(email)).toBe(first);
  await later(email, 3_600);
  const { token } = await signUp(email);
  expect(await mailed(email)).not.toBe(first);
  expect(await call(contract.activate, { token: String(token), code: await mailed(email) })).toMatchObject({
    status: "success",
  });
});

test("who registers an activated address again gets no token", async () => {
  const { email } = await member();
  const again = await signUp(email);
  expect(again).toMatchObject({ value: "email already registered" });
  expect(again.token).toBeUndefined();
});

test("a log-in says what is wrong, and a blocked account is not there", async () => {
  const { email, token } = await member();
  expect(await logIn(email, { password: "wrong horse" })).toMatchObject({ value: "invalid password" });
  expect(await logIn("nobody@example.com")).toMatchObject({ value: "user not found" });
  expect(await logIn("nobody")).toMatchObject({ value: "invalid email" });
  const user = await find(db, email);
  await block(db, user!.id, true);
  expect(await logIn(email)).toMatchObject({ value: "user not found" });
  expect(await askReset(email)).toMatchObject({ value: "user not found" });
  await expect
    .poll(async () => (await call(contract.balance, { token })).value, { interval: 5 })
    .toBe("token");
  expect(await call(contract.information, { token })).toMatchObject({ value: "token" });
});

test("calls of an account without a token, or with a wrong one, are refused", async () => {
  for (const endpoint of [
    contract.information,
    contract.balance,
    contract.sendNewCode,
    contract.replaceToken,
  ])
    expect(await call(endpoint, { token: "A".repeat(32) })).toMatchObject({ http: 200, value: "token" });
  expect(await call(contract.activate, { token: "", code: "123456" })).toMatchObject({ value: "token" });
});

test("a wrong code is refused five times, then a new one is needed", async () => {
  const { email, token } = await newcomer();
  const code = await mailed(email);
  expect(await call(contract.activate, { token, code: "12345" })).toMatchObject({ value: "invalid code" });
  for (let n = 0; n < 5; n++)
    expect(await call(contract.activate, { token, code: wrong(code) })).toMatchObject({
      value: "invalid code",
    });
  expect(await call(contract.activate, { token, code })).toMatchObject({ value: "token expired" });
  await later(email, 60);
  expect(await call(contract.sendNewCode, { token })).toMatchObject({
    status: "success",
    message: "code sent",
  });
  expect(await call(contract.activate, { token, code: await mailed(email) })).toMatchObject({
    status: "success",
  });
  expect(await call(contract.sendNewCode, { token })).toMatchObject({ value: "account already activated" });
});

test("a code within a minute of the last is refused with the seconds that are left", async () => {
  const { email, token } = await newcomer();
  await later(email, 20);
  const refused = await call(contract.sendNewCode, { token });
  expect(refused.value).toMatch(/^try again (39|40) seconds$/);
  expect([39, 40]).toContain(refused["retry_after"]);
  expect(refused).toMatchObject({ http: 200, message: refused.value });
  // Asking too early does not count against the hour's codes.
  for (let n = 0; n < 12; n++)
    expect((await call(contract.sendNewCode, { token })).value).toMatch(/^try again/);
  await later(email, 40);
  expect(await call(contract.sendNewCode, { token })).toMatchObject({ status: "success" });
});

test("who forgot the password gets a code and sets a new one", async () => {
  const { email } = await member();
  expect(await askReset("nobody@example.com")).toMatchObject({ value: "user not found" });
  expect(await askReset("no address")).toMatchObject({ value: "invalid email" });
  expect(await askReset(email)).toMatchObject({ status: "success", message: "code sent" });
  expect((await askReset(email)).value).toMatch(/^try again \d+ seconds$/);
  const code = await mailed(email);
  const change = (more: Record<string, string>, sent?: Sent) =>
    call(contract.changePassword, { email, code, password: "new horse", ...more }, sent);
  expect(await change({ email: "no address" })).toMatchObject({ value: "invalid email" });
  expect(await change({ email: "nobody@example.com" })).toMatchObject({ value: "invalid code" });
  expect(await change({ code: wrong(code) })).toMatchObject({ value: "invalid code" });
  expect(await change({ password: "пароль" })).toMatchObject({ value: "invalid password" });
  expect(await change({ password: "short" })).toMatchObject({ value: "password too short" });
  expect(await change({ password: "123456" })).toMatchObject({ value: "password too common" });
  expect(await change({ keep_programs: "perhaps" })).toMatchObject({ value: "request" });
  expect(await change({ language: "english" })).toMatchObject({ value: "localization" });
  await later(email, 15 * 60);
  expect(await change({})).toMatchObject({ value: "token expired" });
  expect(await askReset(email)).toMatchObject({ status: "success" });
  expect(await change({ code: await mailed(email) }, { method: "POST" })).toMatchObject({
    status: "success",
    message: "password changed",
  });
  expect(await logIn(email)).toMatchObject({ value: "invalid password" });
  expect(await logIn(email, { password: "new horse" })).toMatchObject({ status: "success" });
});

test("guessing a password is slowed down with 429 and Retry-After; the owner elsewhere still gets in", async () => {
  const { email } = await member();
  const guess = () => logIn(email, { password: "a wild guess" }, { from: "192.0.2.10" });
  for (let n = 0; n < 10; n++) expect(await guess()).toMatchObject({ http: 200, value: "invalid password" });
  const slowed = await guess();
  expect(slowed).toMatchObject({ http: 429, status: "error", value: "limit" });
  expect(Number(slowed.headers["retry-after"])).toBe(slowed["retry_after"]);
  expect(await signUp(email, { password: "another guess" }, { from: "192.0.2.10" })).toMatchObject({
    http: 429,
  });
  expect(await logIn(email, {}, { from: "192.0.2.11" })).toMatchObject({ status: "success" });
});

test("an owner who mistypes now and then is never slowed down", async () => {
  const { email } = await member();
  for (let n = 0; n < 4; n++) {
    for (let typo = 0; typo < 4; typo++) await logIn(email, { password: "correct hrose" });
    expect(await logIn(email)).toMatchObject({ status: "success" });
  }
});

test("codes and tries are counted beside the five tries of each code", async () => {
  const { email, token } = await newcomer();
  const asks = async () => {
    await later(email, 60);
    return call(contract.sendNewCode, { token });
  };
  for (let n = 0; n < 10; n++) expect(await asks()).toMatchObject({ status: "success" });
  expect(await asks()).toMatchObject({ http: 429, value: "limit" });
  const tries = await Promise.all(
    Array.from({ length: 32 }, () => call(contract.activate, { token, code: "000000" })),
  );
  expect(tries.filter((each) => each.http === 429)).toHaveLength(2);
});

test(
  "registrations from one address are counted, those of this machine are not",
  { tags: ["full"] },
  async () => {
    const made = await Promise.all(
      Array.from({ length: 61 }, () => signUp(newEmail(), {}, { from: "192.0.2.77" })),
    );
    expect(made.filter((each) => each.http === 429)).toHaveLength(1);
    const local = await Promise.all(Array.from({ length: 65 }, () => signUp(newEmail())));
    expect(local.every((each) => each.status === "success")).toBe(true);
  },
);

test("a password that everybody tries first opens no account", async () => {
  const leaked = ["112233", "Passw0rd1", "maggie", "metallica", "aa123456", "5201314", "Heather1"];
  const own = ["postern", "Postern2026", "mailroom", "MAILROOM.TEST", "mailroom7", "shop.example"];
  for (const common of ["123456", "password", "      ", "Qwerty123", ...leaked, ...own])
    expect(await signUp(newEmail(), { password: common })).toMatchObject({ value: "password too common" });
});

test("the right password of an account with a second factor answers what is asked for next, and no token", async () => {
  holdClock();
  const { email } = await withApp();
  const answer = await logIn(email);
  expect(answer).toMatchObject({
    value: "second factor",
    message: "second factor",
    kinds: ["app", "recovery"],
  });
  expect(answer.token ?? answer.data).toBeUndefined();
});

test("every refusal that these calls declare was reached here", () => {
  // users.notices.test.ts has those of "disown".
  const elsewhere = new Set(["disown", "captchaChallenge", "telegramLink", "avatar", "chooseAvatar"]);
  const declared = Object.values(contract).flatMap((each) =>
    typeof each === "object" && "refusals" in each && !elsewhere.has(each.name)
      ? each.refusals.map((value) => `${each.path} ${value}`)
      : [],
  );
  expect(declared.length).toBeGreaterThan(20);
  expect(declared.filter((each) => !seen.has(each))).toEqual([]);
});
