// @module-tag slow
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { listenTo } from "../../../../test/kit/listener.ts";
import { startShop, type TestShop } from "../../../../test/kit/shop.ts";
import { eventBodies } from "../../../contract/events.ts";
import { now, secondsAfter, unixSeconds } from "../../platform/clock.ts";
import { addStock } from "../../inventory/inventory.ts";
import { usd } from "../../platform/money.ts";

let shop: TestShop;
const domain = "meadow.test";
let domainId = 0;

beforeAll(async () => {
  shop = await startShop();
  const [row] = await shop.db<{ id: number }[]>`
    insert into mail_domain (name, price) values (${domain}, ${usd("0.5")}) returning id`;
  domainId = row?.id ?? 0;
  await shop.db`select pg_notify('catalog', '')`;
});
afterAll(() => shop.stop());

type Told = { id: string; site: string; state: string; refused?: string; activation_id?: string };

const add = (token: string, more: Record<string, string> = {}) =>
  shop.post("/email/backorders/add", { token, site: "instagram.com", domain, max_price: "0.5", ...more });
const list = async (token: string) => (await shop.get("/email/backorders", { token }))["data"] as Told[];
const remove = (token: string, id: string) => shop.post("/email/backorders/remove", { token, id });

async function limitedTo(account: string, limits: Record<string, string>): Promise<string> {
  return String(
    (await shop.post("/user/tokens/add", { token: account, name: "program", ...limits }))["token"],
  );
}

test("an order that waits is added, listed and removed, and placed once there is stock", async () => {
  const token = await shop.buyer("2");
  const stream = await listenTo(shop.url, { token });
  onTestFinished(() => stream.close());
  const until = unixSeconds(secondsAfter(now(), 3600));
  const { data } = await add(token, { until: String(until), client_order_id: "wish-1" });
  expect(data).toMatchObject({
    site: "instagram.com",
    domains: [domain],
    max_price: "0.5",
    state: "waiting",
    until,
  });
  expect((await add(token, { client_order_id: "wish-1" }))["data"]).toEqual(data);
  const { id } = (await add(token, { site: "x.com" }))["data"] as Told;
  expect(await list(token)).toMatchObject([{ site: "x.com" }, data]);
  expect(await remove(token, id)).toMatchObject({ status: "success" });
  expect(await remove(token, (data as Told).id)).toMatchObject({ status: "success" });
  expect(await remove(token, "1")).toMatchObject({ value: "no backorder" });

  const wish = (await add(token))["data"] as Told;
  await addStock(shop.db, domainId, 1);
  const told = eventBodies.backorder.parse((await stream.hear("backorder")).data);
  expect(told).toMatchObject({ backorder_id: wish.id, from: "instagram.com", state: "placed" });
  expect(await shop.get("/user/activations", { token })).toMatchObject({
    data: [{ activation_id: told.activation_id, email: told.email, price: 0.5 }],
  });
  const [newest] = (await list(token)).filter((one) => one.id === wish.id);
  expect(newest).toMatchObject({ state: "placed", activation_id: told.activation_id });
  expect(await remove(token, wish.id)).toMatchObject({ value: "no backorder" });
});

test("what cannot be ordered cannot wait either", async () => {
  const token = await shop.buyer("2");
  const days = (count: number) => String(unixSeconds(secondsAfter(now(), count * 86_400)));
  const wrong: [Record<string, string>, string][] = [
    [{ until: days(8) }, "until"],
    [{ until: days(-1) }, "until"],
    [{ max_price: "" }, "max_price"],
    [{ site: "no site" }, "site"],
    [{ domain: "unknown.test" }, "domain"],
    [{ regex: "(" }, "regex"],
  ];
  for (const [more, value] of wrong) expect(await add(token, more)).toMatchObject({ status: "error", value });
  // A site that nobody ordered for gets its row only from who can pay.
  const poor = await shop.member();
  expect(await add(poor, { site: "nobody-asked-before.com" })).toMatchObject({ value: "no balance" });
  for (let count = 0; count < 10; count++)
    expect(await add(token, { site: "reddit.com" })).toMatchObject({ status: "success" });
  expect(await add(token)).toMatchObject({ value: "too many" });
});

test("a limited token waits for its sites alone, and what it adds is placed within its limits", async () => {
  const account = await shop.buyer("5");
  const limited = await limitedTo(account, { sites: "instagram.com", price_max: "0.2" });
  const other = (await add(account, { site: "facebook.com" }))["data"] as Told;
  const mine = (await add(limited))["data"] as Told;
  expect(await add(limited, { site: "facebook.com" })).toMatchObject({
    value: "token limit",
    exceeded: "sites",
  });
  expect((await list(limited)).map(({ id }) => id)).toEqual([mine.id]);
  expect(await remove(limited, other.id)).toMatchObject({ value: "token limit", exceeded: "sites" });
  await remove(account, other.id);
  const stream = await listenTo(shop.url, { token: account });
  onTestFinished(() => stream.close());
  await addStock(shop.db, domainId, 1);
  expect((await stream.hear("backorder")).data).toMatchObject({ state: "waiting", refused: "token limit" });
  expect(await list(limited)).toMatchObject([{ state: "waiting", refused: "token limit" }]);
  expect(await shop.get("/user/balance", { token: account })).toMatchObject({ balance: "5.0" });
});

test("on a sandbox site it is placed for nothing, as programs may try it", async () => {
  const token = await shop.buyer("1");
  const stream = await listenTo(shop.url, { token });
  onTestFinished(() => stream.close());
  await add(token, { site: "sandbox-ok", domain: "all" });
  expect((await stream.hear("backorder")).data).toMatchObject({ state: "placed", from: "sandbox-ok" });
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "1.0" });
});
