import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../test/kit/database.ts";
import { soon } from "../../test/kit/soon.ts";
import { createHttp } from "./http.ts";
import { openCaptcha } from "./platform/http/captcha.ts";
import { readConfig } from "./platform/config/config.ts";
import { openLimits } from "./platform/http/rate-limits.ts";
import { createLog } from "./platform/log.ts";
import { createSeal } from "./platform/seal.ts";
import { adminCheck } from "../contract/news.ts";
import { information } from "../contract/users.ts";
import { openPartners } from "./partners/partners.ts";
import { answer } from "./platform/http/answer.ts";
import { openWatch } from "./refused.ts";
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
  const watch = openWatch({ log, idOf: users.idOf });
  const passwords = openPasswords({ names: async () => [], log });
  const events = { revision: async () => 0n };
  const app = await createHttp({
    config,
    log: createLog("silent"),
    routes: [
      ...userRoutes({ db, users, limits, captcha, partners, passwords, events }),
      ...tokenRoutes({
        users,
        limits,
        catalog: { siteOf: async () => ({ refused: "site" }), siteNames: async () => new Map() },
      }),
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
    const method = path === adminCheck.path || path === information.path ? "GET" : "POST";
    const url = method === "GET" ? `${path}?${form}` : path;
    return (await app.inject({ method, url, headers, ...(method === "POST" && { payload: form }) })).json<
      Record<string, unknown>
    >();
  };
  const counts = (place: number) => Object.fromEntries(watch.metrics[place]?.read() as Map<string, number>);
  return { ask, db, lines, counts: () => counts(0), disowned: () => counts(1)[""] };
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
  expect(lines).toEqual([]);
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
  const about = await ask(information.path, { token: session });
  const { token } = about["data"] as { token: string };
  await ask("/user/replacetoken", { token });
  await db`update user_session set proved_at = proved_at - interval '10 minutes'`;
  await ask("/user/replacetoken", { token: session });
  await ask("/user/prove", { token: session, password: "hunter2 tulip" });
  await ask("/user/prove", { token: session, password: "correct horse" });
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
  await ask("/user/authorize", { ...secrets, captcha: "off" });
  await vi.waitFor(() => expect(lines).toHaveLength(1), soon);
  const added = await ask("/user/tokens/add", { token: String(made["token"]), name: "program" });
  const replaced = await ask("/user/replacetoken", { token: String(made["token"]) });
  await vi.waitFor(() => expect(lines).toHaveLength(3), soon);
  const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(said.map(({ call }) => call)).toEqual(["/user/authorize", "/user/tokens/add", "/user/replacetoken"]);
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
  await vi.waitFor(() => expect(lines).toHaveLength(3), soon);
  const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(said.slice(1)).toEqual([
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
