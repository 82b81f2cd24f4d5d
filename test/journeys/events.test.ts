// @module-tag slow
import { tokenOfPrograms } from "../kit/proofs.ts";
import { numberOf } from "../kit/numbers.ts";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { streamsMax } from "../../src/contract/limits.ts";
import { waitsMax } from "../../src/contract/limits.ts";
import { block } from "../../src/server/users/users.ts";
import { listenTo } from "../kit/listener.ts";
import { type Answer, startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

// Events reach clients of both processes on one database at once.

let shop: TestShop;
let other: TestShop;

beforeAll(async () => {
  shop = await startShop();
  other = await startShop({ ROLES: "web" }, shop);
});
afterAll(async () => {
  await other.stop();
  await shop.stop();
});

const letter = (to: string, code: string) =>
  shop.send({
    to,
    from: "no-reply@mail.instagram.com",
    subject: "Your code",
    text: `Your code is ${code}.`,
  });

async function listen(at: TestShop, token: string, after?: string) {
  const listener = await listenTo(at.url, after === undefined ? { token } : { token, after });
  onTestFinished(() => listener.close());
  return listener;
}

const waitingCalls = async (at: TestShop) => {
  const metrics = await (await fetch(`${at.url}/metrics`)).text();
  return Number(/^postern_waiting_calls (\d+)$/m.exec(metrics)?.[1]);
};

/** Resolves once the shop has the waiting call. */
async function asking(at: TestShop, asked: { token: string; id: string; wait: number }) {
  const before = await waitingCalls(at);
  const gone = new AbortController();
  const url = `${at.url}/email/getmessage?${new URLSearchParams({ ...asked, wait: String(asked.wait) })}`;
  const answer = fetch(url, { signal: gone.signal }).then(async (response) => ({
    httpStatus: response.status,
    ...((await response.json()) as Answer),
  }));
  answer.catch(() => undefined);
  await vi.waitFor(async () => expect(await waitingCalls(at)).toBe(before + 1), soon);
  return { answer, goAway: () => gone.abort() };
}

test("an order, its letter and the money are told at once, by the process that had nothing to do with it", async () => {
  const token = await shop.buyer("1");
  const stream = await listen(other, token);
  expect(stream.heard[0]?.name).toBe("ready");
  expect(stream.headers).toMatchObject({
    "x-accel-buffering": "no",
    "cache-control": expect.stringContaining("no-store"),
  });
  expect(stream.retryMs).toBeGreaterThan(0);

  const { id, email } = await shop.order(token);
  const about = { activation_id: id, from: "instagram.com", email, price: 0.0035 };
  expect((await stream.hear("activation")).data).toMatchObject({ ...about, status: 0 });
  expect((await stream.hear("balance")).data).toEqual({ balance: "0.9965" });
  await letter(email, "482915");
  expect((await stream.hear("letter")).data).toMatchObject({
    activation_id: id,
    email,
    sender: expect.stringContaining("no-reply@mail.instagram.com"),
    subject: "Your code",
    code: "482915",
  });
  expect((await stream.hear("activation", 2)).data).toMatchObject({ ...about, status: 1 });

  const { id: canceled } = await shop.order(token);
  await shop.get("/email/cancel", { token, id: canceled });
  expect((await stream.hear("activation", 4)).data).toMatchObject({ activation_id: canceled, status: -1 });
  expect((await stream.hear("balance", 3)).data).toEqual({ balance: "0.9965" });

  const { id: payment } = await shop.get("/payments/create", { token, wallet: "trx", amount: "2" });
  await shop.buyer("1");
  const admin = await shop.post("/user/authorize", {
    email: "admin@example.com",
    password: "correct horse",
    captcha: "off",
  });
  const by = String((admin["data"] as { token: string }).token);
  await shop.post(`/api/admin/payments/confirm/${String(payment)}`, { token: by });
  expect((await stream.hear("balance", 4)).data).toEqual({ balance: "2.9965" });
  await vi.waitFor(
    () =>
      expect(stream.heard.findLast(({ name }) => name === "payment")?.data).toEqual({
        id: payment,
        payment_status: 1,
      }),
    soon,
  );
  const ids = await Promise.all(stream.heard.map(async ({ id }) => BigInt(await numberOf(shop.db, id))));
  expect(ids).toEqual(ids.toSorted((one, two) => Number(one - two)));
});

test("a client that comes back, to another process, hears what it missed and nothing twice", async () => {
  const token = await shop.buyer("1");
  const first = await listen(shop, token);
  const placed = await shop.order(token);
  await first.hear("balance");
  first.close();
  await letter(placed.email, "111222");
  await vi.waitFor(async () => {
    const read = await shop.get("/email/getmessage", { token, id: placed.id });
    expect(read.status).toBe("success");
  }, soon);

  const last = first.heard.at(-1)?.id ?? "";
  const second = await listen(other, token, last);
  expect(second.heard[0]).toMatchObject({ name: "ready", id: last });
  await second.hear("letter");
  await second.hear("activation");
  await shop.order(token);
  await second.hear("balance");
  const names = second.heard.map(({ name }) => name);
  expect(names.toSorted()).toEqual(["activation", "activation", "balance", "letter", "ready"]);
});

test("who may have missed something is told so: an id from before anybody listened, from nowhere, or unreadable", async () => {
  const token = await shop.buyer("1");
  await shop.order(token);
  const [row] = await shop.db<{ id: bigint }[]>`select nextval('event_id') as id`;
  const early = await listen(shop, token, String((row?.id ?? 0n) - 1n));
  expect(early.heard[0]?.name).toBe("reset");
  const alien = await listen(shop, token, "99999999999999");
  expect(alien.heard[0]?.name).toBe("reset");
  expect(BigInt(alien.heard[0]?.id ?? 0)).toBeLessThan(99999999999999n);
  await expect(listenTo(shop.url, { token, after: "what" })).rejects.toThrow("last_event_id");
});

test("what was forgotten is not passed over in silence", async () => {
  const token = await shop.buyer("1");
  const stream = await listen(shop, token);
  const began = stream.heard[0]?.id ?? "";
  await shop.order(token);
  const middle = (await stream.hear("balance")).id;
  await shop.db`update event set at = at - interval '25 hours'`;
  await shop.order(token);
  await stream.hear("balance", 2);
  const { openEvents } = await import("../../src/server/events/events.ts");
  const events = await openEvents(shop.db);
  onTestFinished(() => events.close());
  expect(await events.forget(new Date())).toBeGreaterThan(0);
  expect(await events.forget(new Date())).toBe(0);
  expect((await listen(shop, token, began)).heard[0]?.name).toBe("reset");
  const resumed = await listen(shop, token, middle);
  expect(resumed.heard[0]?.name).toBe("ready");
  await resumed.hear("activation");
  await resumed.hear("balance");
});

test("a stream ends with its token: replaced, or its account blocked", async () => {
  const [replaced, blocked] = [await shop.member(), await shop.member()];
  const program = await tokenOfPrograms(shop, replaced);
  const streams = [await listen(other, program), await listen(other, blocked)] as const;
  await shop.post("/user/replacetoken", { token: replaced });
  await streams[0].ended();
  const [user] = await shop.db<{ id: bigint }[]>`select id from users order by id desc limit 1`;
  await block(shop.db, user?.id ?? 0n, true);
  await streams[1].ended();
  await expect(listenTo(other.url, { token: blocked })).rejects.toThrow("token");
});

test("an account has so many streams at once and no more, and one that ends makes room", async () => {
  const token = await shop.member();
  const streams = await Promise.all(Array.from({ length: streamsMax }, () => listen(shop, token)));
  await expect(listenTo(shop.url, { token })).rejects.toThrow("too many");
  streams[0]?.close();
  await vi.waitFor(() => listen(shop, token), soon);
});

test("a call that waits is answered the moment the letter is there, though another process took the letter in", async () => {
  const token = await shop.buyer("1");
  const { id, email } = await shop.order(token);
  const { answer } = await asking(other, { token, id, wait: 60 });
  const since = performance.now();
  await letter(email, "654321");
  expect(await answer).toMatchObject({ status: "success", code: "654321" });
  expect(performance.now() - since).toBeLessThan(10_000);
  expect(await shop.get("/email/getmessage", { token, id, wait: 60 })).toMatchObject({ code: "654321" });
});

test("a token that is replaced while its call waits does not read the letter any more, in whatever process it waits", async () => {
  const token = await shop.buyer("1");
  const { id, email } = await shop.order(token);
  const { answer } = await asking(other, { token: await tokenOfPrograms(shop, token), id, wait: 60 });
  const { data } = await shop.post("/user/replacetoken", { token });
  await letter(email, "654321");
  expect(await answer).toMatchObject({ status: "error", value: "token" });
  expect(
    await shop.get("/email/getmessage", { token: (data as { token: string }).token, id, wait: 60 }),
  ).toMatchObject({
    code: "654321",
  });
});

test("with preview=1 the letter that was waited for is the document", async () => {
  const token = await shop.buyer("1");
  const { id, email } = await shop.order(token);
  const page = fetch(
    `${other.url}/email/getmessage?${new URLSearchParams({ token, id, wait: "60", preview: "1" })}`,
  );
  await vi.waitFor(async () => expect(await waitingCalls(other)).toBe(1), soon);
  await letter(email, "777888");
  expect(await (await page).text()).toMatch(/^<!DOCTYPE html>.*777888/s);
});

test("a canceled order is told at once to who waits for it; one that does not exist waits for nothing", async () => {
  const token = await shop.buyer("1");
  const { id } = await shop.order(token);
  const { answer } = await asking(other, { token, id, wait: 60 });
  await shop.get("/email/cancel", { token, id });
  expect(await answer).toMatchObject({ status: "error", value: "activation canceled" });
  expect(await shop.get("/email/getmessage", { token, id: "1", wait: 60 })).toMatchObject({
    value: "no activation",
  });
});

test("at the end of the wait the answer is that there is nothing yet; other changes of the account do not end it", async () => {
  const token = await shop.buyer("1");
  const { id } = await shop.order(token);
  const { answer } = await asking(shop, { token, id, wait: 1 });
  await shop.order(token);
  expect(await answer).toMatchObject({ httpStatus: 200, status: "error", value: "wait message" });
  expect(await shop.get("/email/getmessage", { token, id, wait: 61 })).toMatchObject({ value: "wait" });
});

test("an account may have many calls waiting but not any number, and who goes away waits no more", async () => {
  const token = await shop.buyer("1");
  const { id } = await shop.order(token);
  const url = `${shop.url}/email/getmessage?${new URLSearchParams({ token, id, wait: "60" })}`;
  const gone = new AbortController();
  const waits = Array.from({ length: waitsMax }, () => fetch(url, { signal: gone.signal }));
  for (const wait of waits) wait.catch(() => undefined);
  await vi.waitFor(async () => expect(await waitingCalls(shop)).toBe(waitsMax), soon);
  const refused = await fetch(url);
  expect([refused.status, await refused.json()]).toMatchObject([429, { value: "limit" }]);
  // Waiting calls hold no connection to the database.
  await vi.waitFor(async () => {
    const busy = await shop.db`
      select from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
    expect(busy).toHaveLength(0);
  }, soon);
  gone.abort();
  await vi.waitFor(async () => expect(await waitingCalls(shop)).toBe(0), soon);
});

test("after the connection that hears is cut, no list that has changed goes on being answered as unchanged", async () => {
  const token = await shop.buyer("1");
  const list = (known?: string) =>
    fetch(`${other.url}/user/activations?token=${token}`, {
      headers: known ? { "if-none-match": known } : {},
    });
  const tagOf = async () => (await list()).headers.get("etag") ?? "";
  for (let turn = 0; turn < 10; turn++) {
    const tag = await tagOf();
    expect((await list(tag)).status).toBe(304);
    // The LISTEN connections of both processes.
    await shop.db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query in ('listen "changes"', 'select pg_notify($1, $2)') and pid <> pg_backend_pid()`;
    await shop.order(token);
    await vi.waitFor(async () => expect((await list(tag)).status).toBe(200), soon);
  }
  const { id, email } = await shop.order(token);
  const { answer } = await asking(other, { token, id, wait: 60 });
  await shop.db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query in ('listen "changes"', 'select pg_notify($1, $2)') and pid <> pg_backend_pid()`;
  await letter(email, "121212");
  expect(await answer).toMatchObject({ code: "121212" });
});

test("a shop that stops ends its streams and answers who waits, and is gone at once, whoever is connected", async () => {
  const third = await startShop({ ROLES: "web" }, shop);
  const token = await shop.buyer("1");
  const { id } = await shop.order(token);
  const stream = await listen(third, token);
  const { answer } = await asking(third, { token, id, wait: 60 });
  const silent = connect(Number(new URL(third.url).port), "127.0.0.1");
  await once(silent, "connect");
  const since = performance.now();
  await third.stop();
  await stream.ended();
  expect(await answer).toMatchObject({ httpStatus: 200, value: "wait message" });
  expect(performance.now() - since).toBeLessThan(5_000);
});
