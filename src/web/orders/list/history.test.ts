import { expect, test } from "vitest";
import { byDay } from "../../format.ts";
import { entriesOf, isGroups } from "./history.ts";

const letter = (received_at: number) => ({
  letter_id: String(received_at),
  sender: "no-reply@x.com",
  subject: "Your code",
  received_at,
  attachments: [],
});
const order = {
  id: "40000000001",
  from: "x.com",
  email: "a.b@letters.test",
  status: "ok" as const,
  messages: ["<p>2</p>", "<p>1</p>"],
  letters: [letter(200), letter(100)],
  price: 0.0035,
  created_at: 50,
  received_at: 200,
};
const waiting = {
  ...order,
  id: "40000000002",
  status: "wait" as const,
  messages: [],
  letters: [],
  created_at: 150,
  received_at: 0,
};

test("every letter is an entry of its own, an order without one is an empty entry, newest first", () => {
  const entries = entriesOf({ "2026-11-21": [waiting, order] });
  expect(entries.map(({ key, message, receivedAt }) => ({ key, message, receivedAt }))).toEqual([
    { key: "40000000001-0", message: "<p>2</p>", receivedAt: 200 },
    { key: "40000000002-0", message: "", receivedAt: 150 },
    { key: "40000000001-1", message: "<p>1</p>", receivedAt: 100 },
  ]);
});

test("a history in another shape is recognised", () => {
  expect(isGroups({ "2026-11-21": [order] })).toBe(true);
  expect([isGroups([order]), isGroups("html"), isGroups(null), isGroups({ day: order })]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test.each([
  ["ok", "received"],
  ["wait", "pending"],
  ["cancel", "canceled"],
  ["else", "unknown"],
])("the word %s means %s", (status, state) => {
  expect(entriesOf({ day: [{ ...order, status: status as "ok" }] })[0]?.state).toBe(state);
});

test("entries stand under their days", () => {
  const days = byDay(
    entriesOf({ day: [order, waiting] }),
    ({ receivedAt }) => receivedAt,
    (seconds) => (seconds < 120 ? "early" : "late"),
  );
  expect(days.map(([day, entries]) => [day, entries.length])).toEqual([
    ["late", 2],
    ["early", 1],
  ]);
});
