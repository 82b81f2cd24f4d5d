// @module-tag slow
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../test/kit/port.ts";
import { openReceiver, type Receiver } from "../../../test/kit/receiver.ts";
import { webhookStage } from "../../../test/kit/webhooks.ts";
import { now, secondsAfter } from "../platform/clock.ts";

// A program that is away for a while. The clock stands still but for the seconds that a test lets pass.

const stage = webhookStage();
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** Lets seconds pass, and sends in each what may be sent. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    vi.setSystemTime(secondsAfter(now(), 1));
    await stage.deliver();
  }
}

/** A webhook at an address where nobody listens, until `comeBack`. */
async function awayWebhook() {
  const port = await freePort();
  const webhook = await stage.webhook({ url: `http://127.0.0.1:${port}/` });
  return {
    ...webhook,
    comeBack: async (): Promise<Receiver> => {
      const receiver = await openReceiver(undefined, { port });
      onTestFinished(() => receiver.close());
      return receiver;
    },
  };
}

const numbers = ({ heard }: Receiver) => heard.map(({ body }) => Number(/"balance":"(\d+)/.exec(body)?.[1]));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test("a program that was away for four seconds of much traffic is told everything a second after its return, the oldest first", async () => {
  const { userId, id, comeBack } = await awayWebhook();
  await stage.happen(userId, "balance", 20);
  await stage.deliver();
  await pass(4);
  const program = await comeBack();
  const isAnswered = Promise.withResolvers<void>();
  program.answer = (_received, response) => {
    if (program.heard.length === 1) return 200;
    void isAnswered.promise.then(() => response.end());
    return undefined;
  };
  const passing = pass(1);
  await program.until(1 + 16);
  // All that one account may have at one host at a time, after the one that found it back.
  const [found, ...next] = numbers(program);
  expect(next.toSorted((a, b) => a - b)).toEqual(
    upTo(20)
      .filter((number) => number !== found)
      .slice(0, 16),
  );
  isAnswered.resolve();
  await passing;
  expect(numbers(program).toSorted((a, b) => a - b)).toEqual(upTo(20));
  expect((await stage.log(userId, id)).every(({ delivered }) => delivered)).toBe(true);
});

test("a program that was away for forty seconds of light traffic is told everything within six of its return", async () => {
  const { userId, id, comeBack } = await awayWebhook();
  for (const seconds of [15, 15, 10]) {
    await stage.happen(userId, "balance");
    await stage.deliver();
    await pass(seconds);
  }
  const program = await comeBack();
  await pass(6);
  expect(program.heard).toHaveLength(3);
  expect((await stage.log(userId, id)).every(({ delivered }) => delivered)).toBe(true);
});

test("one that is away for hours is asked now and then, loses no try by that, and is told at once when it is back", async () => {
  const { userId, id, comeBack } = await awayWebhook();
  await stage.happen(userId, "balance", 3);
  await stage.deliver();
  await pass(30);
  for (let step = 0; step < 24; step++) {
    vi.setSystemTime(secondsAfter(now(), 300));
    await stage.deliver();
  }
  // 5 seconds, 5 and 30 minutes have passed, two hours not.
  for (const { tries } of await stage.log(userId, id)) expect(tries).toBeLessThanOrEqual(4);
  const program = await comeBack();
  vi.setSystemTime(secondsAfter(now(), 300));
  await stage.deliver();
  expect(numbers(program).toSorted((a, b) => a - b)).toEqual(upTo(3));
});

test("at the end of a pause one request of all processes asks whether the address is back", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => 503;
  await stage.happen(userId, "balance", 10);
  await stage.deliver();
  expect(stage.program.heard).toHaveLength(10);
  await pass(1);
  expect(stage.program.heard).toHaveLength(11);
  vi.setSystemTime(secondsAfter(now(), 1));
  const asked = Promise.withResolvers<void>();
  stage.program.answer = (_received, response) => {
    void asked.promise.then(() => response.end());
    return undefined;
  };
  const sending = [stage.webhooks, stage.another()].map((each) => each.openDispatcher().sendDue(now()));
  await stage.program.until(12);
  await stage.another().openDispatcher().sendDue(now());
  expect(stage.program.heard).toHaveLength(12);
  stage.program.answer = () => 200;
  asked.resolve();
  await Promise.all(sending);
  expect((await stage.log(userId, id)).every(({ delivered }) => delivered)).toBe(true);
  expect(stage.program.heard).toHaveLength(21);
});

test("a message at which a program hangs up keeps no other from it, and no try of it is lost on them", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = ({ body, socket }) => {
    if (!/"balance":"1\./.test(body)) return 200;
    socket.destroy();
    return undefined;
  };
  await stage.happen(userId, "balance", 5);
  await stage.deliver();
  for (let event = 0; event < 10; event++) {
    await pass(7);
    await stage.happen(userId, "letter");
    await pass(2);
  }
  const [first, ...others] = (await stage.log(userId, id)).toReversed();
  expect(others.map(({ delivered }) => delivered)).toEqual(others.map(() => true));
  expect(first).toMatchObject({ delivered: false, doneAt: null });
  expect(first!.tries).toBeLessThanOrEqual(3);
});

test("what waits for a receiver that is away, hangs, or is of a blocked account is not late by fault of the shop", async () => {
  const away = await stage.webhook({ url: `${stage.program.url}/away` });
  const blocked = await stage.webhook();
  stage.program.answer = ({ path }) => (path === "/hanging" ? undefined : 503);
  await stage.happen(away.userId, "balance", 3);
  await stage.deliver();
  await stage.happen(blocked.userId);
  const hanging = await stage.webhook({ url: `${stage.program.url}/hanging` });
  await stage.happen(hanging.userId, "balance", 20);
  const dispatcher = stage.webhooks.openDispatcher();
  await dispatcher.fanOut();
  await stage.db`update users set blocked_at = now() where id = ${blocked.userId}`;
  await dispatcher.start(() => undefined);
  onTestFinished(() => dispatcher.stop(1));
  await stage.program.until(3 + 16);
  expect(await stage.webhooks.waiting(secondsAfter(now(), 30))).toEqual({
    fresh: 20,
    retried: 0,
    failed: 0,
    resting: 4,
    lagSeconds: 0,
  });
});
