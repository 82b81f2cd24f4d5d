import { expect, onTestFinished, test } from "vitest";
import { openTelegramServer, senderlessOf } from "../../../test/kit/telegram.ts";
import { startShop } from "../../../test/kit/shop.ts";

test("Telegram is told where to bring updates, and only who knows the secret may bring one", async () => {
  const telegram = await openTelegramServer();
  onTestFinished(() => telegram.close());
  const shop = await startShop({ ...telegram.settings, TELEGRAM_WEBHOOK: "true" });
  onTestFinished(() => shop.stop());
  await telegram.until("setWebhook");
  const told = telegram.calls.find(({ method }) => method === "setWebhook")?.payload ?? {};
  expect(told["url"]).toBe(`${shop.url}/api/telegram`);
  const secret = String(told["secret_token"]);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);

  const token = await shop.member();
  const from = { id: 41, is_bot: false, first_name: "Ann", language_code: "en" };
  const text = `/start auth_${token}`;
  const update = {
    update_id: 7,
    message: {
      message_id: 1,
      date: 1,
      from,
      chat: { id: 41, type: "private", first_name: "Ann" },
      text,
      entities: [{ type: "bot_command", offset: 0, length: 6 }],
    },
  };
  const bring = async (said: string, brought: object = update) =>
    (
      await fetch(`${shop.url}/api/telegram`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": said },
        body: JSON.stringify(brought),
      })
    ).status;
  const about = async () => (await shop.get("/user/information", { token }))["data"];
  expect(await bring("guessed")).toBe(401);
  expect(await about()).toMatchObject({ telegramConfirmed: false });
  expect(await bring(secret)).toBe(200);
  // Telegram repeats an update without an answer.
  expect(await bring(secret)).toBe(200);
  expect(await about()).toMatchObject({ telegramConfirmed: true, balance: "0.1" });
  // It would repeat these too, for nothing.
  for (const senderless of senderlessOf(42)) expect(await bring(secret, senderless)).toBe(200);
  expect(telegram.calls.some(({ method }) => method === "getUpdates")).toBe(false);
});
