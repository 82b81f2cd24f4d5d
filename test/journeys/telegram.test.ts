// @module-tag slow
import { expect, test } from "vitest";
import { botStage } from "../kit/bot.ts";
import { listenTo } from "../kit/listener.ts";
import { outboxCode } from "../kit/outbox.ts";
import { startShop } from "../kit/shop.ts";
import { openTelegramServer, senderlessOf } from "../kit/telegram.ts";

const stage = botStage();
const { somebody } = stage;

async function linkOf(token: string): Promise<string> {
  const { data } = await stage.shop.post("/user/telegramlink", { token });
  const { link, expires_at: until } = data as { link: string; expires_at: number };
  expect(link).toMatch(/^https:\/\/t\.me\/postern_test_bot\?start=auth_[A-Za-z0-9]{32}$/);
  expect(until - Date.now() / 1000).toBeGreaterThan(590);
  return link.slice(link.indexOf("auth_"));
}

const aboutOf = async (token: string) =>
  (await stage.shop.get("/user/information", { token }))["data"] as Record<string, unknown>;

async function bonuses(token: string): Promise<unknown[]> {
  const { data } = await stage.shop.get("/user/statement", { token });
  return (data as { kind: string; amount: string }[]).filter(({ kind }) => kind === "bonus");
}

test("a link confirms its account: the bonus is on the balance, told by an event, and the account says so", async () => {
  const token = await stage.shop.member();
  expect(await aboutOf(token)).toMatchObject({ telegramConfirmed: false, socials: [{ is_auth: 0 }] });
  const stream = await listenTo(stage.shop.url, { token });
  const ann = somebody();
  ann.say(`/start ${await linkOf(token)}`);
  expect((await ann.hear()).text).toContain("confirmed");
  expect((await stream.hear("balance")).data).toEqual({ balance: "0.1" });
  stream.close();
  expect(await aboutOf(token)).toMatchObject({
    telegramConfirmed: true,
    socials: [{ is_auth: 1 }],
    balance: "0.1",
  });
  expect(await bonuses(token)).toEqual([expect.objectContaining({ amount: "0.1" })]);
});

test("the owner gets one mail of a chat that is linked, and another only after it was unlinked", async () => {
  const email = "linked@example.com";
  const token = await stage.shop.member(email);
  const ann = somebody();
  const link = async () => ann.say(`/start ${await linkOf(token)}`);
  await link();
  await ann.hear(/is confirmed/);
  await link();
  await ann.hear(/was already confirmed/);
  const mails = async () =>
    (
      await stage.shop.db<
        { kind: string }[]
      >`select kind from owner_notice where address = ${email} order by id`
    ).map(({ kind }) => kind);
  expect(await mails()).toEqual(["telegram-linked"]);
  await stage.shop.db`update bot_chat set user_id = null where chat_id = ${ann.id}`;
  await link();
  await ann.hear(/was already confirmed/);
  expect(await mails()).toEqual(["telegram-linked", "telegram-linked"]);
});

test("the token of the account confirms it too, that of a program does not", async () => {
  const token = await stage.shop.member();
  const made = await stage.shop.post("/user/tokens/add", { token, name: "program" });
  const [ann, bob] = [somebody(), somebody()];
  bob.say(`/start auth_${String(made["token"])}`);
  expect((await bob.hear()).text).toContain("no account");
  ann.say(`/start auth_${token}`);
  expect((await ann.hear()).text).toContain("is confirmed");
  expect(await aboutOf(token)).toMatchObject({ telegramConfirmed: true, balance: "0.1" });
});

test("the same message twice, and a second link, give the bonus once", async () => {
  const token = await stage.shop.member();
  const ann = somebody();
  const update = ann.say(`/start ${await linkOf(token)}`);
  await ann.hear(/is confirmed/);
  stage.telegram.repeat(update);
  await ann.hear(/was already confirmed/);
  ann.say(`/start ${await linkOf(token)}`);
  await ann.hear(/was already confirmed/);
  expect(await bonuses(token)).toHaveLength(1);
});

test("a link that somebody else has used, one that is over and one that never was are told apart", async () => {
  const token = await stage.shop.member();
  const [ann, bob] = [somebody(), somebody()];
  const link = await linkOf(token);
  ann.say(`/start ${link}`);
  await ann.hear(/is confirmed/);
  bob.say(`/start ${link}`);
  await bob.hear(/has already used this link/);
  const late = await linkOf(await stage.shop.member());
  await stage.shop.db`update user_link set expires_at = now() where used_by is null`;
  bob.say(`/start ${late}`);
  await bob.hear(/older than 10 minutes/);
  bob.say(`/start auth_${"A".repeat(32)}`);
  await bob.hear(/belongs to no account/);
});

test("one Telegram confirms one account, and one account is confirmed by one Telegram", async () => {
  const [first, second] = [await stage.shop.member(), await stage.shop.member()];
  const [ann, bob] = [somebody(), somebody()];
  ann.say(`/start auth_${first}`);
  await ann.hear(/is confirmed/);
  ann.say(`/start auth_${second}`);
  await ann.hear(/has already confirmed another account/);
  bob.say(`/start auth_${first}`);
  await bob.hear(/Another Telegram account has already confirmed/);
  expect(await aboutOf(second)).toMatchObject({ telegramConfirmed: false, balance: "0.0" });
  expect(await bonuses(first)).toHaveLength(1);
  // A refused link connects no account.
  bob.say(`/start auth_${second}`);
  await bob.hear(/is confirmed/);
});

test("a new password ends the talk of who has linked a chat before, and his links open it no more", async () => {
  const email = "overtaken@example.com";
  const token = await stage.shop.member(email);
  const [used, unused] = [await linkOf(token), await linkOf(token)];
  const [eve, mallory] = [somebody(), somebody()];
  eve.say(`/start ${used}`);
  await eve.hear(/is confirmed/);
  await stage.shop.post("/user/sendCodeReset", { email, captcha: "off" });
  const code = await outboxCode(stage.shop.dataDir, email, 2);
  const changed = await stage.shop.post("/user/changepassword", { email, code, password: "new horse" });
  expect(changed).toMatchObject({ status: "success" });
  eve.say("/token");
  expect((await eve.hear()).text).not.toMatch(/[A-Za-z0-9]{32}/);
  eve.say(`/start ${used}`);
  expect((await eve.hear()).text).toContain("no account");
  mallory.say(`/start ${unused}`);
  expect((await mallory.hear()).text).toContain("no account");
});

test("many at once with one account's token, and one with many accounts', make one bonus each", async () => {
  const token = await stage.shop.member();
  const crowd = Array.from({ length: 8 }, () => somebody());
  for (const each of crowd) each.say(`/start auth_${token}`);
  const told = await Promise.all(crowd.map(async (each) => (await each.hear()).text));
  expect(told.filter((text) => text.includes("is confirmed"))).toHaveLength(1);
  expect(told.filter((text) => text.includes("Another Telegram account has already confirmed"))).toHaveLength(
    7,
  );
  expect(await bonuses(token)).toHaveLength(1);

  const tokens = await Promise.all(Array.from({ length: 4 }, () => stage.shop.member()));
  const ann = somebody();
  for (const each of tokens) ann.say(`/start auth_${each}`);
  for (const _ of tokens) await ann.hear();
  const given = await Promise.all(tokens.map(bonuses));
  expect(given.flat()).toHaveLength(1);
});

test("updates without a sender are left out, and the message behind them is answered", async () => {
  const ann = stage.somebody();
  for (const update of senderlessOf(ann.id)) stage.telegram.tell(update);
  ann.say("hello");
  expect((await ann.hear()).text).toContain("dashboard");
  expect(stage.telegram.written.filter(({ chatId }) => chatId === ann.id)).toHaveLength(1);
});

test("who guesses tokens is told to wait", async () => {
  const ann = somebody();
  const guess = () => ann.say(`/start auth_${"B".repeat(32)}`);
  const sent = () => stage.telegram.calls.filter(({ payload }) => payload["chat_id"] === ann.id);
  for (let turn = 0; turn < 11; turn++) guess();
  await expect.poll(() => sent().length, { timeout: 30_000 }).toBe(11);
  expect(sent().at(-1)?.payload["text"]).toContain("Too many attempts");
});

test.each([
  ["ru-RU", "подтверждён"],
  ["es", "confirmada"],
  ["zh-hans", "已确认"],
  ["ar", "تأكيد"],
  ["hi", "पुष्ट"],
  ["fi", "is confirmed"],
])("somebody whose Telegram speaks %s is answered so", async (code, word) => {
  const token = await stage.shop.member();
  const ann = somebody(code);
  ann.say(`/start auth_${token}`);
  expect((await ann.hear()).text).toContain(word);
});

test("a shop without a bot refuses the link", async () => {
  const other = await startShop();
  const token = await other.member();
  expect(await other.post("/user/telegramlink", { token })).toMatchObject({
    status: "error",
    value: "no bot",
  });
  await other.stop();
});

test("while Telegram does not answer, the link is refused and later made", async () => {
  const silent = await openTelegramServer();
  const other = await startShop({ ...silent.settings, ROLES: "web,jobs" });
  const token = await other.member();
  silent.answer = () => ({ ok: false, error_code: 502, description: "Bad Gateway" });
  expect(await other.post("/user/telegramlink", { token })).toMatchObject({ value: "bot unreachable" });
  silent.answer = () => undefined;
  expect(await other.post("/user/telegramlink", { token })).toMatchObject({ status: "success" });
  await other.stop();
  await silent.close();
});

test("where orders want a confirmed account, it is told so until it is", async () => {
  const gated = await openTelegramServer();
  const other = await startShop({ ...gated.settings, CONFIRM_GATE: "orders" });
  const token = await other.buyer();
  const order = { token, site: "x.com", domain: "all" };
  expect(await other.get("/email/order", order)).toMatchObject({ value: "not confirmed" });
  expect(await other.get("/email/reorder", { token, id: "1" })).toMatchObject({ value: "not confirmed" });
  const ann = gated.person(1);
  ann.say(`/start auth_${token}`);
  await ann.hear(/is confirmed/);
  await expect.poll(async () => (await other.get("/email/order", order))["status"]).toBe("success");
  await other.stop();
  await gated.close();
});
