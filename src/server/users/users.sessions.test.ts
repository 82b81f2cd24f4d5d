// @module-tag slow
import { expect, onTestFinished, test, vi } from "vitest";
import {
  askReset,
  call,
  db,
  logIn,
  mailed,
  member,
  seal,
  type Sent,
  useAccounts,
  users,
} from "../../../test/kit/accounts.ts";
import { soon } from "../../../test/kit/soon.ts";
import { sessionDaysIdle, sessionDaysMax, sessionsMax } from "../../contract/limits.ts";
import * as tokens from "../../contract/tokens.ts";
import * as contract from "../../contract/users.ts";
import { now } from "../platform/clock.ts";
import { openUsers } from "./users.ts";

useAccounts();

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";
const daySeconds = 24 * 60 * 60;

const signIn = async (email: string, sent: Sent = {}) => String((await logIn(email, {}, sent)).data["token"]);
const opens = async (token: string) => (await call(contract.balance, { token })).status === "success";

type Told = { id: string; own: boolean; way: string; program?: string; network?: string };
async function listed(token: string): Promise<Told[]> {
  const answer = await call(tokens.sessions, { token });
  return answer.data as unknown as Told[];
}

/** As if all that an account did had been so long ago. */
async function later(token: string, { used, begun }: { used: number; begun: number }): Promise<void> {
  const hash = seal.hash("token", token);
  const [session] = await db<{ userId: bigint }[]>`
    update user_session set used_at = used_at - make_interval(secs => ${used}),
      created_at = created_at - make_interval(secs => ${begun})
    where token_hash = ${hash} returning user_id as "userId"`;
  if (!session) throw new Error("no such session");
  users.forget(session.userId);
}

test("each sign-in has a session of its own; the list says which program, whence, how, and which is one's own", async () => {
  const { email, token: registered } = await member();
  const [phone, desk] = [
    await signIn(email, { from: "198.51.100.9" }),
    await signIn(email, { from: "203.0.113.7", program: firefox }),
  ];
  expect(new Set([registered, phone, desk]).size).toBe(3);
  expect(await listed(desk)).toMatchObject([
    { own: true, way: "password", program: "Firefox, Windows", network: "203.0.113.7" },
    { own: false, way: "password", network: "198.51.100.9" },
    { own: false, way: "registration" },
  ]);
  const rows = await db`select * from user_session`;
  for (const secret of [registered, phone, desk, "198.51.100.9", "Firefox"])
    expect(
      JSON.stringify(rows, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value),
      ),
    ).not.toContain(secret);
});

test("one session ends another, all others, and none of another account", async () => {
  const { email } = await member();
  const [one, two, three] = [await signIn(email), await signIn(email), await signIn(email)];
  const stranger = (await member()).token;
  const ofTwo = (await listed(two)).find(({ own }) => own)!.id;
  expect(await call(tokens.endSession, { token: stranger, id: ofTwo })).toMatchObject({
    value: "no session",
  });
  expect(await opens(two)).toBe(true);
  expect(await call(tokens.endSession, { token: one, id: ofTwo })).toMatchObject({ status: "success" });
  expect([await opens(one), await opens(two), await opens(three)]).toEqual([true, false, true]);
  expect(await call(tokens.endSession, { token: one, id: ofTwo })).toMatchObject({ value: "no session" });
  expect(await call(tokens.endOtherSessions, { token: one })).toMatchObject({ status: "success", ended: 2 });
  expect([await opens(one), await opens(three), await opens(stranger)]).toEqual([true, false, true]);
});

test("signing out ends the session and no other, and tells the browser to forget what is stored", async () => {
  const { email } = await member();
  const [one, two] = [await signIn(email), await signIn(email)];
  const out = await call(tokens.signOut, { token: one });
  expect(out).toMatchObject({ status: "success", ended: true });
  expect(out.headers["clear-site-data"]).toBe('"storage"');
  const again = await call(tokens.signOut, { token: one });
  expect(again).toMatchObject({ value: "token" });
  expect(again.headers["clear-site-data"]).toBeUndefined();
  expect([await opens(one), await opens(two)]).toEqual([false, true]);
});

test("the token of programs goes on when a person signs out, and neither lists nor ends sessions", async () => {
  const { email } = await member();
  const session = await signIn(email);
  const token = String((await call(contract.information, { token: session })).data["token"]);
  expect(await call(tokens.signOut, { token })).toMatchObject({ status: "success", ended: false });
  const { id } = (await listed(session))[0]!;
  for (const refused of [
    await call(tokens.sessions, { token }),
    await call(tokens.endSession, { token, id }),
    await call(tokens.endOtherSessions, { token }),
  ])
    expect(refused).toMatchObject({ value: "session" });
  expect([await opens(token), await opens(session)]).toEqual([true, true]);
});

test("a session ends in every process at once", async () => {
  const { email } = await member();
  const session = await signIn(email);
  const elsewhere = await openUsers({ db, seal, adminEmails: new Set() });
  onTestFinished(() => elsewhere.close());
  expect(await elsewhere.callerOf(session)).toBeDefined();
  await call(tokens.signOut, { token: session });
  await vi.waitFor(async () => expect(await elsewhere.callerOf(session)).toBeUndefined(), soon);
});

test("a session that is not used for thirty days has ended, one that is used lives ninety", async () => {
  const { email } = await member();
  const [idle, used] = [await signIn(email), await signIn(email)];
  const almost = sessionDaysIdle * daySeconds - 60;
  await later(idle, { used: almost, begun: almost });
  await later(used, { used: almost, begun: almost });
  // Its use is noted, so that it may rest again.
  expect(await opens(used)).toBe(true);
  await later(idle, { used: 61, begun: 61 });
  await later(used, { used: 61, begun: 61 });
  expect([await opens(idle), await opens(used)]).toEqual([false, true]);
  expect(await listed(used)).not.toContainEqual(expect.objectContaining({ own: false, way: "password" }));
  await later(used, { used: 0, begun: (sessionDaysMax - sessionDaysIdle) * daySeconds });
  expect(await opens(used)).toBe(false);
  expect(await users.sessions.forget(now())).toBeGreaterThanOrEqual(2);
});

test("the list names the network of the last use", async () => {
  const { email } = await member();
  const session = await signIn(email, { from: "203.0.113.7", program: firefox });
  await later(session, { used: 600, begun: 600 });
  await call(contract.balance, { token: session }, { from: "198.51.100.20" });
  expect(await listed(session)).toContainEqual(
    expect.objectContaining({ own: true, network: "198.51.100.20", program: "Firefox, Windows" }),
  );
});

test("a new password ends every session, also where programs are kept", async () => {
  const { email } = await member();
  const session = await signIn(email);
  await askReset(email);
  const code = await mailed(email);
  const asked = { email, code, password: "new horse 5", keep_programs: "1" };
  expect(await call(contract.changePassword, asked, { method: "POST" })).toMatchObject({ status: "success" });
  expect(await opens(session)).toBe(false);
});

test("a blocked account has no session", async () => {
  const { email } = await member();
  const session = await signIn(email);
  const userId = (await users.callerOf(session))!.userId;
  await db`update users set blocked_at = now() where id = ${userId}`;
  users.forget(userId);
  expect(await opens(session)).toBe(false);
});

test("of more sessions than an account may have, the one that was not used for longest ends", async () => {
  const { email, token: first } = await member();
  const { userId } = (await users.callerOf(first))!;
  await later(first, { used: 60, begun: 60 });
  for (let made = 1; made < sessionsMax; made++) await users.sessions.begin(userId, "password", {}, now());
  expect(await opens(first)).toBe(true);
  const last = await signIn(email);
  expect([await opens(first), await opens(last)]).toEqual([false, true]);
});
