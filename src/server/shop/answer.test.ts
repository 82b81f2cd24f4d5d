import { expect, test } from "vitest";
import { table } from "./answer.ts";

const shown = (reason: string) =>
  table(
    [{ reason, by: "user 7" }],
    [
      { title: "reason", of: ({ reason: text }) => text },
      { title: "by", of: ({ by }) => by },
    ],
    "none",
  );

test.each([
  ["a line that looks like another row", "paid\noperator"],
  ["a return that writes over the row", "paid\roperator"],
  ["a terminal's escape", "paid\u001b[2K\u001b[1Aoperator"],
  ["the same in one character", "paid\u009b2Koperator"],
  ["a mark that turns the direction", "paid\u202eoperator"],
  ["an isolate that never ends", "paid\u2067operator"],
  ["another kind of line", "paid\u2028operator"],
])("what somebody wrote is one cell of a table: %s", (_what, reason) => {
  const lines = shown(reason).split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^paid [ -~]*operator {2}user 7$/);
});

test("what is written from the right, or in any letters, is shown as it is", () => {
  expect(shown("دفعة \u200f(Ünïcode)\u200f 支付")).toContain("دفعة \u200f(Ünïcode)\u200f 支付");
});

test("a table may have more rows than a call may have arguments", () => {
  const rows = Array.from({ length: 600_000 }, (_row, place) => place);
  const text = table(rows, [{ title: "row", of: String }], "none");
  expect(text.split("\n")).toHaveLength(rows.length + 1);
});
