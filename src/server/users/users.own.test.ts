// @module-tag slow
import { expect, test } from "vitest";
import {
  askReset,
  call,
  db,
  later,
  logIn,
  mailed,
  mailedBoth,
  member,
  newEmail,
  password,
  signUp,
  useAccounts,
  users,
  wrong,
} from "../../../test/kit/accounts.ts";
import * as own from "../../contract/account/owner.ts";
import * as contract from "../../contract/users.ts";

useAccounts();

const signIn = async (email: string, secret = password) =>
  String((await logIn(email, { password: secret })).data["token"]);
const opens = async (token: string) => (await call(contract.balance, { token })).status === "success";
const about = async (token: string) => (await call(contract.information, { token })).data;

/** A member with sessions of their own, and the token of programs. */
async function person() {
  const { email } = await member();
  const session = await signIn(email);
  const { token, id } = (await about(session)) as { token: string; id: string };
  return { email, session, program: token, userId: BigInt(id) };
}

async function change(token: string, from: string, to: string) {
  expect(await call(own.changeEmail, { token, email: to })).toMatchObject({ message: "codes sent" });
  const [code, fresh] = [await mailed(from), await mailed(to)];
  return call(own.confirmEmail, { token, email: to, code, new_code: fresh });
}

test("a new password is set with the current one: all other sessions end, programs stay, and the owner is told", async () => {
  const { email, session, program } = await person();
  const elsewhere = await signIn(email);
  const set = await call(own.setPassword, { token: session, current: password, password: "battery staple" });
  expect(set).toMatchObject({ message: "password changed", ended: 2 });
  expect([await opens(session), await opens(elsewhere), await opens(program)]).toEqual([true, false, true]);
  expect(await logIn(email)).toMatchObject({ value: "invalid password" });
  expect(await logIn(email, { password: "battery staple" })).toMatchObject({ status: "success" });
  const notices = await db<{ kind: string }[]>`
    select kind from owner_notice n join users u on u.id = n.user_id where u.email = ${email}`;
  expect(notices).toEqual([{ kind: "password-changed" }]);
});

test("without the current password, with a weak new one, or by a program, the password stays", async () => {
  const { session, program } = await person();
  const refused = (asked: Record<string, string>) =>
    call(own.setPassword, { token: session, current: password, password: "battery staple", ...asked });
  expect(await refused({ current: "wrong horse" })).toMatchObject({
    value: "invalid password",
    parameter: "current",
  });
  expect(await refused({ password: "short" })).toMatchObject({ value: "password too short" });
  expect(await refused({ password: "password1" })).toMatchObject({ value: "password too common" });
  expect(await refused({ token: program })).toMatchObject({ value: "session" });
  const still = { token: session, current: password, password: "battery staple" };
  expect(await call(own.setPassword, still)).toMatchObject({ status: "success" });
});

test("the current password cannot be guessed in a stolen session", async () => {
  const { session } = await person();
  const from = "198.51.100.40";
  const guess = (current: string) =>
    call(own.setPassword, { token: session, current, password: "battery staple" }, { from });
  for (let tries = 0; tries < 10; tries++)
    expect(await guess(`guess ${tries}`)).toMatchObject({ value: "invalid password" });
  expect(await guess(password)).toMatchObject({ value: "limit", http: 429 });
});

test("the address changes with a code to the old one and one to the new: sessions and programs stay, and both know", async () => {
  const { email, session, program, userId } = await person();
  const fresh = newEmail();
  expect(await change(session, email, fresh)).toMatchObject({ message: "email changed" });
  expect([await opens(session), await opens(program)]).toEqual([true, true]);
  expect(await about(session)).toMatchObject({ email: fresh, name: fresh.split("@")[0] });
  expect(await logIn(email)).toMatchObject({ value: "user not found" });
  expect(await logIn(fresh)).toMatchObject({ status: "success" });
  const [notice] = await db<{ address: string }[]>`
    select address from owner_notice where kind = 'email-changed' and user_id = ${userId}`;
  expect(notice).toEqual({ address: email });
  const marks = await db`select from user_mark where kind = 'email' and user_id = ${userId}`;
  expect(marks).toHaveLength(2);
});

test("one code is not enough, no code opens another address, and neither a program nor who is not activated can begin", async () => {
  const { email, session, program } = await person();
  const [mine, theirs] = [newEmail(), newEmail()];
  await call(own.changeEmail, { token: session, email: mine });
  const [code, fresh] = [await mailed(email), await mailed(mine)];
  const confirm = (asked: Record<string, string>) =>
    call(own.confirmEmail, { token: session, email: mine, code, new_code: fresh, ...asked });
  expect(await confirm({ code: wrong(code) })).toMatchObject({ value: "invalid code", parameter: "code" });
  expect(await confirm({ new_code: wrong(fresh) })).toMatchObject({
    value: "invalid code",
    parameter: "new_code",
  });
  expect(await confirm({ email: theirs })).toMatchObject({ value: "invalid code" });
  // Both codes that the holder of one mailbox knows: they were made for that mailbox.
  await later(email, 61);
  await call(own.changeEmail, { token: session, email: theirs });
  expect(await confirm({ email: theirs, code: await mailed(email) })).toMatchObject({
    value: "invalid code",
    parameter: "new_code",
  });
  expect(await call(own.changeEmail, { token: program, email: mine })).toMatchObject({ value: "session" });
  const stranger = String((await signUp(newEmail())).token);
  expect(await call(own.changeEmail, { token: stranger, email: mine })).toMatchObject({ value: "token" });
  expect(await about(session)).toMatchObject({ email });
});

test("wrong codes are counted, and codes are sent once a minute", async () => {
  const { email, session } = await person();
  const fresh = newEmail();
  await call(own.changeEmail, { token: session, email: fresh });
  expect((await call(own.changeEmail, { token: session, email: newEmail() })).value).toMatch(
    /^try again \d+ seconds$/,
  );
  const [code, right] = [await mailed(email), await mailed(fresh)];
  for (let tries = 0; tries < 5; tries++)
    await call(own.confirmEmail, { token: session, email: fresh, code, new_code: wrong(right) });
  const late = await call(own.confirmEmail, { token: session, email: fresh, code, new_code: right });
  expect(late).toMatchObject({ value: "token expired", parameter: "new_code" });
});

test("an address that another account has, or left lately, is taken", async () => {
  const [one, other] = [await person(), await person()];
  expect(await call(own.changeEmail, { token: one.session, email: other.email })).toMatchObject({
    value: "email already registered",
  });
  const fresh = newEmail();
  // Taken only after the codes were sent.
  await call(own.changeEmail, { token: one.session, email: fresh });
  const codes = { code: await mailed(one.email), new_code: await mailed(fresh) };
  expect(await change(other.session, other.email, newEmail())).toMatchObject({ status: "success" });
  await signUp(fresh);
  expect(await call(own.confirmEmail, { token: one.session, email: fresh, ...codes })).toMatchObject({
    value: "email already registered",
  });
  expect(await signUp(other.email)).toMatchObject({ value: "email already registered" });
  await later(one.email, 61);
  expect(await call(own.changeEmail, { token: one.session, email: other.email })).toMatchObject({
    value: "email already registered",
  });
  await db`update owner_notice set created_at = created_at - interval '8 days' where address = ${other.email}`;
  expect(await signUp(other.email)).toMatchObject({ status: "success" });
});

test("this was not me, in the mail to the old address, ends all access and brings the address back, even after a new password", async () => {
  const { email, session, program } = await person();
  const thiefs = newEmail();
  await change(session, email, thiefs);
  const { link } = await mailedBoth(email);
  await askReset(thiefs);
  const reset = { email: thiefs, code: await mailed(thiefs), password: "stolen horse" };
  expect(await call(contract.changePassword, reset)).toMatchObject({ status: "success" });
  const thief = await signIn(thiefs, "stolen horse");
  expect(await call(contract.disown, { email, code: link })).toMatchObject({ message: "access ended" });
  expect([await opens(thief), await opens(session), await opens(program)]).toEqual([false, false, false]);
  expect(await logIn(thiefs, { password: "stolen horse" })).toMatchObject({ value: "user not found" });
  const back = { email, code: await mailed(email), password: "own horse" };
  expect(await call(contract.changePassword, back)).toMatchObject({ status: "success" });
  expect(await about(await signIn(email, "own horse"))).toMatchObject({ email });
  expect(await call(contract.disown, { email, code: link })).toMatchObject({ value: "invalid code" });
});

test("a code for a new password that the old mailbox got opens nothing after the change", async () => {
  const { email, session } = await person();
  await askReset(email);
  const code = await mailed(email);
  const fresh = newEmail();
  await change(session, email, fresh);
  const reset = { email: fresh, code, password: "stolen horse" };
  expect(await call(contract.changePassword, reset)).toMatchObject({ value: "invalid code" });
});

test("who proves to have an address of ADMIN_EMAILS is an administrator, as by activating it, and is told", async () => {
  const { email, session, userId } = await person();
  await change(session, email, "office@example.com");
  expect(await about(session)).toMatchObject({ is_admin: true });
  const told = await db<{ kind: string; address: string }[]>`
    select kind, address from owner_notice where user_id = ${userId} order by id`;
  expect(told).toEqual([
    { kind: "email-changed", address: email },
    { kind: "role-granted", address: "office@example.com" },
  ]);
  expect(await users.callerOf(session)).toMatchObject({ admin: true });
});
