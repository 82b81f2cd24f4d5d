// @module-tag slow
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openReceiver, verified } from "../../../test/kit/receiver.ts";
import { code, webhookStage } from "../../../test/kit/webhooks.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { giveUpDeliveries } from "./webhooks.ts";
import { soon } from "../../../test/kit/soon.ts";

const stage = webhookStage();
const minute = 60;
const hour = 60 * minute;
afterEach(() => void vi.useRealTimers());

test("an event is sent once to each webhook that wants it, signed with its own secret", async () => {
  const { userId, id, secret } = await stage.webhook({ events: ["letter"] });
  const both = await stage.webhook({ userId, url: `${stage.program.url}/both` });
  await stage.webhook();
  await stage.happen(userId, "balance");
  await stage.happen(userId, "letter");
  await stage.deliver();
  await stage.deliver();
  const paths = stage.program.heard.map(({ path }) => path).toSorted();
  expect(paths).toEqual(["/", "/both", "/both"]);
  const letter = stage.program.heard.find(({ path }) => path === "/");
  expect(verified(letter!, secret)).toEqual({
    type: "letter",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: expect.objectContaining({ code, sender: "a@b.test" }),
  });
  for (const each of stage.program.heard.filter(({ path }) => path === "/both")) verified(each, both.secret);
  expect(await stage.log(userId, id)).toMatchObject([
    { event: "letter", delivered: true, tries: 1, httpStatus: 200 },
  ]);
  expect((await stage.log(userId, both.id)).map(({ event }) => event)).toEqual(["letter", "balance"]);
});

test("an event is on its way the moment it is committed, and a webhook is known the moment it is made", async () => {
  const dispatcher = stage.webhooks.openDispatcher();
  const heard: ((userIds: readonly bigint[] | undefined) => void)[] = [];
  await dispatcher.start((each) => void heard.push(each));
  onTestFinished(() => dispatcher.stop());
  const { userId, id } = await stage.webhook();
  await stage.happen(userId, "letter");
  for (const tell of heard) tell([userId]);
  await stage.program.until(1);
  await vi.waitFor(async () => expect(await stage.only(userId, id)).toMatchObject({ delivered: true }), soon);
});

test("what happened before a webhook was made is not sent to it", async () => {
  const first = await stage.webhook();
  await stage.happen(first.userId);
  const second = await stage.webhook({ userId: first.userId, url: `${stage.program.url}/second` });
  await stage.happen(first.userId);
  await stage.deliver();
  expect(await stage.log(first.userId, first.id)).toHaveLength(2);
  expect(await stage.log(first.userId, second.id)).toHaveLength(1);
});

test("hundreds of events of one user all go out, nearly in their order", async () => {
  const { userId } = await stage.webhook();
  await stage.happen(userId, "balance", 350);
  await stage.deliver();
  const said = stage.program.heard.map(({ body }) => Number(/"balance":"(\d+)/.exec(body)?.[1]));
  expect(said.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 350 }, (_, index) => index + 1));
  const places = said.map((value, place) => Math.abs(value - 1 - place));
  expect(Math.max(...places)).toBeLessThan(100);
});

test("nothing is sent for an account that the operator has blocked", async () => {
  const { userId, id } = await stage.webhook();
  await stage.happen(userId);
  await stage.deliver();
  await stage.happen(userId);
  await stage.db`update users set blocked_at = now() where id = ${userId}`;
  await stage.webhooks.openDispatcher().fanOut();
  await stage.deliver();
  expect(await stage.log(userId, id)).toHaveLength(1);
});

test("a delivery that fails is tried again and again under one id, and in the end given up", async () => {
  const { userId, id, secret } = await stage.webhook();
  stage.program.answer = () => 500;
  await stage.happen(userId);
  vi.useFakeTimers({ toFake: ["Date"] });
  const waits = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
  for (const [index, wait] of waits.entries()) {
    const before = now();
    await stage.deliver();
    const delivery = await stage.only(userId, id);
    expect(delivery).toMatchObject({ tries: index + 1, delivered: false, doneAt: null, httpStatus: 500 });
    expect(delivery.dueAt!.getTime()).toBeGreaterThanOrEqual(secondsAfter(before, wait).getTime());
    expect(delivery.dueAt!.getTime()).toBeLessThanOrEqual(secondsAfter(now(), wait * 1.1).getTime());
    await stage.deliver();
    expect(stage.program.heard).toHaveLength(index + 1);
    await stage.dueNow();
    await stage.rested();
  }
  await stage.deliver();
  expect(await stage.only(userId, id)).toMatchObject({ tries: 10, dueAt: null, delivered: false });
  const ids = stage.program.heard.map(({ headers }) => headers["webhook-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([10, 1]);
  for (const each of stage.program.heard) verified(each, secret);
  expect(new Set(stage.program.heard.map(({ body }) => body)).size).toBe(1);
});

test("a delivery gets through as soon as the program is back", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => 503;
  await stage.happen(userId);
  await stage.deliver();
  expect(await stage.only(userId, id)).toMatchObject({ failure: "The address answered with HTTP 503." });
  stage.program.answer = () => 204;
  await stage.dueNow();
  await stage.rested();
  await stage.deliver();
  expect(await stage.only(userId, id)).toMatchObject({
    delivered: true,
    tries: 2,
    httpStatus: 204,
    failure: null,
  });
});

test("metrics show the queue and the results of webhooks", async () => {
  const { userId } = await stage.webhook();
  const failing = await stage.webhook({ url: `${stage.program.url}/failing` });
  const off = await stage.webhook({ userId });
  await stage.webhooks.change(userId, off.id, { enabled: false });
  stage.program.answer = ({ path }) => (path === "/failing" ? 500 : 200);
  await stage.happen(failing.userId);
  await stage.deliver();
  await stage.happen(userId);
  await stage.webhooks.openDispatcher().fanOut();
  const waiting = await stage.webhooks.waiting(secondsAfter(now(), 60));
  expect(await stage.webhooks.states()).toEqual(
    new Map([
      ["on", 1],
      ["failing", 1],
      ["off", 1],
    ]),
  );
  expect(waiting).toMatchObject({ fresh: 1, retried: 1, failed: 0, resting: 0 });
  expect(Math.round(waiting.lagSeconds)).toBe(60);
  stage.program.answer = () => 200;
  await stage.dueNow();
  await stage.deliver();
  const none = { fresh: 0, retried: 0, failed: 0, resting: 0, lagSeconds: 0 };
  expect(await stage.webhooks.waiting(now())).toEqual(none);
  stage.program.answer = () => 500;
  await stage.happen(userId);
  await stage.deliver();
  await giveUpDeliveries(stage.db, { queue: "webhooks" }, now());
  expect(await stage.webhooks.waiting(now())).toEqual({ ...none, failed: 1 });
});

test("an address that fails again and again rests a while, and one success wakes it", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => 500;
  await stage.happen(userId, "balance", 5);
  await stage.deliver();
  const [row] = await stage.db<
    { rests: boolean }[]
  >`select rests_until > ${now()} as rests from webhook where id = ${id}`;
  expect(row?.rests).toBe(true);
  await stage.dueNow();
  await stage.deliver();
  expect(stage.program.heard).toHaveLength(5);
  stage.program.answer = () => 200;
  await stage.webhooks.test(userId, id);
  await stage.deliver();
  expect(stage.program.heard).toHaveLength(11);
});

test("an address that asks for time is left alone so long, an hour at most, and no try is lost on it", async () => {
  const { userId, id } = await stage.webhook();
  let retryAfter = "600";
  stage.program.answer = (_received, response) => {
    response.writeHead(429, { "retry-after": retryAfter }).end();
    return undefined;
  };
  const restOf = async () => {
    const [row] = await stage.db<
      { seconds: number }[]
    >`select extract(epoch from rests_until - now())::int as seconds from webhook where id = ${id}`;
    return row?.seconds;
  };
  await stage.happen(userId);
  const before = now();
  await stage.deliver();
  expect((await stage.only(userId, id)).dueAt!.getTime()).toBeGreaterThanOrEqual(
    secondsAfter(before, 600).getTime(),
  );
  expect(await restOf()).toBeGreaterThan(590);
  // Events that happen meanwhile are not sent either.
  await stage.happen(userId);
  await stage.dueNow();
  await stage.deliver();
  expect(stage.program.heard).toHaveLength(1);
  await stage.rested();
  retryAfter = "86400";
  await stage.deliver();
  expect(await restOf()).toBeGreaterThan(3_500);
  expect(await restOf()).toBeLessThanOrEqual(3_600);
  await stage.rested();
  stage.program.answer = () => 200;
  await stage.dueNow();
  await stage.deliver();
  expect(await stage.log(userId, id)).toMatchObject([{ delivered: true }, { delivered: true }]);
});

test("a dead host with a long queue does not hold up the others", async () => {
  const dead = await openReceiver();
  onTestFinished(() => dead.close());
  dead.answer = () => undefined;
  const hanging = await stage.webhook({ url: `http://localhost:${dead.port}/` });
  await stage.happen(hanging.userId, "balance", 300);
  const { userId, id } = await stage.webhook();
  const dispatcher = stage.webhooks.openDispatcher();
  await dispatcher.start(() => undefined);
  await dead.until(16);
  await stage.happen(userId, "letter");
  await stage.program.until(1);
  await vi.waitFor(async () => expect(await stage.only(userId, id)).toMatchObject({ delivered: true }), soon);
  expect(dead.heard).toHaveLength(16);
  await dispatcher.stop(1);
});

test("an account whose program hangs leaves half of its host to others with programs there", async () => {
  const hanging = await stage.webhook({ url: `${stage.program.url}/hanging` });
  await stage.happen(hanging.userId, "balance", 40);
  stage.program.answer = ({ path }) => (path === "/hanging" ? undefined : 200);
  const dispatcher = stage.webhooks.openDispatcher();
  await dispatcher.start(() => undefined);
  await stage.program.until(16);
  const { userId, id } = await stage.webhook();
  await stage.happen(userId, "balance", 40);
  await vi.waitFor(
    async () => expect((await stage.log(userId, id)).filter(({ delivered }) => delivered)).toHaveLength(40),
    soon,
  );
  expect(stage.program.heard.filter(({ path }) => path === "/hanging")).toHaveLength(16);
  await dispatcher.stop(1);
});

test("an account whose programs are all slow leaves the others their share", async () => {
  const userId = await stage.user();
  let heard = 0;
  const isFull = Promise.withResolvers<void>();
  for (const host of ["127.0.0.1", "127.0.0.3", "127.0.0.4", "127.0.0.5"]) {
    const slow = await openReceiver(undefined, { host });
    onTestFinished(() => slow.close());
    slow.answer = () => {
      if (++heard === 48) isFull.resolve();
      return undefined;
    };
    await stage.webhook({ userId, url: slow.url });
  }
  await stage.happen(userId, "balance", 40);
  const dispatcher = stage.webhooks.openDispatcher();
  await dispatcher.start(() => undefined);
  await isFull.promise;
  const other = await stage.webhook();
  await stage.happen(other.userId);
  await stage.program.until(1);
  expect(heard).toBe(48);
  await dispatcher.stop(1);
});

test("what has no answer when a process stops is put back, and sent by the next one under its id", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => undefined;
  await stage.happen(userId);
  const first = stage.another();
  const dispatcher = first.openDispatcher();
  await dispatcher.start(() => undefined);
  await stage.program.until(1);
  await dispatcher.stop(1);
  expect(await stage.only(userId, id)).toMatchObject({ tries: 0, failure: null, delivered: false });
  stage.program.answer = () => 200;
  await stage.deliver();
  expect(await stage.only(userId, id)).toMatchObject({ tries: 1, delivered: true });
  const [before, after] = stage.program.heard;
  expect(after?.headers["webhook-id"]).toBe(before?.headers["webhook-id"]);
});

test("three processes at once send each of 300 deliveries once", async () => {
  const { userId, id } = await stage.webhook();
  await stage.happen(userId, "balance", 300);
  const dispatchers = [stage.webhooks, stage.another(), stage.another()].map((each) => each.openDispatcher());
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.fanOut()));
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.sendDue()));
  const ids = stage.program.heard.map(({ headers }) => headers["webhook-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([300, 300]);
  expect((await stage.log(userId, id)).every(({ tries, delivered }) => delivered && tries === 1)).toBe(true);
});

test("a delivery whose process died after sending is sent again under the same id", async () => {
  const { userId, id } = await stage.webhook();
  await stage.happen(userId);
  await stage.deliver();
  // As after a crash before the outcome was stored.
  await stage.db`update webhook_delivery set due_at = now(), done_at = null, delivered = false,
    sending_until = now() + interval '60 s' where webhook_id = ${id}`;
  await stage.deliver();
  expect(stage.program.heard).toHaveLength(1);
  await stage.deliver(secondsAfter(now(), 61));
  expect(await stage.only(userId, id)).toMatchObject({ delivered: true, tries: 2 });
  const [before, after] = stage.program.heard;
  expect(after).toMatchObject({ body: before?.body });
  expect(after?.headers["webhook-id"]).toBe(before?.headers["webhook-id"]);
});

test("a process that hung while another took over changes nothing when it comes to itself", async () => {
  const { userId, id } = await stage.webhook();
  const hanging = Promise.withResolvers<void>();
  stage.program.answer = (_received, response) => {
    void hanging.promise.then(() => response.writeHead(500).end());
    return undefined;
  };
  await stage.happen(userId);
  const first = stage.deliver();
  await stage.program.until(1);
  stage.program.answer = () => 200;
  const second = stage.another().openDispatcher();
  await second.sendDue(secondsAfter(now(), 61));
  expect(await stage.only(userId, id)).toMatchObject({ delivered: true, tries: 2 });
  hanging.resolve();
  await first;
  expect(await stage.only(userId, id)).toMatchObject({
    delivered: true,
    tries: 2,
    httpStatus: 200,
    failure: null,
  });
  const ids = stage.program.heard.map(({ headers }) => headers["webhook-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

const mails = (userId: bigint) =>
  stage.db`select from task where user_id = ${userId} and kind = 'webhook-disabled'`;

test("a webhook that has failed for three days is switched off, and its owner is told why", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => 500;
  await stage.happen(userId, "balance", 3);
  await stage.deliver();
  await stage.db`update webhook set failing_since = now() - interval '71 h' where id = ${id}`;
  await stage.dueNow();
  await stage.deliver();
  await stage.rested();
  expect(await stage.ask(userId, id)).toMatchObject({ disabledAt: null });
  await stage.db`update webhook set failing_since = now() - interval '72 h' where id = ${id}`;
  await stage.dueNow();
  await stage.deliver();
  expect(await stage.ask(userId, id)).toMatchObject({
    disabledAt: expect.any(Date),
    disabledReason: "No event was accepted for 3 days. The last failure: The address answered with HTTP 500.",
  });
  expect((await stage.log(userId, id)).every(({ dueAt, delivered }) => dueAt === null && !delivered)).toBe(
    true,
  );
  expect(await stage.watchedUntil(userId)).toMatch(/^\d{4}-/);
  expect(await mails(userId)).toHaveLength(1);
});

test("a webhook that answers 410 is switched off at once", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => 410;
  await stage.happen(userId);
  await stage.deliver();
  expect(await stage.ask(userId, id)).toMatchObject({ disabledReason: expect.stringContaining("410") });
  expect(await mails(userId)).toHaveLength(1);
  expect(stage.logged()).toContain("a webhook was switched off");
});

test("one success forgives what failed before", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => 500;
  await stage.happen(userId);
  await stage.deliver();
  await stage.db`update webhook set failing_since = now() - interval '80 h' where id = ${id}`;
  stage.program.answer = () => 200;
  await stage.happen(userId);
  await stage.deliver();
  stage.program.answer = () => 500;
  await stage.dueNow();
  await stage.deliver();
  expect(await stage.ask(userId, id)).toMatchObject({ disabledAt: null });
});
