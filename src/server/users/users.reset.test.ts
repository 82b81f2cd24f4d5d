import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { outboxCode } from "../../../test/kit/outbox.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;
let people = 0;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

async function account() {
  const email = `reset${++people}@example.com`;
  const token = await shop.member(email);
  const limited = String((await shop.post("/user/tokens/add", { token, name: "program" }))["token"]);
  const url = "https://program.example.com/events";
  expect(await shop.post("/user/webhooks/add", { token, url })).toMatchObject({ status: "success" });
  expect(await shop.get("/user/balance", { token: limited })).toMatchObject({ status: "success" });
  return { email, limited };
}

async function reset(email: string, more: Record<string, string> = {}): Promise<string> {
  await shop.post("/user/sendCodeReset", { email, captcha: "off" });
  const code = await outboxCode(shop.dataDir, email, 2);
  const asked = { email, code, password: "new horse", ...more };
  expect(await shop.post("/user/changepassword", asked)).toMatchObject({ status: "success" });
  const { data } = await shop.post("/user/authorize", { email, password: "new horse", captcha: "off" });
  return (data as { token: string }).token;
}

test("a new password ends limited tokens and switches webhooks off: an intruder may have made them", async () => {
  const { email, limited } = await account();
  const token = await reset(email);
  expect(await shop.get("/user/balance", { token: limited })).toMatchObject({ value: "token" });
  expect(await shop.get("/user/tokens", { token })).toMatchObject({ data: [] });
  expect(await shop.get("/user/webhooks", { token })).toMatchObject({
    data: [
      {
        enabled: false,
        disabled_reason: "A new password was set for the account: switch it on again if it is yours.",
      },
    ],
  });
});

test("an owner who is sure of them keeps limited tokens and webhooks", async () => {
  const { email, limited } = await account();
  const token = await reset(email, { keep_programs: "1" });
  expect(await shop.get("/user/balance", { token: limited })).toMatchObject({ status: "success" });
  expect(await shop.get("/user/webhooks", { token })).toMatchObject({ data: [{ enabled: true }] });
});

test("who never confirmed the address administrates nothing, and is made no administrator", async () => {
  const admin = await shop.member("admin@example.com");
  const email = "unconfirmed@example.com";
  const asked = { email, password: "correct horse", localization: "en", recaptcha: "off" };
  const token = String((await shop.post("/user/registration", asked))["token"]);
  const { data } = await shop.get("/user/information", { token });
  const user = (data as { id: string }).id;
  const grant = { token: admin, user, role: "admin", granted: "1" };
  expect(await shop.post("/api/admin/users/grant", grant)).toMatchObject({ value: "account not activated" });
  // As granted before, or written into the database directly.
  await shop.db`update users set is_admin = true where email = ${email}`;
  expect(await shop.get("/api/admin/check", { token })).toMatchObject({ value: "no access" });
  await shop.post("/user/activate", { token, code: await shop.codeFor(email) });
  expect(await shop.get("/api/admin/check", { token })).toMatchObject({ status: "success" });
});

test("who takes over an account that a stranger registered owes that stranger's partner nothing, and is written to in the own language", async () => {
  const partnerOf = async (word: string) => {
    const token = await shop.member(`${word}@example.com`);
    expect(await shop.post("/user/addReferralWord", { token, word })).toMatchObject({ status: "success" });
    return token;
  };
  const [thief, friend] = [await partnerOf("thief_word"), await partnerOf("friend_word")];
  const email = "victim@example.com";
  const asked = { email, password: "correct horse", localization: "ar", recaptcha: "off", ref: "thief_word" };
  expect(await shop.post("/user/registration", asked)).toMatchObject({ status: "success" });
  await shop.codeFor(email);
  const brought = async (token: string) => {
    const { data } = await shop.get("/user/information", { token });
    return (data as { referrals: { count: number } }).referrals.count;
  };
  expect([await brought(thief), await brought(friend)]).toEqual([1, 0]);
  const token = await reset(email, { language: "es" });
  expect(await brought(thief)).toBe(0);
  await shop.db`update user_code set sent_at = sent_at - interval '61 seconds'`;
  await shop.post("/user/sendnewcode", { token });
  const code = await outboxCode(shop.dataDir, email, 3);
  const form = new URLSearchParams({ token, code });
  const headers = { cookie: "ref_code=friend_word" };
  await fetch(`${shop.url}/user/activate`, { method: "POST", body: form, headers });
  expect([await brought(thief), await brought(friend)]).toEqual([0, 1]);
  const [row] = await shop.db<{ language: string }[]>`select language from users where email = ${email}`;
  expect(row).toEqual({ language: "es" });
});

test("an account that its owner activated keeps its partner and language when the password is reset", async () => {
  const email = "loyal@example.com";
  const asked = {
    email,
    password: "correct horse",
    localization: "ar",
    recaptcha: "off",
    ref: "friend_word",
  };
  const token = String((await shop.post("/user/registration", asked))["token"]);
  await shop.post("/user/activate", { token, code: await shop.codeFor(email) });
  await reset(email, { language: "es" });
  const [row] = await shop.db<{ language: string; kept: boolean }[]>`
    select language, referred_by is not null as kept from users where email = ${email}`;
  expect(row).toEqual({ language: "ar", kept: true });
});

test("the service of leaked passwords is asked about the password of who has the code, and of nobody else", async () => {
  const asked: string[] = [];
  const service = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.end(`${"0".repeat(35)}:0`);
  });
  await new Promise<void>((up) => service.listen(0, "127.0.0.1", up));
  onTestFinished(() => new Promise<void>((down) => void service.close(() => down())));
  const { port } = service.address() as AddressInfo;
  const careful = await startShop({ PASSWORD_CHECK_URL: `http://127.0.0.1:${port}` });
  onTestFinished(() => careful.stop());
  const email = "careful@example.com";
  await careful.member(email);
  await careful.post("/user/sendCodeReset", { email, captcha: "off" });
  const code = await outboxCode(careful.dataDir, email, 2);
  asked.length = 0;
  const change = (code: string) =>
    careful.post("/user/changepassword", { email, code, password: "tulip harbor" });
  const wrong = code === "000000" ? "000001" : "000000";
  expect(await change(wrong)).toMatchObject({ value: "invalid code" });
  expect(asked).toEqual([]);
  expect(await change(code)).toMatchObject({ status: "success" });
  expect(asked).toHaveLength(1);
});
