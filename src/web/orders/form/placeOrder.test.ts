import { expect, test, vi } from "vitest";
import { newKey } from "../../../client/key.ts";
import { stored } from "../../stored.ts";
import { keysFor, placeOrder, placeReorder } from "./placeOrder.ts";

const ask = { site: "x.com", domain: "letters.test", subject: "", regex: "", price: 0.0035 };

let token = "t0ken";

function answering(...answers: (() => Response)[]) {
  const bodies: URLSearchParams[] = [];
  vi.stubGlobal("localStorage", { getItem: () => token });
  stored.authToken.follow();
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    bodies.push(init.body as URLSearchParams);
    return (answers.shift() ?? Response.error)();
  });
  return bodies;
}

const lost = (): Response => {
  throw new TypeError("network");
};
const done = () => Response.json({ status: "success", id: "40000000001", email: "a@letters.test" });
const refused = () => Response.json({ status: "error", value: "no emails" });

test("an order whose answer was lost is asked again under the same key", async () => {
  const bodies = answering(lost, done);
  expect(await placeOrder(ask, "k1")).toMatchObject({ ok: true });
  expect(bodies.map((body) => body.get("client_order_id"))).toEqual(["k1", "k1"]);
});

test("the price that the page shows is the highest that is paid", async () => {
  const bodies = answering(done, done, done);
  await placeOrder(ask, "k5");
  await placeReorder({ id: "40000000001", subject: "", regex: "", price: 0.008 }, "k6");
  await placeOrder({ ...ask, price: 0 }, "k7");
  expect(bodies.map((body) => body.get("max_price"))).toEqual(["0.00350000", "0.00800000", null]);
  expect(bodies.some((body) => body.has("price"))).toBe(false);
});

test("an order is given up after three tries without an answer", async () => {
  const bodies = answering(lost, lost, lost, done);
  expect(await placeOrder(ask, "k2")).toMatchObject({ ok: false, value: "connection" });
  expect(bodies).toHaveLength(3);
});

test("the press after a lost answer asks under the keys of the orders that may have gone through", () => {
  const before = [
    { ok: false, value: "connection", more: {}, key: "k1" },
    { ok: false, value: "no emails", more: {}, key: "k2" },
    { ok: false, value: "connection", more: {}, key: "k3" },
  ] as const;
  expect(keysFor(3, before)).toEqual(["k1", "k3", expect.stringMatching(/^(?!k\d$)./)]);
  expect(keysFor(1, before)).toEqual(["k1"]);
  expect(new Set(keysFor(2, [])).size).toBe(2);
});

test("an order whose answer was lost is not asked again once another tab has signed in another account", async () => {
  const bodies = answering(() => {
    token = "another";
    return lost();
  }, done);
  expect(await placeOrder(ask, "k4")).toMatchObject({ ok: false, value: "connection" });
  expect(bodies).toHaveLength(1);
});

test("a refusal is not asked again", async () => {
  const bodies = answering(refused, done);
  expect(await placeOrder(ask, "k3")).toMatchObject({ ok: false, value: "no emails" });
  expect(bodies).toHaveLength(1);
});

test("each order has a key of its own", () => {
  expect(newKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(newKey()).not.toBe(newKey());
});
