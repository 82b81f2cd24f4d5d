import { afterAll, beforeAll, expect, test } from "vitest";
import { startShop, type TestShop } from "../../../../test/kit/shop.ts";
import { skipsMax } from "../../../contract/limits.ts";
import { now } from "../../platform/clock.ts";
import { forgetSkips } from "../orders.ts";

let shop: TestShop;

const site = "instagram.com";
const both = "letters.test,inbox.test";
const day = 24 * 60 * 60;

beforeAll(async () => {
  shop = await startShop();
  // The sites have rows from their first order on.
  const token = await shop.buyer("1");
  for (const each of [site, "discord.com"]) await shop.order(token, { site: each });
});
afterAll(() => shop.stop());

const order = (token: string, more: Record<string, string | number> = {}) =>
  shop.get("/email/order", { token, site, domain: both, ...more });
const add = (token: string, more: object = {}) =>
  shop.post("/email/skips/add", { token, site, domain: "letters.test", ...more });
const listed = async (token: string) =>
  (await shop.get("/email/skips", { token }))["data"] as {
    site: string;
    domain: string;
    expires_at: number;
  }[];

test("orders that name several mail domains pass over a skipped one for its site, for a week or until it is removed", async () => {
  const [token, other] = [await shop.buyer("1"), await shop.buyer("1")];
  expect(await order(token)).toMatchObject({ domain: "letters.test" });
  const { expires_at: end, ...added } = await add(token, { site: "Instagram", domain: "LETTERS.test" });
  expect(added).toMatchObject({ status: "success", site, domain: "letters.test" });
  expect(Math.abs(Number(end) - now().getTime() / 1000 - 7 * day)).toBeLessThan(60);
  expect(await listed(token)).toEqual([{ site, domain: "letters.test", expires_at: end }]);
  expect(await order(token)).toMatchObject({ domain: "inbox.test" });
  const several = await order(token, { domain: "all", quantity: 2 });
  for (const { domain } of several["data"] as { domain: string }[]) expect(domain).not.toBe("letters.test");
  // Named alone it is meant; other sites and accounts are not concerned.
  expect(await order(token, { domain: "letters.test" })).toMatchObject({ domain: "letters.test" });
  expect(await order(token, { site: "discord.com" })).toMatchObject({ domain: "letters.test" });
  expect(await order(other)).toMatchObject({ domain: "letters.test" });
  expect(await listed(other)).toEqual([]);

  await shop.post("/email/skips/remove", { token, site, domain: "letters.test" });
  expect(await order(token)).toMatchObject({ domain: "letters.test" });
  await add(token);
  await shop.db`update skipped_domain set expires_at = now() where domain_id = (select id from mail_domain where name = 'letters.test')`;
  expect(await listed(token)).toEqual([]);
  expect(await order(token)).toMatchObject({ domain: "letters.test" });
});

test("where all named mail domains are skipped nothing is ordered, and the refusal says which, and what else there is", async () => {
  const token = await shop.buyer("1");
  for (const domain of both.split(",")) await add(token, { domain });
  const refused = await order(token);
  expect(refused).toMatchObject({ status: "error", value: "no emails", skipped: both.split(",") });
  const offered = (refused["alternatives"] as { domain: string }[]).map(({ domain }) => domain);
  expect(offered.length).toBeGreaterThan(0);
  expect(offered).not.toEqual(expect.arrayContaining(["letters.test"]));
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "1.0" });
});

test("an order is answered again under its key, whatever was skipped since", async () => {
  const token = await shop.buyer("1");
  const asked = { client_order_id: "once" };
  const { id } = await order(token, asked);
  for (const domain of both.split(",")) {
    await add(token, { domain });
    expect(await order(token, asked)).toMatchObject({ status: "success", id });
  }
});

test("a token for some sites skips for these and sees no others", async () => {
  const token = await shop.buyer("1");
  const made = await shop.post("/user/tokens/add", { token, name: "program", sites: site });
  const limited = String(made["token"]);
  await add(token, { site: "discord.com" });
  for (const path of ["add", "remove"])
    expect(
      await shop.post(`/email/skips/${path}`, {
        token: limited,
        site: "discord.com",
        domain: "letters.test",
      }),
    ).toMatchObject({ value: "token limit", exceeded: "sites" });
  expect(await add(limited)).toMatchObject({ status: "success" });
  expect((await listed(limited)).map((each) => each.site)).toEqual([site]);
  expect((await listed(token)).map((each) => each.site).toSorted()).toEqual(["discord.com", site]);
});

test("an account skips so many and no more; what is over is not counted, and is dropped", async () => {
  const token = await shop.buyer("1");
  await add(token);
  const [row] = await shop.db<{ userId: bigint }[]>`
    select user_id as "userId" from skipped_domain order by expires_at desc limit 1`;
  const userId = row?.userId ?? 0n;
  await shop.db`
    with made as (
      insert into mail_domain (name, price) select 'skip' || n || '.test', 1 from generate_series(1, ${skipsMax - 1}) n returning id)
    insert into skipped_domain (user_id, site_id, domain_id, expires_at)
    select ${userId}, s.id, made.id, now() + interval '1 day' from made, site s where s.name = ${site}`;
  expect(await add(token, { domain: "inbox.test" })).toMatchObject({ value: "too many" });
  // Once more is no other one.
  expect(await add(token)).toMatchObject({ status: "success" });
  await shop.db`
    update skipped_domain set expires_at = now()
    where user_id = ${userId} and expires_at < now() + interval '2 days'`;
  expect(await add(token, { domain: "inbox.test" })).toMatchObject({ status: "success" });
  await forgetSkips(shop.db, now());
  expect(await shop.db`select from skipped_domain where user_id = ${userId}`).toHaveLength(2);
});

test("what cannot be skipped is refused", async () => {
  const token = await shop.buyer("1");
  for (const [more, value] of [
    [{ site: "nobody-ordered-for-it.com" }, "site"],
    [{ site: "not a site" }, "site"],
    [{ domain: both }, "domain"],
    [{ domain: "nowhere.test" }, "domain"],
  ] as const)
    expect(await add(token, more)).toMatchObject({ status: "error", value });
  expect(await listed(token)).toEqual([]);
});
