import { expect, test } from "vitest";
import { byDay } from "../format.ts";
import { isIncoming, type StatementLine } from "./statement.ts";

const line = (id: string, at: number, amount: string): StatementLine => ({
  id,
  at,
  kind: "hold",
  amount,
  balance: "1.0",
});

test("lines stand under their day in the order in which they came", () => {
  const lines = [line("4", 30, "-1.0"), line("3", 29, "1.0"), line("2", 12, "-1.0")];
  const days = byDay(
    lines,
    ({ at }) => at,
    (at) => String(Math.floor(at / 10)),
  );
  expect(days.map(([day, ofDay]) => [day, ofDay.map(({ id }) => id)])).toEqual([
    ["3", ["4"]],
    ["2", ["3"]],
    ["1", ["2"]],
  ]);
});

test("what left the account begins with a minus", () => {
  expect([isIncoming(line("1", 0, "-0.0035")), isIncoming(line("1", 0, "0.0035"))]).toEqual([false, true]);
});
