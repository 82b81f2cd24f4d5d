// @module-tag slow
import { numberOf } from "../../../test/kit/numbers.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import { type Inbox, inboxFixture, type InboxOptions, openInbox } from "./inbox.ts";

let shop: TestShop;
const options = { url: "", token: "", site: "instagram.com", domain: "letters.test" };
beforeAll(async () => {
  shop = await startShop();
  Object.assign(options, { url: shop.url, token: await shop.buyer() });
});
afterAll(() => shop.stop());

const send = (to: string, text: string) =>
  shop.send({ to, from: "no-reply@instagram.com", subject: "Hello", text });
const balance = async () =>
  (await shop.get<{ balance: string }>("/user/balance", { token: options.token })).balance;
const open = (more: Partial<InboxOptions> = {}) => openInbox({ ...options, ...more });

test("a code is waited for past a letter without one, and a letter that came stays paid", async () => {
  const before = Number(await balance());
  const inbox = await open();
  await send(inbox.address, "Welcome. We are glad that you are here.");
  expect((await inbox.letter()).code).toBeUndefined();
  const code = inbox.code();
  await send(inbox.address, "Your code is 493817");
  expect(await code).toBe("493817");
  await inbox.release();
  expect(Number(await balance())).toBeCloseTo(before - inbox.order.price);
  await inbox.again();
  expect(inbox.order.email).toBe(inbox.address);
  await send(inbox.address, "Your code is 220451");
  expect(await inbox.code()).toBe("220451");
});

test("a letter without what the test waits for is named in the failure", async () => {
  const inbox = await open();
  await send(inbox.address, "Welcome. We are glad that you are here.");
  await inbox.letter();
  await expect(inbox.code({ timeoutSeconds: 0 })).rejects.toThrow(
    "“Hello” from no-reply@instagram.com has no code",
  );
});

test("an order that waits is canceled at the end and costs nothing, also when it has ended before", async () => {
  const before = await balance();
  const inbox = await open();
  expect(await balance()).not.toBe(before);
  await inbox.release();
  expect(await balance()).toBe(before);
  await inbox.release();
  expect(await balance()).toBe(before);
});

test("the same attempt is the same order; without a name each is another", async () => {
  const [one, again, other, free, free2] = [
    await open({ attempt: "sign-up ✓ 0" }),
    await open({ attempt: "sign-up ✓ 0" }),
    await open({ attempt: "sign-up ✓ 1" }),
    await open(),
    await open(),
  ];
  expect(again.order.id).toBe(one.order.id);
  expect(new Set([one, other, free, free2].map(({ address }) => address)).size).toBe(4);
  for (const inbox of [one, other, free, free2]) await inbox.release();
});

describe("as a fixture", () => {
  const seen: Inbox[] = [];
  const withInbox = test.extend({ inbox: inboxFixture(options) });

  withInbox("the first attempt of this one fails", { retry: 1 }, ({ inbox }) => {
    seen.push(inbox);
    if (seen.length === 1) throw new Error("on purpose");
  });

  test("each attempt had an address of its own, which is released", async () => {
    const orders = await Promise.all(seen.map(({ order }) => numberOf(shop.db, order.id)));
    expect(new Set(seen.map(({ address }) => address)).size).toBe(2);
    const ended = await shop.db`select 1 from orders where id = any(${orders}) and status = 'canceled'`;
    expect(ended).toHaveLength(2);
  });
});
