import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { now, secondsAfter, unixSeconds } from "../../src/server/kit/clock.ts";
import { listenTo } from "../kit/listener.ts";
import { startShop, type TestShop } from "../kit/shop.ts";

// What a limited token may spend, and on what, through the doors of a whole shop.

let shop: TestShop;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

/** The price of one address at letters.test, in the demo. */
const price = "0.0035";
const over = { status: "error", value: "token limit" };

async function limitedTo(account: string, limits: Record<string, string>): Promise<string> {
  const made = await shop.post("/user/tokens/add", { token: account, name: "program", ...limits });
  expect(made).toMatchObject({ status: "success" });
  return String(made["token"]);
}

const order = (token: string, more: Record<string, string> = {}) =>
  shop.get("/email/order", { token, site: "instagram.com", domain: "letters.test", ...more });

const spentToday = async (token: string) =>
  ((await shop.get("/user/tokens", { token }))["data"] as { spent_today: string }[])[0]?.spent_today;

test("a token for some sites orders for these and for no other", async () => {
  const account = await shop.buyer("1");
  const limited = await limitedTo(account, { sites: "instagram, x.com" });
  for (const site of ["instagram.com", "Twitter"])
    expect(await order(limited, { site })).toMatchObject({ status: "success" });
  for (const site of ["facebook.com", "any", "nobody-asked-before.com"])
    expect(await order(limited, { site })).toMatchObject({ ...over, exceeded: "sites" });
  expect(await order(account, { site: "facebook.com" })).toMatchObject({ status: "success" });
  expect(await shop.get("/user/balance", { token: limited })).toMatchObject({ balance: "0.9895" });
});

test("a token buys nothing above its highest price", async () => {
  const account = await shop.buyer("1");
  expect(await order(await limitedTo(account, { price_max: "0.00349999" }))).toMatchObject({
    ...over,
    exceeded: "price_max",
  });
  expect(await order(await limitedTo(account, { price_max: price }))).toMatchObject({ status: "success" });
});

test("a token spends its budget of a day and no more, however many ask at once; a refund gives it back", async () => {
  const account = await shop.buyer("1");
  const limited = await limitedTo(account, { budget_day: "0.0105" });
  const answers = await Promise.all(Array.from({ length: 8 }, () => order(limited)));
  const placed = answers.filter(({ status }) => status === "success");
  expect(placed).toHaveLength(3);
  expect(answers.filter(({ value }) => value === "token limit")).toHaveLength(5);
  expect(await spentToday(account)).toBe("0.0105");
  await shop.get("/email/cancel", { token: limited, id: String(placed[0]?.["id"]) });
  expect(await spentToday(account)).toBe("0.007");
  expect(await order(limited)).toMatchObject({ status: "success" });
  expect(await order(limited)).toMatchObject({ ...over, exceeded: "budget_day" });
  expect(await shop.get("/user/information", { token: limited })).toMatchObject({
    ...over,
    exceeded: "calls",
  });
  // The account itself is not held to it.
  expect(await order(account)).toMatchObject({ status: "success" });
  expect(await spentToday(account)).toBe("0.0105");
});

test("a revoked token neither orders nor reads from that moment on", async () => {
  const account = await shop.buyer("1");
  const limited = await limitedTo(account, {});
  const { id } = await order(limited);
  const [made] = (await shop.get("/user/tokens", { token: account }))["data"] as { id: string }[];
  await shop.post("/user/tokens/remove", { token: account, id: String(made?.id) });
  for (const answer of [
    await order(limited),
    await shop.get("/email/getmessage", { token: limited, id: String(id) }),
  ])
    expect(answer).toMatchObject({ status: "error", value: "token" });
  expect(await shop.get("/email/getmessage", { token: account, id: String(id) })).toMatchObject({
    value: "wait message",
  });
});

test("a stream hears nothing more once its token is over", async () => {
  const account = await shop.buyer("1");
  const limited = await limitedTo(account, { expires_at: String(unixSeconds(now()) + 600) });
  const [ends, stays] = [
    await listenTo(shop.url, { token: limited }),
    await listenTo(shop.url, { token: account }),
  ];
  onTestFinished(() => stays.close());
  vi.useFakeTimers({ toFake: ["Date"], now: secondsAfter(now(), 601) });
  onTestFinished(() => void vi.useRealTimers());
  await order(account);
  await stays.hear("balance");
  await ends.ended();
  expect(ends.heard.map(({ name }) => name)).toEqual(["ready"]);
});
