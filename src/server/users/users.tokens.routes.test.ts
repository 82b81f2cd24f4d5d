import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";
import { endpoints } from "../../contract/api.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { now, unixSeconds } from "../platform/clock.ts";

let shop: TestShop;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

test("made, shown once, listed with its limits, revoked", async () => {
  const token = await shop.member();
  const expiresAt = unixSeconds(now()) + 3600;
  const wanted = {
    name: " night shop ",
    sites: "instagram, X.com,twitter",
    price_max: "0.01",
    budget_day: "5",
  };
  const made = await shop.post("/user/tokens/add", { token, ...wanted, expires_at: expiresAt });
  const limits = {
    name: "night shop",
    sites: ["instagram.com", "x.com"],
    price_max: "0.01",
    budget_day: "5.0",
    spent_today: "0.0",
    expires_at: expiresAt,
  };
  expect(made).toMatchObject({
    status: "success",
    token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    data: limits,
  });
  await shop.post("/user/tokens/add", { token, name: "free" });
  const listed = await shop.get("/user/tokens", { token });
  expect(listed["data"]).toEqual([
    { id: expect.any(String), name: "free", spent_today: "0.0", created_at: expect.any(Number) },
    made["data"],
  ]);
  expect(JSON.stringify(listed)).not.toContain(made["token"]);
  const { id } = made["data"] as { id: string };
  expect(await shop.post("/user/tokens/remove", { token, id })).toEqual({ status: "success" });
  expect(await shop.get("/user/balance", { token: String(made["token"]) })).toMatchObject({ value: "token" });
  expect(await shop.post("/user/tokens/remove", { token, id })).toMatchObject({ value: "no token" });
});

test("what is no limit is refused by name, and nothing is made", async () => {
  const token = await shop.member();
  const sites = async () =>
    (await shop.db<{ name: string }[]>`select name from site order by 1`).map(({ name }) => name);
  const before = await sites();
  const wrong: [string, Record<string, string>][] = [
    ["expires_at", { expires_at: String(unixSeconds(now())) }],
    // An empty list would be a token for everything.
    ["sites", { sites: "," }],
    ["sites", { sites: "new-one.com,not a site" }],
    ["sites", { sites: Array.from({ length: 101 }, (_, index) => `s${index}.com`).join(",") }],
    ["price_max", { price_max: "0" }],
    ["price_max", { price_max: "0.000000001" }],
    ["budget_day", { budget_day: "-5" }],
    ["name", { name: "  " }],
    ["name", { name: "a\0b" }],
    ["name", { name: "x".repeat(61) }],
  ];
  for (const [value, limits] of wrong) {
    const answer = await shop.post("/user/tokens/add", { token, name: "checker", ...limits });
    expect([limits, answer]).toMatchObject([limits, { status: "error", value }]);
  }
  expect(await shop.get("/user/tokens", { token })).toMatchObject({ data: [] });
  expect(await sites()).toEqual(before);
});

test("a limited token orders and reads, and can do nothing else, also one of an administrator", async () => {
  const admin = await shop.member("admin@example.com");
  const { token: limited } = await shop.post("/user/tokens/add", { token: admin, name: "checker" });
  const call = async (endpoint: Endpoint): Promise<Answer> => {
    const path = endpoint.path.replace(/\{(\w+)\}/g, "1");
    // A call with a file as its body takes the token in a header.
    if (endpoint.method === "PUT" || endpoint.file) {
      const headers = { authorization: `Bearer ${String(limited)}` };
      const { method } = endpoint;
      return (await fetch(shop.url + path, { method, headers })).json() as Promise<Answer>;
    }
    return endpoint.method === "POST"
      ? shop.post(path, { token: String(limited) })
      : shop.get(path, { token: String(limited), wait: 0 });
  };
  const guarded = Object.values(endpoints).filter((each: Endpoint) => each.access !== "anyone");
  const allowed = guarded.filter((each: Endpoint) => "limited" in each && each.carried !== "events");
  for (const each of guarded.filter((one: Endpoint) => !("limited" in one)))
    expect([each.path, (await call(each)).value]).toEqual([each.path, "token limit"]);
  for (const each of allowed)
    expect([each.path, (await call(each)).value]).not.toEqual([each.path, "token limit"]);
  expect(allowed.map(({ path }) => path)).toContain("/email/order");
  expect(await shop.get("/user/balance", { token: String(limited) })).toMatchObject({ balance: "0.0" });
});

test("an account names 300 new sites a day in limited tokens; what is refused leaves none, and known sites are no matter", async () => {
  const token = await shop.member();
  const count = async () =>
    (await shop.db<{ count: number }[]>`select count(*)::integer as count from site`)[0]?.count ?? 0;
  const before = await count();
  const named = async (round: number) => {
    const sites = Array.from({ length: 100 }, (_, nth) => `site${nth}-of-${round}.com`);
    const added = await shop.post("/user/tokens/add", { token, name: "many", sites: sites.join(",") });
    const { id } = (added["data"] ?? {}) as { id?: string };
    if (id !== undefined) await shop.post("/user/tokens/remove", { token, id });
    return added.value ?? added.status;
  };
  const heard: string[] = [];
  for (let round = 0; round < 5; round++) heard.push(await named(round));
  expect(heard).toEqual(["success", "success", "success", "limit", "limit"]);
  expect(await count()).toBe(before + 300);
  expect(await named(0)).toBe("success");
});
