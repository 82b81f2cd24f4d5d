import { beforeEach, expect, test, vi } from "vitest";
import type { ShopEvent } from "../../../contract/events.ts";
import { FirstLetters, markFresh } from "./newLetters.ts";

const letter = (id: string, code?: string): ShopEvent => ({
  name: "letter",
  data: {
    activation_id: id,
    letter_id: "7",
    from: "x.com",
    email: "a@letters.test",
    sender: "no-reply@x.com",
    subject: "Hello",
    received_at: 3,
    ...(code !== undefined && { code }),
  },
});
const activation = (id: string, status: -1 | 0 | 1): ShopEvent => ({
  name: "activation",
  data: {
    activation_id: id,
    from: "x.com",
    email: "a@letters.test",
    status,
    price: 0.0035,
    created_at: 1,
    expires_at: 2,
  },
});

beforeEach(() => vi.stubGlobal("localStorage", { getItem: () => "t0ken" }));

test("the first letter of any order of the account is told with its code, and no later one", () => {
  const first = new FirstLetters();
  const heard = [letter("1", "482910"), activation("1", 1), letter("1", "999999")].map((event) =>
    first.onEvent(event),
  );
  expect(heard).toMatchObject([
    undefined,
    { id: "1", site: "x.com", state: "received", code: "482910" },
    undefined,
  ]);
});

test("what was ordered, canceled or has expired is no letter", () => {
  const first = new FirstLetters();
  expect([0, -1].map((status) => first.onEvent(activation("1", status as 0 | -1)))).toEqual([
    undefined,
    undefined,
  ]);
  expect(first.onEvent({ name: "balance", data: { balance: "1.0" } })).toBeUndefined();
});

test("a letter whose own event was missed is told all the same", () => {
  expect(new FirstLetters().onEvent(activation("2", 1))).toMatchObject({ id: "2", code: undefined });
});

test("what the list has told of is not told again by its event, nor the other way round", () => {
  const item = new FirstLetters().onEvent(activation("3", 1));
  if (!item) throw new Error("nothing was heard");
  expect(markFresh([item])).toEqual([item]);
  expect(markFresh([item])).toEqual([]);
});
