// @module-tag slow
import { expect, test } from "vitest";
import { partnerPercent } from "../../src/contract/limits.ts";
import { percentOf, showUsd, usd } from "../../src/server/platform/money.ts";
import { tokenOfPrograms } from "../kit/proofs.ts";
import { botStage } from "../kit/bot.ts";
import type { Person } from "../kit/telegram.ts";

const stage = botStage();
const { linked } = stage;

const activationsOf = async (token: string) =>
  (await stage.shop.get("/user/activations", { token }))["data"] as {
    activation_id: string;
    email: string;
  }[];

test("an address is ordered by buttons, once however often the button is pressed, and canceled", async () => {
  const { ann, token } = await linked();
  ann.say("/order");
  ann.press(await ann.hear(/Which site/), "instagram");
  const offers = await ann.hear(/^<b>instagram\.com<\/b>/);
  expect(offers.isEdit).toBe(true);
  const [cheapest] = offers.buttons;
  expect(cheapest?.text).toMatch(/^\S+ · \$0\.\d{4} · [\d,]+$/);
  ann.press(offers, cheapest?.text ?? "");
  ann.press(offers, cheapest?.text ?? "");
  const ordered = await ann.hear(/📮/);
  const [{ email } = { email: "" }, ...more] = await activationsOf(token);
  expect(more).toEqual([]);
  expect(ordered.text).toContain(`<code>${email}</code>`);
  expect(ordered.text).toContain("20 min");
  ann.press(ordered, "Cancel");
  const canceled = await ann.hear(/Canceled/);
  expect(canceled.text).toContain("$10.10000");
  expect(await activationsOf(token)).toEqual([]);
});

test("a site may be written by its name, and a wrong one is told with what was meant", async () => {
  const { ann } = await linked();
  ann.say("https://www.Example.com/join");
  await ann.hear(/^<b>example\.com<\/b>/);
  ann.say("not a site at all");
  await ann.hear(/No emails available/);
});

test("who has no money is led to the top-up, and who is not active is told so", async () => {
  const { ann } = await linked("en", "0");
  await stage.shop
    .db`update account set balance = 0 where user_id = (select user_id from bot_chat where chat_id = ${ann.id})`;
  ann.say("example.com");
  const offers = await ann.hear(/^<b>example\.com<\/b>/);
  ann.press(offers, /\$/);
  const refused = await ann.hear(/balance is too low/);
  expect(refused.buttons[0]?.url).toBe(`${stage.shop.url}/dashboard`);
  await stage.shop
    .db`update users set activated_at = null where id = (select user_id from bot_chat where chat_id = ${ann.id})`;
  await stage.shop.db`select pg_notify('users', '')`;
  await expect
    .poll(
      async () => {
        ann.say("example.com");
        return (await ann.hear()).text;
      },
      { timeout: 60_000, interval: 1500 },
    )
    .toContain("not activated");
});

test("the history lists orders with their codes, and orders one again", async () => {
  const { ann, token } = await linked();
  const { email } = await stage.shop.get("/email/order", { token, site: "example.com", domain: "all" });
  await stage.shop.send({
    to: String(email),
    from: "no-reply@example.com",
    subject: "Your code",
    text: "Your verification code is 482910",
  });
  await stage.shop.get("/email/getmessage", {
    token,
    id: (await activationsOf(token))[0]!.activation_id,
    wait: 20,
  });
  ann.say("/history");
  const listed = await ann.hear(/History, page 1 of 1/);
  expect(listed.text).toContain("✅ example.com");
  expect(listed.text).toContain(`<code>${String(email)}</code> · <code>482910</code>`);
  ann.press(listed, "🔁 1");
  const again = await ann.hear(/📮/);
  expect(again.text).toContain(String(email));
  expect(await activationsOf(token)).toHaveLength(2);
});

test("who came by a partner's link confirms and orders by the bot, and the partner has his 5 %", async () => {
  const { shop } = stage;
  const partner = await shop.member();
  await shop.post("/user/addReferralWord", { token: partner, word: "bot-partner" });
  const email = "brought@example.com";
  const body = { email, password: "correct horse", recaptcha: "off", ref: "bot-partner" };
  const token = String((await shop.post("/user/registration", body))["token"]);
  await shop.post("/user/activate", { token, code: await shop.codeFor(email) });
  const ann = stage.somebody();
  ann.say(`/start auth_${token}`);
  await ann.hear(/is confirmed/);
  ann.say("example.com");
  ann.press(await ann.hear(/^<b>example\.com<\/b>/), /\$/);
  await ann.hear(/📮/);
  const [ordered] = await activationsOf(token);
  const letter = { from: "no-reply@example.com", subject: "Your code", text: "Your code is 482910" };
  await shop.send({ to: String(ordered?.email), ...letter });
  await ann.hear(/482910/);
  const { data } = await shop.get("/user/information", { token: partner });
  const { price } = await shop.get("/email/reorder", { token, id: String(ordered?.activation_id) });
  const earned = showUsd(percentOf(usd(String(price)), BigInt(partnerPercent)));
  expect(data).toMatchObject({ referrals: { count: 1, earned, held: "0.0" } });
});

test("the token lies behind a cover, and is replaced when that was meant", async () => {
  const { ann, token: session } = await linked();
  const token = await tokenOfPrograms(stage.shop, session);
  ann.say("/token");
  const shown = await ann.hear(/tg-spoiler/);
  expect(shown.text).toContain(`<tg-spoiler>${token}</tg-spoiler>`);
  ann.press(shown, "Replace the token");
  const asked = await ann.hear(/Replace the token\?/);
  expect((await stage.shop.get("/user/balance", { token })).status).toBe("success");
  ann.press(asked, "Yes, replace it");
  const fresh = /<tg-spoiler>(\w{32})</.exec((await ann.hear(/tg-spoiler/)).text)?.[1] ?? "";
  expect(fresh).not.toBe(token);
  expect((await stage.shop.get("/user/balance", { token })).value).toBe("token");
  expect((await stage.shop.get("/user/balance", { token: fresh })).status).toBe("success");
});

test.each([
  ["ru", "Баланс", "0,10000"],
  ["es", "Saldo", "0,10000"],
  ["zh", "余额", "$0.10000"],
  ["ar", "الرصيد", "0.10000"],
  ["hi", "बैलेंस", "$0.10000"],
  ["en", "Balance", "$0.10000"],
])(
  "the bot speaks %s when it is asked to, and writes money as the pages do",
  async (language, word, amount) => {
    const { ann } = await linked(language === "ru" ? "en" : "ru", "0");
    ann.say("/language");
    const asked = await ann.hear();
    expect(asked.buttons).toHaveLength(6);
    telegramPress(ann, asked, `language:${language}`);
    await ann.hear();
    ann.say("/balance");
    const { text } = await ann.hear();
    expect(text).toContain(word);
    expect(text).toContain(amount);
  },
);

function telegramPress(ann: Person, asked: Awaited<ReturnType<Person["hear"]>>, says: string): void {
  const button = asked.buttons.find(({ data }) => data === says);
  ann.press(asked, button?.text ?? "");
}

test("a chat that is unlinked speaks for nobody, until it is linked again; the account stays confirmed", async () => {
  const { ann, token } = await linked();
  ann.say("/unlink");
  const asked = await ann.hear(/Unlink this chat from/);
  ann.press(asked, "Yes, unlink");
  await ann.hear(/is unlinked/);
  ann.say("/balance");
  await ann.hear(/Hello!/);
  expect((await stage.shop.get("/user/information", { token }))["data"]).toMatchObject({
    telegramConfirmed: true,
  });
  ann.say(`/start auth_${token}`);
  await ann.hear(/was already confirmed/);
  ann.say("/balance");
  await ann.hear(/\$10\.10000/);
});

test("an account that is blocked is no longer spoken for, and help and anything else are answered", async () => {
  const { ann } = await linked("en", "0");
  ann.say("/help");
  expect((await ann.hear()).text).toContain(stage.shop.url);
  ann.say("/what");
  await ann.hear(/What would you like/);
  await stage.shop
    .db`update users set blocked_at = now() where id = (select user_id from bot_chat where chat_id = ${ann.id})`;
  ann.say("/balance");
  await ann.hear(/Hello!/);
});

test("Telegram is told the commands in each language", () => {
  const told = stage.telegram.calls
    .filter(({ method }) => method === "setMyCommands")
    .map(({ payload }) => payload);
  expect(told.map(({ language_code: code }) => code)).toEqual([undefined, "ru", "es", "zh", "ar", "hi"]);
});
