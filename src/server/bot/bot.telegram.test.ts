import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../test/kit/port.ts";
import { no, openTelegramServer } from "../../../test/kit/telegram.ts";
import { failureOf, openTelegram } from "./bot.telegram.ts";

const faultOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (fault: unknown) => fault,
  );

test("what is told of a failure holds neither the bot's token nor what was sent", async () => {
  const server = await openTelegramServer();
  onTestFinished(() => server.close());
  const telegram = openTelegram({ token: server.token, apiRoot: server.url });
  server.answer = () => no(400, "Bad Request: chat not found");
  const refused = failureOf(await faultOf(telegram.bot.api.sendMessage(5, "the code is 482910")));
  expect(refused).toMatchObject({ status: 400, isUndone: true });
  server.answer = () => "do it and hang up";
  const cut = failureOf(await faultOf(telegram.bot.api.sendMessage(6, "the code is 482910")));
  expect(cut).toMatchObject({ status: 0, isUndone: false });

  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const away = openTelegram({ token: server.token, apiRoot: nowhere });
  const unreached = failureOf(await faultOf(away.known()));
  expect(unreached).toMatchObject({ status: 0, isUndone: true });
  for (const failure of [refused, cut, unreached]) {
    expect(JSON.stringify(failure)).not.toContain(server.token);
    expect(JSON.stringify(failure)).not.toContain("482910");
  }
  expect(failureOf(new Error("ours"))).toBeUndefined();
  telegram.close();
  away.close();
});

test("a message without an answer is given up soon, and a poll is not", async () => {
  const server = await openTelegramServer();
  onTestFinished(() => server.close());
  const telegram = openTelegram({ token: server.token, apiRoot: server.url, callSeconds: 0.2 });
  server.answer = (method) => (method === "sendMessage" ? "say nothing" : undefined);
  const polling = telegram.bot.api.getUpdates({ timeout: 25 });
  const given = failureOf(await faultOf(telegram.bot.api.sendMessage(5, "the code is 482910")));
  expect(given).toMatchObject({ status: 0, isUndone: false });
  server.person(5).say("hello");
  expect(await polling).toHaveLength(1);
});
