import { expect, test } from "vitest";
import {
  answerIn,
  receivedSince,
  expiredSince,
  type Item,
  itemsOf,
  mayAct,
  merge,
  toneOf,
  waitingIn,
  waitingOf,
  webLink,
} from "./activations.ts";

const wire = {
  activation_id: "40000000001",
  from: "instagram.com",
  email: "a.b@letters.test",
  status: 0 as const,
  message: "",
  attachments: [],
  price: 0.0035,
  created_at: 1,
  expires_at: 2,
};
const item = (change: Partial<Item>): Item => ({ ...itemsOf([wire])[0]!, ...change });
const none = new Set<string>();

test("the numbers of the server become states", () => {
  const rows = itemsOf([
    wire,
    { ...wire, status: 1 },
    { ...wire, status: -1 },
    { ...wire, status: 7 as never },
  ]);
  expect(rows.map((row) => row.state)).toEqual(["pending", "received", "canceled", "unknown"]);
});

test("a row with the word cancel is dropped", () => {
  expect(itemsOf([{ ...wire, status: "cancel" as never }])).toEqual([]);
});

test("an order on its way stands on top until the list knows it", () => {
  const onItsWay = item({ key: "local-1", id: undefined, state: "wait" });
  const accepted = item({ key: "2", id: "2", state: "processing", acceptedAt: 1000 });
  const listed = [item({ key: "1", id: "1" })];
  expect(merge([onItsWay, accepted], listed, 900, none).map((row) => row.key)).toEqual(["local-1", "2", "1"]);
  const now = [item({ key: "2", id: "2" }), ...listed];
  expect(merge([accepted], now, 1100, none).map((row) => row.state)).toEqual(["pending", "pending"]);
});

test("an accepted order that the list never shows does not haunt the page", () => {
  const accepted = item({ id: "2", state: "processing", acceptedAt: 1000 });
  expect(merge([accepted], [], 3999, none)).toHaveLength(1);
  expect(merge([accepted], [], 4000, none)).toEqual([]);
});

test("a row being canceled is out of sight at once", () => {
  expect(merge([], [item({ id: "1" }), item({ id: "2" })], 0, new Set(["1"])).map((row) => row.id)).toEqual([
    "2",
  ]);
});

test("a letter is green, a cancel red, all else blue", () => {
  expect((["received", "canceled", "pending", "wait", "unknown"] as const).map(toneOf)).toEqual([
    "good",
    "bad",
    "accent",
    "accent",
    "accent",
  ]);
});

test("what may be done follows the contract's table", () => {
  expect(mayAct("reorder", item({ state: "received" }))).toBe(true);
  expect(mayAct("reorder", item({ state: "pending" }))).toBe(false);
  expect(mayAct("cancel", item({ state: "processing" }))).toBe(true);
  expect(mayAct("cancel", item({ state: "wait", id: undefined }))).toBe(false);
});

test("only a row that waited is announced when its letter is there", () => {
  const now = [item({ id: "1", state: "received" }), item({ id: "2" }), item({ id: "3", state: "received" })];
  expect(receivedSince(new Set(["1", "2"]), now).map((row) => row.id)).toEqual(["1"]);
});

test("the buyer's own pattern goes before the code that was found", () => {
  expect(answerIn({ value: "ABC", code: "482910" })).toBe("ABC");
  expect(answerIn({ value: "", code: "482910" })).toBe("482910");
  expect(answerIn({})).toBeUndefined();
});

test("a letter cannot make its link run as a script", () => {
  expect(webLink("javascript:alert(1)")).toBeUndefined();
  expect(webLink("https://")).toBeUndefined();
  expect(webLink("https://instagram.com/confirm")).toBe("https://instagram.com/confirm");
});

test("what waited and is gone after its time has expired; what was canceled before has not", () => {
  const over = item({ id: "1", expiresAt: 100 });
  const canceled = item({ id: "2", expiresAt: 900 });
  const received = item({ id: "3", state: "received", expiresAt: 100 });
  const stays = item({ id: "4", expiresAt: 100 });
  expect(expiredSince([over, canceled, received, stays], [stays], 101)).toEqual([over]);
});

test("letters are waited for by the account, not by the page of the list that is shown", () => {
  const listed = itemsOf([wire, { ...wire, activation_id: "2", status: 1 }]);
  const list = { data: [wire], waiting: 12 };
  expect(waitingIn(list, { shown: listed, listed })).toBe(12);
  const shown = [item({ key: "local-1", id: undefined, state: "wait" }), ...listed];
  expect(waitingIn(list, { shown, listed })).toBe(13);
  expect(waitingIn(list, { shown: listed.slice(1), listed })).toBe(11);
  // A server without the count.
  expect(waitingOf({ data: [wire, { ...wire, status: 1 }] })).toBe(1);
  expect(waitingOf(undefined)).toBe(0);
});
