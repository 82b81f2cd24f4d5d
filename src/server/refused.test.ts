import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../test/kit/database.ts";
import { createHttp } from "./http.ts";
import { openCaptcha } from "./platform/http/captcha.ts";
import { readConfig } from "./platform/config/config.ts";
import { openLimits } from "./platform/http/rate-limits.ts";
import { createLog } from "./platform/log.ts";
import { createSeal } from "./platform/seal.ts";
import { adminCheck } from "../contract/news.ts";
import { openPartners } from "./partners/partners.ts";
import { answer } from "./platform/http/answer.ts";
import { openRefusals } from "./refused.ts";
import { userRoutes } from "./users/users.routes.ts";
import { openPasswords, openUsers } from "./users/users.ts";

async function shop() {
  const { db } = await createDatabase();
  const seal = createSeal(Buffer.alloc(32, 4));
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const config = readConfig({ DEMO: "true", CAPTCHA: "off" });
  const captcha = openCaptcha({ setting: { kind: "off" }, seal, db });
  const users = await openUsers({ db, seal, adminEmails: new Set() });
  onTestFinished(() => users.close());
  const limits = openLimits(db, seal);
  const partners = openPartners({ db, publicUrl: "https://shop.example" });
  const refusals = openRefusals({ log });
  const passwords = openPasswords({ names: async () => [], log });
  const events = { revision: async () => 0n };
  const app = await createHttp({
    config,
    log: createLog("silent"),
    routes: [
      ...userRoutes({ db, users, limits, captcha, partners, passwords, events }),
      answer(adminCheck, () => ({})),
    ],
    hooks: { callerOf: (token) => users.callerOf(token), admit: limits.admit, refused: refusals.tell },
  });
  onTestFinished(() => app.close());
  const ask = async (path: string, asked: Record<string, string>) => {
    const form = new URLSearchParams(asked).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const method = path === adminCheck.path ? "GET" : "POST";
    const url = method === "GET" ? `${path}?${form}` : path;
    return (await app.inject({ method, url, headers, ...(method === "POST" && { payload: form }) })).json<
      Record<string, unknown>
    >();
  };
  return { ask, lines, counts: () => Object.fromEntries(refusals.metric.read() as Map<string, number>) };
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
  expect(counts()).toEqual({ login: 2, code: 2, admin: 2 });
});
