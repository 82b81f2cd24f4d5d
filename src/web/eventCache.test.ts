import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ShopEvent } from "../contract/events.ts";
import { EventCache } from "./eventCache.ts";

const row = {
  activation_id: "40000000001",
  from: "x.com",
  email: "a@letters.test",
  status: 0 as const,
  message: "",
  price: 0.0035,
  created_at: 1,
  expires_at: 2,
};
const other = { ...row, activation_id: "40000000002" };
const letter: ShopEvent = {
  name: "letter",
  data: {
    activation_id: row.activation_id,
    letter_id: "7",
    from: row.from,
    email: row.email,
    sender: "no-reply@x.com",
    subject: "482910",
    received_at: 3,
    code: "482910",
  },
};

let client: QueryClient;
let cache: EventCache;

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  cache = new EventCache(client);
});
afterEach(() => {
  cache.close();
  vi.useRealTimers();
});

test("a letter is in its row at once, with its code, and the list is as old as it was", () => {
  client.setQueryData(["activations", 1], { data: [other, row], pages: 1 }, { updatedAt: 1000 });
  cache.apply(letter);
  expect(client.getQueryData(["activations", 1])).toEqual({
    data: [other, { ...row, status: 1, code: "482910" }],
    pages: 1,
  });
  expect(client.getQueryState(["activations", 1])?.dataUpdatedAt).toBe(1000);
});

test("an order that expired leaves the list", () => {
  client.setQueryData(["activations", 1], { data: [other, row], pages: 1 });
  cache.apply({ name: "activation", data: { ...row, status: -1 } });
  expect(client.getQueryData(["activations", 1])).toEqual({ data: [other], pages: 1 });
});

test("the balance is shown as the event says it", () => {
  cache.apply({ name: "balance", data: { balance: "3.25" } });
  expect(client.getQueryData(["balance"])).toBe("3.25");
});

test("an older balance that comes after the event does not replace it", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = client.fetchQuery({ queryKey: ["balance"], queryFn: () => promise });
  read.catch(() => undefined);
  cache.apply({ name: "balance", data: { balance: "3.25" } });
  resolve("4.00");
  await vi.advanceTimersByTimeAsync(0);
  expect(client.getQueryData(["balance"])).toBe("3.25");
});

test("a thousand events of a moment make the lists be read once", async () => {
  const read = vi.spyOn(client, "invalidateQueries");
  for (let count = 0; count < 1000; count++) cache.apply(letter);
  await vi.advanceTimersByTimeAsync(500);
  const keys = read.mock.calls.map(([filters]) => filters?.queryKey?.[0]);
  expect(keys).toEqual(["activations", "history", "timeline", "letter"]);
});

test("a refund shows the balance at once, and the lists, which say how an order ended, are read again", async () => {
  const read = vi.spyOn(client, "invalidateQueries");
  const { activation_id, from, email } = row;
  const about = { activation_id, from, email, amount: "0.0035", reason: "not from site" as const };
  cache.apply({ name: "refund", data: { ...about, balance: "3.25" } });
  expect(client.getQueryData(["balance"])).toBe("3.25");
  await vi.advanceTimersByTimeAsync(500);
  const keys = read.mock.calls.map(([filters]) => filters?.queryKey?.[0]);
  expect(keys).toEqual(["activations", "history", "timeline"]);
});

test("a payment that moved is read anew: the event does not say how much has come", async () => {
  const read = vi.spyOn(client, "invalidateQueries");
  cache.apply({ name: "payment", data: { id: "9001", payment_status: 0 } });
  await vi.advanceTimersByTimeAsync(500);
  expect(read.mock.calls.map(([filters]) => filters?.queryKey)).toEqual([["payment"], ["payments"]]);
});

test("an event that this page does not know yet changes nothing", () => {
  cache.apply({ name: "news", data: {} } as unknown as ShopEvent);
  expect(client.getQueryCache().getAll()).toEqual([]);
});

test("money for an account that the bot has not confirmed is a reason to read it again", async () => {
  client.setQueryData(["account", 0], { telegramConfirmed: true });
  cache.apply({ name: "balance", data: { balance: "1.0" } });
  await vi.advanceTimersByTimeAsync(1000);
  expect(client.getQueryState(["account", 0])?.isInvalidated).toBe(false);
  client.setQueryData(["account", 0], { telegramConfirmed: false });
  cache.apply({ name: "balance", data: { balance: "1.1" } });
  await vi.advanceTimersByTimeAsync(1000);
  expect(client.getQueryState(["account", 0])?.isInvalidated).toBe(true);
});
