// @module-tag slow
// @module-tag full
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../test/kit/port.ts";
import { shopProcess } from "../../../test/kit/process.ts";
import { openTelegramServer } from "../../../test/kit/telegram.ts";

test("a bot that is killed between the bonus and the answer gives it once, and answers after the next start", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-bot-"));
  const telegram = await openTelegramServer();
  onTestFinished(() => telegram.close());
  const shop = shopProcess(
    { port: await freePort(), smtpPort: await freePort(), dataDir },
    { ...telegram.settings, CAPTCHA: "off" },
  );
  onTestFinished(() => shop.remove());
  await shop.start();
  const form = { email: "ann@example.com", password: "correct horse", recaptcha: "off" };
  const token = String((await ask("/user/registration", form))["token"]);

  const ann = telegram.person(77);
  const killed = Promise.withResolvers<void>();
  telegram.answer = (method) => {
    if (method !== "sendMessage") return undefined;
    telegram.answer = () => undefined;
    void shop.kill("program and database").then(killed.resolve, killed.reject);
    // An answer could get there before the kill, and the update would be done.
    return "say nothing";
  };
  ann.say(`/start auth_${token}`);
  await killed.promise;
  await shop.start();
  expect((await ann.hear()).text).toContain("was already confirmed");
  const { data } = await ask("/user/information", { token });
  expect(data).toMatchObject({ telegramConfirmed: true, balance: "0.1" });

  async function ask(path: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
    const body = new URLSearchParams(fields);
    const asked = path === "/user/information" ? fetch(`${shop.url}${path}?${body}`) : undefined;
    const answer = await (asked ?? fetch(shop.url + path, { method: "POST", body }));
    return (await answer.json()) as Record<string, unknown>;
  }
});
