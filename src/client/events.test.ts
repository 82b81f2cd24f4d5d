// @module-tag slow
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startShop, type TestShop } from "../../test/kit/shop.ts";
import { type FollowOptions, type NewLetter, Postern, type PosternOptions } from "./client.ts";

let shop: TestShop;
let token: string;
beforeAll(async () => {
  shop = await startShop();
  token = await shop.buyer();
});
afterAll(() => shop.stop());

const postern = (options: Partial<PosternOptions> = {}) => new Postern({ url: shop.url, token, ...options });
const wanted = { site: "instagram.com", domain: "letters.test" };
const send = (to: string, code: string) =>
  shop.send({ to, from: "no-reply@instagram.com", subject: "Your code", text: `Your code is ${code}` });

/** Counts the streams that were open, and cuts the newest. */
function wire() {
  const after: (string | null)[] = [];
  let cut = new AbortController();
  let opened = Promise.withResolvers<void>();
  const watched: typeof fetch = async (url, init = {}) => {
    if (typeof url !== "string" || !url.endsWith("/user/events")) return fetch(url, init);
    cut = new AbortController();
    const signals = [init.signal, cut.signal].filter((signal) => signal instanceof AbortSignal);
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
    after.push(new Headers(init.headers).get("last-event-id"));
    opened.resolve();
    return response;
  };
  const isOpen = async () => {
    await opened.promise;
    opened = Promise.withResolvers();
  };
  return { fetch: watched, after, isOpen, cut: () => cut.abort() };
}

function following(client: Postern, options: FollowOptions = {}) {
  const letters = client.letters(options);
  onTestFinished(() => void letters.return());
  const next = async (): Promise<NewLetter> => {
    const { value } = await letters.next();
    if (!value) throw new Error("the letters ended");
    return value;
  };
  return { letters, next };
}

test("letters come one by one as they arrive, also after the connection broke, none twice", async () => {
  const { isOpen, cut, after, ...way } = wire();
  const { next, letters } = following(postern(way));
  const first = next();
  await isOpen();
  const order = await postern().order(wanted);
  await send(order.email, "111222");
  const told = await first;
  expect(told).toMatchObject({
    activation_id: order.id,
    email: order.email,
    from: wanted.site,
    code: "111222",
  });
  cut();
  await send(order.email, "333444");
  await send(order.email, "555666");
  expect([(await next()).code, (await next()).code]).toEqual(["333444", "555666"]);
  expect(after).toEqual([null, expect.stringMatching(/^\d+$/)]);
  await letters.return();
});

test("a program that starts anew goes on after the letter that it had", async () => {
  const order = await postern().order(wanted);
  const { isOpen, ...way } = wire();
  const before = following(postern(way));
  const first = before.next();
  await isOpen();
  await send(order.email, "111222");
  const { eventId } = await first;
  await before.letters.return();
  await send(order.email, "333444");
  expect((await following(postern(), { after: eventId }).next()).code).toBe("333444");
});

test("letters that a gap in the stream hides are read from the history, the oldest first", async () => {
  const other = postern({ token: await shop.buyer() });
  const { orders } = await other.orderSeveral({ ...wanted, quantity: 2 });
  for (const [at, { id, email }] of orders.toReversed().entries()) {
    await send(email, `10000${at}`);
    await other.waitForLetter(id);
  }
  const { next } = following(other, { after: "1" });
  expect([(await next()).code, (await next()).code]).toEqual(["100000", "100001"]);
});

test("a loop over what happens ends where the program leaves it, and closes its stream", async () => {
  const { isOpen, ...way } = wire();
  const order = isOpen().then(() => postern().order(wanted));
  const names: string[] = [];
  for await (const event of postern(way).events()) {
    names.push(event.name);
    if (event.name === "balance") break;
  }
  await order;
  expect(names).toEqual(["activation", "balance"]);
});

test("an aborted stream ends with the reason of its signal", async () => {
  const stop = new AbortController();
  const { isOpen, ...way } = wire();
  const first = following(postern(way), { signal: stop.signal }).next();
  await isOpen();
  const reason = new Error("the user went away");
  stop.abort(reason);
  await expect(first).rejects.toBe(reason);
});

test("a token that opens no stream, and a shop that is not there, are told", async () => {
  const unknown = following(postern({ token: "x".repeat(32) }));
  await expect(unknown.next()).rejects.toMatchObject({ name: "PosternError", value: "token" });
  const gone = following(postern({ url: "http://127.0.0.1:1", retries: 0 }));
  await expect(gone.next()).rejects.toMatchObject({ name: "PosternError", value: "connection" });
});
