import { expect, test } from "vitest";
import { timeThatPasses } from "../../../test/kit/bot.ts";
import { openThrottle } from "./bot.throttle.ts";

/** A throttle whose time moves only while something waits. */
function open() {
  const time = timeThatPasses();
  return { ...openThrottle(time), now: time.clock };
}

test("one chat gets a message a second", async () => {
  const { turn, now } = open();
  for (let count = 0; count < 4; count++) await turn(7n);
  expect(Math.round(now())).toBe(3000);
});

test("a hundred chats get thirty messages a second in all", async () => {
  const { turn, now } = open();
  for (let chat = 0n; chat < 91n; chat++) await turn(chat);
  expect(Math.round(now())).toBe(3000);
});

test("a chat rests for as long as Telegram asks, and others go on", async () => {
  const { turn, rest, now } = open();
  rest(7n, 20);
  await turn(8n);
  expect(now()).toBeLessThan(100);
  await turn(7n);
  expect(now()).toBe(20_000);
});
