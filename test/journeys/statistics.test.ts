// @module-tag slow
import { numberOf } from "../kit/numbers.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

// The share and the delay of letters, from orders to the API.

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

const site = "instagram.com";

interface Offers {
  data: Record<string, { count: number; price: number; stats?: object }>;
}

const offers = async (token: string, stats?: number) =>
  (await shop.get<Offers>("/email/quantity", { token, site, stats })).data;

test("without stats the answer is what it always was, byte for byte", async () => {
  const token = await shop.member();
  const answer = await fetch(`${shop.url}/email/quantity?${new URLSearchParams({ token, site })}`);
  expect(await answer.text()).toBe(
    '{"status":"success","site":"instagram.com","data":{' +
      '"letters.test":{"count":1000,"price":0.0035},"post.test":{"count":1000,"price":0.008},' +
      '"inbox.test":{"count":1000,"price":0.009},"courier.test":{"count":1000,"price":0.005},' +
      '"quill.test":{"count":1000,"price":0.0125},"envelope.test":{"count":1000,"price":0.0042}}}',
  );
  expect(await shop.get("/email/quantity", { token, site, stats: 2 })).toMatchObject({ value: "stats" });
});

test("with stats=1 each domain tells how its orders for the site went, and what a letter costs by that", async () => {
  const token = await shop.buyer("1");
  const [received, expired, canceled] = [
    await shop.order(token),
    await shop.order(token),
    await shop.order(token),
  ];
  await shop.send({
    to: received.email,
    from: `no-reply@${site}`,
    subject: "Hello",
    text: "Your code is 482915",
  });
  await shop.db`update orders set expires_at = clock_timestamp() where id = ${await numberOf(shop.db, expired.id)}`;
  await shop.get("/email/cancel", { token, id: canceled.id });
  await vi.waitFor(async () => {
    expect(await shop.get("/email/getmessage", { token, id: received.id })).toMatchObject({ code: "482915" });
    expect(await shop.get("/email/getmessage", { token, id: expired.id })).toMatchObject({
      value: "activation canceled",
    });
  }, soon);

  const told = await offers(token, 1);
  expect(told["letters.test"]).toEqual({
    count: 999,
    price: 0.0035,
    stats: {
      day: { orders: 2, share: 0.5, seconds: expect.any(Number) as number },
      week: { orders: 2, share: 0.5, seconds: expect.any(Number) as number },
      letter_price: 0.007,
    },
  });
  expect(told["post.test"]).toMatchObject({ stats: { day: { orders: 0 }, week: { orders: 0 } } });
  expect(told["post.test"]?.stats).not.toHaveProperty("letter_price");
  const plain = await offers(token);
  expect(plain["letters.test"]).toEqual({ count: 999, price: 0.0035 });
});

test("a site that nobody ordered for has offers and no statistics", async () => {
  const token = await shop.member();
  const { data } = await shop.get<Offers>("/email/quantity", {
    token,
    site: "new.example.org",
    stats: 1,
  });
  expect(data["letters.test"]).toEqual({
    count: 1000,
    price: 0.0035,
    stats: { day: { orders: 0 }, week: { orders: 0 } },
  });
});
