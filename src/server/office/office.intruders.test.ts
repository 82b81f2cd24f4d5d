// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { lookAtShop } from "../../../test/kit/everything.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import { endpoints } from "../../contract/api.ts";
import type { Endpoint } from "../../contract/endpoint.ts";

// Every call of the back office, derived from the contract, is refused to all but administrators.

let shop: TestShop;
let everything: () => Promise<string[]>;
const intruders: Record<string, { token: string; value: string }> = {};

beforeAll(async () => {
  shop = await startShop();
  const admin = await shop.member("admin@example.com");
  const [ordinary, blocked, former] = [await shop.member(), await shop.member(), await shop.member()];
  const idOf = async (token: string) =>
    String(((await shop.get("/user/information", { token }))["data"] as { id: string }).id);
  const made = await shop.post("/user/tokens/add", { token: admin, name: "program" });
  for (const token of [blocked, former])
    await shop.post("/api/admin/users/grant", {
      token: admin,
      user: await idOf(token),
      role: "admin",
      granted: "1",
    });
  // Both were administrators before, and this process caches their tokens.
  for (const token of [blocked, former]) {
    const { status } = await shop.get("/api/admin/check", { token });
    if (status !== "success") throw new Error("an administrator was not made");
  }
  const ids = [await idOf(blocked), await idOf(former)];
  await shop.post("/api/admin/users/block", { token: admin, user: ids[0], blocked: "1", reason: "test" });
  await shop.post("/api/admin/users/grant", { token: admin, user: ids[1], role: "admin", granted: "0" });
  intruders["nobody"] = { token: "", value: "token" };
  intruders["an unknown token"] = { token: "A".repeat(32), value: "token" };
  intruders["an ordinary account"] = { token: ordinary, value: "no access" };
  intruders["a blocked administrator"] = { token: blocked, value: "token" };
  intruders["a former administrator"] = { token: former, value: "no access" };
  intruders["a limited token of an administrator"] = { token: String(made["token"]), value: "token limit" };
  everything = await lookAtShop(shop.db);
});
afterAll(() => shop.stop());

/** Nearly valid for every call: the refusal comes before validation. */
const asked: Record<string, string> = {
  id: "1",
  user: "1",
  partner: "1",
  buyer: "2",
  name: "intruder.example",
  domain: "letters.test",
  domains: "intruder.example",
  site: "instagram.com",
  price: "0.00000001",
  kind: "own",
  count: "5",
  imap: "localhost:143",
  tls: "none",
  blocked: "1",
  amount: "100",
  reason: "mine",
  key: "intruder",
  role: "admin",
  granted: "1",
  percent: "90",
  batch: "1",
  decision: "approve",
  verdict: "credit",
  way: "soft",
  coin: "ETH",
  table: "users",
};

const guarded: Endpoint[] = Object.values(endpoints).filter(({ access }: Endpoint) => access === "admin");

test("the back office has its calls", () => {
  expect(guarded.length).toBeGreaterThan(35);
});

test.each(guarded.map((endpoint) => [endpoint.name, endpoint] as const))(
  "%s lets no intruder do or see anything",
  async (_name, { path, method, file, ask }) => {
    const before = await everything();
    for (const [who, { token, value }] of Object.entries(intruders)) {
      const given = Object.keys(ask).map((name): [string, string] => [name, asked[name] ?? "1"]);
      const form = new URLSearchParams(given);
      const where = shop.url + path.replace(/\{(\w+)\}/g, (_hole, name: string) => asked[name] ?? "1");
      const type = file?.types[0];
      const response = await fetch(method === "GET" ? `${where}?${form}` : where, {
        method,
        headers: {
          ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
          ...(type === undefined ? {} : { "content-type": type }),
        },
        ...(method === "GET" ? {} : { body: type === undefined ? form : "0123" }),
      });
      expect([who, response.status, await response.json()]).toEqual([
        who,
        200,
        expect.objectContaining({ status: "error", value, error: value }),
      ]);
    }
    expect(await everything()).toEqual(before);
  },
);
