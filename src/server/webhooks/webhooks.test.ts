import { expect, test, vi } from "vitest";
import { verified } from "../../../test/kit/receiver.ts";
import { code, webhookStage } from "../../../test/kit/webhooks.ts";
import { webhooksMax } from "../../contract/limits.ts";
import { stepOf } from "../events/events.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { soon } from "../../../test/kit/soon.ts";
import { giveUpDeliveries, retryDeliveries } from "./webhooks.ts";

const stage = webhookStage();
const minute = 60;
const day = 24 * 60 * minute;

test("a secret has 32 random bytes, is shown once and lies sealed", async () => {
  const { userId, id, secret } = await stage.webhook();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect((await stage.webhook()).secret).not.toBe(secret);
  const [row] = await stage.db<{ text: string; secret: Buffer }[]>`
    select webhook::text as text, secret from webhook where id = ${id}`;
  expect(row?.text).not.toContain(secret);
  expect(row?.secret.toString("latin1")).not.toContain(secret.slice(6, 30));
  expect(
    JSON.stringify(await stage.webhooks.list(userId), (_key, value: unknown) => String(value)),
  ).not.toContain(secret);
});

test("an account has at most ten, even when it adds twenty at once", async () => {
  const userId = await stage.user();
  const adding = Array.from({ length: 2 * webhooksMax }, () =>
    stage.webhooks.add(userId, { url: stage.program.url, events: ["letter"] }),
  );
  const made = await Promise.all(adding);
  expect(made.filter((each) => each === "too many")).toHaveLength(webhooksMax);
  expect(await stage.webhooks.list(userId)).toHaveLength(webhooksMax);
});

test("what may not be sent to is refused when it is entered and when it is changed", async () => {
  const { userId, id } = await stage.webhook();
  for (const url of ["http://10.0.0.1/", "https://127.0.0.2/", "https://user:pw@program.example.com/", "x"]) {
    expect(await stage.webhooks.add(userId, { url, events: ["letter"] })).toBe("url");
    expect(await stage.webhooks.change(userId, id, { url })).toBe("url");
  }
  expect(await stage.webhooks.list(userId)).toHaveLength(1);
});

test("the webhooks of others are not there", async () => {
  const { userId, id } = await stage.webhook();
  await stage.happen(userId);
  await stage.deliver();
  const { id: deliveryId } = await stage.only(userId, id);
  const stranger = await stage.user();
  const mine = await stage.webhook({ userId: stranger });
  const { webhooks } = stage;
  expect(await webhooks.change(stranger, id, { enabled: false })).toBe("no webhook");
  expect(await webhooks.replaceSecret(stranger, id)).toBe("no webhook");
  expect(await webhooks.test(stranger, id)).toBe("no webhook");
  expect(await webhooks.deliveries(stranger, id, { skip: 0, size: 10 })).toBe("no webhook");
  expect(await webhooks.delivery(stranger, id, deliveryId)).toBe("no webhook");
  expect(await webhooks.delivery(stranger, mine.id, deliveryId)).toBe("no delivery");
  expect(await webhooks.redeliver(stranger, id, deliveryId)).toBe("no webhook");
  expect(await webhooks.redeliver(stranger, mine.id, deliveryId)).toBe("no delivery");
  expect(await webhooks.remove(stranger, id)).toBe("no webhook");
  expect(await webhooks.list(userId)).toMatchObject([{ id, disabledAt: null }]);
  expect(stage.program.heard).toHaveLength(1);
});

test("the events of an account are written while it has a webhook that is on", async () => {
  const { userId, id } = await stage.webhook();
  const second = await stage.webhook({ userId });
  expect(await stage.watchedUntil(userId)).toBe("infinity");
  await stage.webhooks.change(userId, id, { enabled: false });
  expect(await stage.watchedUntil(userId)).toBe("infinity");
  await stage.webhooks.remove(userId, second.id);
  expect(await stage.watchedUntil(userId)).toMatch(/^\d{4}-/);
  await stage.webhooks.change(userId, id, { enabled: true });
  expect(await stage.watchedUntil(userId)).toBe("infinity");
  await stage.webhooks.remove(userId, id);
  expect(await stage.watchedUntil(userId)).toMatch(/^\d{4}-/);
  expect(await stage.db`select from webhook_delivery where webhook_id = ${id}`).toHaveLength(0);
});

test("a payment whose transfer only gets deeper into its chain is no message: a webhook is told changes", async () => {
  const { userId } = await stage.webhook({ events: ["payment"] });
  const statuses = ["pending", ...Array.from({ length: 12 }, () => stepOf("pending")), "confirmed"];
  for (const status of statuses)
    await stage.db`select log_payments(array[${userId}::bigint], array[1::bigint], array[${status}])`;
  await stage.deliver();
  expect(stage.program.heard).toHaveLength(2);
  // Deliveries of unwanted events are done too.
  await stage.deliver();
  expect(stage.program.heard).toHaveLength(2);
});

test("a webhook whose newest message failed says why, until one gets through", async () => {
  const { userId, id } = await stage.webhook();
  const listed = async () => (await stage.webhooks.list(userId)).map(({ lastFailure }) => lastFailure);
  expect(await listed()).toEqual([null]);
  stage.program.answer = () => 500;
  await stage.webhooks.test(userId, id);
  expect(await listed()).toEqual(["The address answered with HTTP 500."]);
  stage.program.answer = () => 200;
  await stage.webhooks.test(userId, id);
  expect(await listed()).toEqual([null]);
});

test("a test that meets the removal of its webhook is told that there is none", async () => {
  const { userId, id } = await stage.webhook();
  let testing: ReturnType<typeof stage.webhooks.test> | undefined;
  await stage.db.begin(async (tx) => {
    await tx`delete from webhook where id = ${id}`;
    testing = stage.webhooks.test(userId, id);
    await vi.waitFor(async () => {
      const waiting = await stage.db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(1);
    }, soon);
  });
  expect(await testing).toBe("no webhook");
  expect(stage.program.heard).toHaveLength(0);
});

test("switched on again it begins with what happens from then on", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => 500;
  await stage.happen(userId);
  await stage.deliver();
  expect(await stage.webhooks.change(userId, id, { enabled: false })).toMatchObject({ disabledReason: null });
  await stage.webhook({ userId, url: `${stage.program.url}/other` });
  await stage.happen(userId);
  await stage.deliver();
  stage.program.answer = () => 200;
  expect(await stage.webhooks.change(userId, id, { enabled: true })).toMatchObject({ disabledAt: null });
  await stage.happen(userId, "letter");
  await stage.deliver();
  expect(await stage.log(userId, id)).toMatchObject([
    { event: "letter", delivered: true },
    { event: "balance", delivered: false, dueAt: null },
  ]);
});

test("a change of address or events holds for what is sent from then on", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => 500;
  await stage.happen(userId, "letter");
  await stage.deliver();
  const url = `${stage.program.url}/moved`;
  expect(await stage.webhooks.change(userId, id, { url, events: ["balance"] })).toMatchObject({
    url,
    events: ["balance"],
  });
  stage.program.answer = () => 200;
  await stage.happen(userId, "letter");
  await stage.happen(userId, "balance");
  await stage.dueNow();
  await stage.deliver();
  expect(stage.program.heard.slice(1).map(({ path }) => path)).toEqual(["/moved", "/moved"]);
  expect(await stage.log(userId, id)).toMatchObject([{ event: "balance" }, { event: "letter", tries: 2 }]);
});

test("a webhook keeps its choice of kinds that the release before cannot change, and skips those of a newer one", async () => {
  const userId = await stage.user();
  const { url } = stage.program;
  const made = await stage.webhooks.add(userId, { url, events: ["refund"] });
  if (typeof made === "string") throw new Error(made);
  const { id } = made.webhook;
  expect(made.webhook.events).toEqual(["refund"]);
  const stored = () => stage.db`select events::text[], more from webhook where id = ${id}`;
  expect(await stored()).toEqual([{ events: [], more: ["refund"] }]);
  await stage.db`update webhook set events = '{balance}', more = more || '{gift}' where id = ${id}`;
  expect(await stage.ask(userId, id)).toMatchObject({ events: ["balance", "refund"] });
  await stage.webhooks.change(userId, id, { url: `${url}/moved` });
  expect(await stored()).toEqual([{ events: ["balance"], more: ["refund", "gift"] }]);
  expect(await stage.webhooks.change(userId, id, { events: ["payment", "letter", "refund"] })).toMatchObject({
    events: ["letter", "refund", "payment"],
  });
  expect(await stored()).toEqual([{ events: ["payment", "letter"], more: ["refund"] }]);
});

test("for a day after a secret was replaced both sign, and then the new one alone", async () => {
  const { userId, id, secret } = await stage.webhook();
  const made = await stage.webhooks.replaceSecret(userId, id);
  if (typeof made === "string") throw new Error(made);
  expect(made.secret).not.toBe(secret);
  await stage.happen(userId);
  await stage.deliver();
  await stage.db`update webhook set secret_before_until = now() where id = ${id}`;
  await stage.happen(userId);
  await stage.deliver();
  const [during, after] = stage.program.heard;
  for (const each of [secret, made.secret]) verified(during!, each);
  verified(after!, made.secret);
  expect(() => verified(after!, secret)).toThrow(/signature/i);
});

test("a test is sent at once and tells how it went, and is never sent again", async () => {
  const { userId, id, secret } = await stage.webhook();
  expect(await stage.webhooks.test(userId, id)).toMatchObject({
    event: "test",
    delivered: true,
    httpStatus: 200,
  });
  expect(verified(stage.program.heard[0]!, secret)).toMatchObject({
    type: "test",
    data: { webhook_id: String(id) },
  });
  stage.program.answer = () => 410;
  await stage.webhooks.change(userId, id, { enabled: false });
  await stage.webhooks.change(userId, id, { enabled: true });
  expect(await stage.webhooks.test(userId, id)).toMatchObject({
    delivered: false,
    dueAt: null,
    failure: "The address answered with HTTP 410.",
  });
  expect(await stage.ask(userId, id)).toMatchObject({ disabledAt: null });
  await stage.deliver(secondsAfter(now(), 3 * day));
  expect(stage.program.heard).toHaveLength(2);
});

test("a delivery can be sent again under its id, on or off, until its body is wiped", async () => {
  const { userId, id } = await stage.webhook();
  await stage.happen(userId, "letter");
  await stage.deliver();
  const { id: deliveryId, messageId } = await stage.only(userId, id);
  await stage.webhooks.change(userId, id, { enabled: false });
  const again = () => stage.webhooks.redeliver(userId, id, deliveryId);
  expect(await again()).toMatchObject({ delivered: true, tries: 1, messageId });
  stage.program.answer = () => 500;
  expect(await again()).toMatchObject({ delivered: false, dueAt: null, httpStatus: 500 });
  await stage.webhooks.change(userId, id, { enabled: true });
  expect(await again()).toMatchObject({ delivered: false, dueAt: expect.any(Date), tries: 1 });
  stage.program.answer = () => 200;
  await stage.dueNow();
  await stage.deliver();
  expect(await stage.only(userId, id)).toMatchObject({ delivered: true, tries: 2 });
  expect(stage.program.heard).toHaveLength(5);
  expect(
    new Set(stage.program.heard.map(({ headers, body }) => JSON.stringify([headers["webhook-id"], body])))
      .size,
  ).toBe(1);
  await stage.webhooks.forget(secondsAfter(now(), day + 1));
  expect(await again()).toBe("no delivery");
  expect(stage.program.heard).toHaveLength(5);
  expect(await stage.only(userId, id)).toMatchObject({ delivered: true });
});

test("a delivery that is being sent just now is not sent a second time at once", async () => {
  const { userId, id } = await stage.webhook();
  const answer = Promise.withResolvers<void>();
  stage.program.answer = (_received, response) => {
    void answer.promise.then(() => response.end());
    return undefined;
  };
  await stage.happen(userId);
  const sending = stage.deliver();
  await stage.program.until(1);
  const delivery = await stage.only(userId, id);
  expect(await stage.webhooks.redeliver(userId, id, delivery.id)).toMatchObject({
    delivered: false,
    tries: 1,
  });
  answer.resolve();
  await sending;
  expect(stage.program.heard).toHaveLength(1);
});

test("bodies lie sealed and are gone a day after the delivery is done; the log is kept for a week", async () => {
  const { userId, id } = await stage.webhook();
  await stage.happen(userId, "letter");
  await stage.deliver();
  stage.program.answer = () => 500;
  await stage.happen(userId, "letter");
  await stage.deliver();
  const bodies = () => stage.db<{ body: Buffer | null; exchange: Buffer | null; text: string }[]>`
    select body, exchange, webhook_delivery::text as text from webhook_delivery where webhook_id = ${id} order by id`;
  for (const { body, exchange, text } of await bodies())
    expect(`${body?.toString("latin1")} ${exchange?.toString("latin1")} ${text}`).not.toMatch(
      new RegExp(`${code}|webhook-signature`),
    );
  const opened = async () => {
    const log = await stage.log(userId, id);
    return Promise.all(log.map((delivery) => stage.webhooks.delivery(userId, id, delivery.id)));
  };
  for (const each of await opened())
    expect(each).toMatchObject({
      body: expect.stringContaining(code),
      exchange: { headers: { "webhook-id": expect.stringMatching(/^msg_/) }, answer: { text: "thank you" } },
    });
  await stage.webhooks.forget(secondsAfter(now(), day - minute));
  expect((await bodies()).map(({ body }) => body === null)).toEqual([false, false]);
  await stage.webhooks.forget(secondsAfter(now(), day + minute));
  expect((await bodies()).map(({ body, exchange }) => [body === null, exchange === null])).toEqual([
    [true, true],
    [false, false],
  ]);
  expect(await opened()).toMatchObject([
    { body: expect.any(String) },
    { body: undefined, exchange: undefined },
  ]);
  await stage.webhooks.forget(secondsAfter(now(), 7 * day - minute));
  expect(await stage.log(userId, id)).toHaveLength(2);
  await stage.webhooks.forget(secondsAfter(now(), 7 * day + minute));
  expect(await stage.log(userId, id)).toHaveLength(1);
});

test("the log of the shop holds no secret, no body and no address", async () => {
  const { userId, id, secret } = await stage.webhook({ url: `${stage.program.url}/hunter2?key=hunter2` });
  await stage.happen(userId, "letter");
  await stage.deliver();
  stage.program.answer = () => 410;
  await stage.webhooks.test(userId, id);
  await stage.happen(userId, "letter");
  await stage.deliver();
  expect(stage.logged()).toContain("event not delivered");
  for (const kept of [secret, code, "hunter2"]) expect(stage.logged()).not.toContain(kept);
});

test("the operator gives up what waits for a host, and has it sent again with all its tries", async () => {
  const { userId, id } = await stage.webhook();
  stage.program.answer = () => 500;
  await stage.happen(userId, "balance", 3);
  await stage.deliver();
  const waits = { queue: "webhooks", key: "127.0.0.1" };
  expect(await giveUpDeliveries(stage.db, { ...waits, key: "127.0.0.2" }, now())).toBe(0);
  expect(await giveUpDeliveries(stage.db, waits, now())).toBe(3);
  expect(await stage.log(userId, id)).toMatchObject(
    Array.from({ length: 3 }, () => ({
      dueAt: null,
      failure: "The operator of this service gave the event up.",
    })),
  );
  const [newest] = await stage.log(userId, id);
  expect(await retryDeliveries(stage.db, { queue: "webhooks", id: newest?.id }, now())).toBe(1);
  stage.program.answer = () => 200;
  await stage.rested();
  await stage.deliver();
  expect((await stage.log(userId, id))[0]).toMatchObject({ delivered: true, tries: 1 });
  expect(await retryDeliveries(stage.db, { queue: "webhooks", userId }, now())).toBe(2);
  await stage.deliver();
  expect((await stage.log(userId, id)).map(({ delivered }) => delivered)).toEqual([true, true, true]);
  expect(await retryDeliveries(stage.db, { queue: "webhooks" }, now())).toBe(0);
});
