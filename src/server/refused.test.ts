import { TOTP } from "otpauth";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../test/kit/database.ts";
import { soon } from "../../test/kit/soon.ts";
import { createHttp } from "./http.ts";
import { openCaptcha } from "./platform/http/captcha.ts";
import { readConfig } from "./platform/config/config.ts";
import { openLimits } from "./platform/http/rate-limits.ts";
import { createLog } from "./platform/log.ts";
import { createSeal } from "./platform/seal.ts";
import { securityEvents } from "../contract/account/security.ts";
import { information } from "../contract/users.ts";
import { now } from "./platform/clock.ts";
import { securityRoutes } from "./security/security.routes.ts";
import { adminCheck } from "../contract/news.ts";
import { openPartners } from "./partners/partners.ts";
import { answer } from "./platform/http/answer.ts";
import { openWatch } from "./refused.ts";
import * as security from "./security/security.ts";
import { factorRoutes } from "./users/factors/factors.routes.ts";
import { proofRoutes } from "./users/users.proofs.routes.ts";
import { tokenRoutes } from "./users/users.tokens.routes.ts";
import { userRoutes } from "./users/users.routes.ts";
import { openPasswords, openUsers } from "./users/users.ts";

const seal = createSeal(Buffer.alloc(32, 4));

async function shop() {
  const { db } = await createDatabase();
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const config = readConfig({ DEMO: "true", CAPTCHA: "off" });
  const captcha = openCaptcha({ setting: { kind: "off" }, seal, db });
  const users = await openUsers({ db, seal, adminEmails: new Set() });
  onTestFinished(() => users.close());
  const limits = openLimits(db, seal);
  const partners = openPartners({ db, publicUrl: "https://shop.example" });
  const watch = openWatch({
    log,
    idOf: users.idOf,
    callerOf: users.callerOf,
    keep: (happened) => security.keep(db, happened),
  });
  const passwords = openPasswords({ names: async () => [], log });
  const events = { revision: async () => 0n };
  const app = await createHttp({
    config,
    log: createLog("silent"),
    routes: [
      ...userRoutes({ db, users, limits, captcha, partners, passwords, events }),
      ...factorRoutes({ users, limits, adminsNeedFactor: false }),
      ...tokenRoutes({
        users,
        limits,
        catalog: { siteOf: async () => ({ refused: "site" }), siteNames: async () => new Map() },
      }),
      ...securityRoutes({ db }),
      ...proofRoutes({ users, limits }),
      answer(adminCheck, () => ({})),
    ],
    hooks: {
      callerOf: (token) => users.callerOf(token),
      admit: limits.admit,
      refused: watch.refused,
      done: watch.done,
    },
  });
  onTestFinished(() => app.close());
  const ask = async (path: string, asked: Record<string, string>) => {
    const form = new URLSearchParams(asked).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const isRead = [adminCheck.path, securityEvents.path, information.path].some((read) => read === path);
    const method = isRead ? "GET" : "POST";
    const url = method === "GET" ? `${path}?${form}` : path;
    return (await app.inject({ method, url, headers, ...(method === "POST" && { payload: form }) })).json<
      Record<string, unknown>
    >();
  };
  const counts = (place: number) => Object.fromEntries(watch.metrics[place]?.read() as Map<string, number>);
  return { ask, db, users, lines, counts: () => counts(0), disowned: () => counts(2)[""] };
}

test("failed log-ins, wrong codes and refused calls of the back office are told without their secrets, and counted", async () => {
  const { ask, lines, counts } = await shop();
  const email = "ann@example.com";
  const made = await ask("/user/registration", {
    email,
    password: "correct horse",
    localization: "en",
    recaptcha: "off",
  });
  const token = String(made["token"]);
  await vi.waitFor(() => expect(lines).toHaveLength(1), soon);
  lines.length = 0;
  await ask("/user/authorize", { email, password: "hunter2 tulip", captcha: "off" });
  await ask("/user/authorize", { email: "nobody@example.com", password: "hunter2 tulip", captcha: "off" });
  await ask("/user/activate", { token, code: "000000" });
  await ask("/user/changepassword", { email, code: "000000", password: "hunter2 tulip" });
  await ask("/api/admin/check", { token });
  await ask("/api/admin/check", { token: "HUNTER2tulipHUNTER2tulipHUNTER2t" });
  await ask("/user/authorize", { email: "nobody", password: "hunter2 tulip", captcha: "off" });
  await ask("/user/information", { token: "hunter2" });
  const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(said.map(({ level, kind, value }) => [level, kind, value])).toEqual([
    ["info", "login", "invalid password"],
    ["info", "login", "user not found"],
    ["info", "code", "invalid code"],
    ["info", "code", "invalid code"],
    ["info", "admin", "no access"],
    ["info", "admin", "token"],
  ]);
  expect(said[0]).toMatchObject({ call: "/user/authorize", address: "127.0.0.1", account: email });
  expect(lines.join("")).not.toMatch(/hunter2|000000/i);
  expect(lines.join("")).not.toContain(token);
  expect(counts()).toEqual({ login: 2, code: 2, admin: 2, session: 0, proof: 0, limit: 0 });
});

test("what only a person may do is told and counted, with the token of programs, without a fresh proof and with a wrong one", async () => {
  const { ask, db, lines, counts } = await shop();
  const asked = { email: "ben@example.com", password: "correct horse", localization: "en", recaptcha: "off" };
  const session = String((await ask("/user/registration", asked))["token"]);
  await vi.waitFor(() => expect(lines).toHaveLength(1), soon);
  lines.length = 0;
  const about = await ask(information.path, { token: session });
  const { token } = about["data"] as { token: string };
  await ask("/user/replacetoken", { token });
  await db`update user_session set proved_at = proved_at - interval '10 minutes'`;
  await ask("/user/replacetoken", { token: session });
  await ask("/user/prove", { token: session, password: "hunter2 tulip" });
  await ask("/user/prove", { token: session, password: "correct horse" });
  await vi.waitFor(() => expect(lines).toHaveLength(4), soon);
  const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(said.map(({ msg, kind, value, call }) => [msg, kind, value, call])).toEqual([
    ["refused", "session", "session", "/user/replacetoken"],
    ["refused", "proof", "proof", "/user/replacetoken"],
    ["refused", "login", "invalid password", "/user/prove"],
    ["done", "account", undefined, "/user/prove"],
  ]);
  expect(lines.join("")).not.toMatch(/hunter2/);
  expect(counts()).toMatchObject({ login: 1, session: 1, proof: 1, admin: 0 });
});

test("sign-ins, new passwords, tokens and limited tokens are told where they succeed, by the account's number alone", async () => {
  const { ask, db, lines } = await shop();
  const email = "bob@example.com";
  const secrets = { email, password: "correct horse" };
  const made = await ask("/user/registration", { ...secrets, localization: "en", recaptcha: "off" });
  const [user] = await db<{ id: bigint }[]>`
    update users set activated_at = now() where email = ${email} returning id`;
  await vi.waitFor(() => expect(lines).toHaveLength(1), soon);
  await ask("/user/authorize", { ...secrets, captcha: "off" });
  await vi.waitFor(() => expect(lines).toHaveLength(2), soon);
  const added = await ask("/user/tokens/add", { token: String(made["token"]), name: "program" });
  const replaced = await ask("/user/replacetoken", { token: String(made["token"]) });
  await vi.waitFor(() => expect(lines).toHaveLength(4), soon);
  const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(said.map(({ call }) => call)).toEqual([
    "/user/registration",
    "/user/authorize",
    "/user/tokens/add",
    "/user/replacetoken",
  ]);
  for (const line of said)
    expect(line).toMatchObject({
      level: "info",
      kind: "account",
      msg: "done",
      address: "127.0.0.1",
      account: `user ${user?.id}`,
    });
  const text = lines.join("");
  for (const secret of [
    made["token"],
    added["token"],
    (replaced["data"] as { token: string }).token,
    ...Object.values(secrets),
  ])
    expect(text).not.toContain(String(secret));
});

test("who ends all access by the link of a mail is told by the account's number, and counted, without the link", async () => {
  const { ask, db, lines, counts, disowned } = await shop();
  const email = "amy@example.com";
  const secrets = { email, password: "correct horse" };
  const made = await ask("/user/registration", { ...secrets, localization: "en", recaptcha: "off" });
  const [user] = await db<{ id: bigint }[]>`
    update users set activated_at = now() where email = ${email} returning id`;
  await ask("/user/replacetoken", { token: String(made["token"]) });
  const [mail] = await db<{ sealed: string }[]>`
    select payload->>'sealed' as sealed from task where queue = 'mail'`;
  const { link } = JSON.parse(seal.open(Buffer.from(mail?.sealed ?? "", "base64"))) as { link: string };
  expect(disowned()).toBe(0);
  await ask("/user/disown", { email, code: "x".repeat(link.length) });
  await ask("/user/disown", { email, code: link });
  await vi.waitFor(() => expect(lines).toHaveLength(4), soon);
  const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(said.slice(2)).toEqual([
    expect.objectContaining({ msg: "refused", kind: "code", call: "/user/disown", value: "invalid code" }),
    expect.objectContaining({ msg: "done", call: "/user/disown", account: `user ${user?.id}` }),
  ]);
  expect([disowned(), counts()["code"]]).toEqual([1, 1]);
  expect(lines.join("")).not.toContain(link);
});

test("calls beyond a limit are counted, and told once a minute for each caller and call, without an address of e-mail", async () => {
  const { ask, lines, counts } = await shop();
  const email = "eve@example.com";
  for (let n = 0; n < 35; n++)
    await ask("/user/changepassword", { email, code: "000000", password: "hunter2 tulip" });
  expect(counts()).toMatchObject({ code: 30, limit: 5 });
  const told = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ kind }) => kind === "limit");
  expect(told).toEqual([
    expect.objectContaining({ call: "/user/changepassword", value: "limit", address: "127.0.0.1" }),
  ]);
  expect(JSON.stringify(told)).not.toContain(email);
});

test("a sign-in that a second factor ends is told with its account, and a wrong code is counted", async () => {
  const { ask, db, users, lines, counts } = await shop();
  const email = "eve@example.com";
  const asked = { email, password: "correct horse" };
  await ask("/user/registration", { ...asked, localization: "ru", recaptcha: "off" });
  await db`update users set activated_at = now() where email = ${email}`;
  const userId = (await users.idOf(email)) ?? 0n;
  const { secret, ticket: begun } = await users.factors.beginApp(userId, now());
  const code = new TOTP({ secret }).generate({ timestamp: now().getTime() });
  const added = await users.factors.addApp({ userId, name: "Phone", ticket: begun, code }, now());
  if (typeof added === "string") throw new Error(added);
  const { ticket } = await ask("/user/authorize", { ...asked, captcha: "off" });
  const [recovery = ""] = added.recoveryCodes ?? [];
  await ask("/user/authorize/factor", { ticket: String(ticket), code: "aaaa-aaaa-aaaa-aaaa" });
  expect(await ask("/user/authorize/factor", { ticket: String(ticket), code: recovery })).toMatchObject({
    status: "success",
  });
  expect(counts()).toMatchObject({ code: 1, login: 0 });
  await expect
    .poll(() => lines.join(""), soon)
    .toContain(
      `"kind":"account","call":"/user/authorize/factor","address":"127.0.0.1","account":"user ${userId}"`,
    );
  expect(lines.join("")).not.toContain(recovery);
});

test("the owner reads what happened to the account, whence, and what was refused; nobody else does; ninety days", async () => {
  const { ask, db } = await shop();
  const secrets = { email: "zoe@example.com", password: "correct horse" };
  const made = await ask("/user/registration", { ...secrets, localization: "en", recaptcha: "off" });
  await ask("/user/authorize", { ...secrets, password: "hunter2 tulip", captcha: "off" });
  await ask("/user/authorize", { email: "nobody@example.com", password: "hunter2 tulip", captcha: "off" });
  const other = await ask("/user/registration", {
    ...secrets,
    email: "yan@example.com",
    localization: "en",
    recaptcha: "off",
  });
  const token = String(made["token"]);
  await ask("/user/replacetoken", { token });
  const history = async (session: unknown) =>
    (await ask("/user/security", { token: String(session) }))["data"] as Record<string, unknown>[];
  await vi.waitFor(async () => expect(await history(token)).toHaveLength(3), soon);
  const own = await history(token);
  expect(own.map(({ call, refused }) => [call, refused])).toEqual([
    ["replaceToken", undefined],
    ["authorize", "invalid password"],
    ["registration", undefined],
  ]);
  await vi.waitFor(async () => expect(await history(other["token"])).toHaveLength(1), soon);
  expect(
    JSON.stringify(await db`select * from security_event`, (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  ).not.toMatch(/hunter2|example.com/);
  const account = (await ask("/user/information", { token }))["data"] as { token: string };
  expect(await ask("/user/security", { token: account.token })).toMatchObject({ value: "session" });
  await db`update security_event set at = at - interval '91 days' where call = 'authorize'`;
  expect(await security.forget(db, now())).toBe(2);
  // The third is the refused try of a program above.
  await vi.waitFor(async () => expect(await history(token)).toHaveLength(3), soon);
});
