import { expect, test } from "vitest";
import { csv, guarded } from "./csv.ts";

/** The cells as a spreadsheet with this separator reads them: quotes count at the start of a cell. */
function cellsOf(file: string, parting: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at < file.length; at++) {
    let cell = "";
    if (file[at] === '"')
      for (at++; at < file.length && (file[at] !== '"' || file[++at] === '"'); at++) cell += file[at];
    for (; at < file.length && file[at] !== parting && !"\r\n".includes(file[at] ?? ""); at++)
      cell += file[at];
    cells.push(cell);
  }
  return cells;
}

const formula = /^\s*[=+\-@＝＋－＠]/u;

test.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "＝1+1",
  "\t=1+1",
  "\r=1+1",
  "hello;=1+1;",
  'hello;"=1+1";',
  "hello; =1+1;",
  'hello;=HYPERLINK("https://evil.test";"x");',
  'hello\n=1+1;"',
  "hello\t=1+1\t",
  ";;=1+1",
  ";+1;-1;@x",
])("no cell made of %j is a formula, wherever a spreadsheet parts cells", (text) => {
  const file = csv([["7", guarded(text), "8"]]);
  for (const parting of [",", ";", "\t"])
    expect(cellsOf(file, parting).filter((cell) => formula.test(cell))).toEqual([]);
});

test.each(["", "hello", "a=b", "1-2; 3", "a@b.test; c@d.test", "x; y", "-", "no, -1"])(
  "%j is left as it is, but for a sign at its beginning",
  (text) => {
    expect(guarded(text)).toBe(text === "-" ? "'-" : text);
  },
);
