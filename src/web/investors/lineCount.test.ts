import { expect, test } from "vitest";
import { countFile, LineCount } from "./lineCount.ts";

const counted = (pieces: readonly string[]) => {
  const count = new LineCount();
  for (const piece of pieces) count.add(piece);
  return count.end();
};

test("lines, domains, duplicates and malformed lines are counted as the shop counts them", () => {
  const file = [
    "\uFEFFann@mail.test:one",
    "bob@mail.test:two:three",
    "",
    "ANN@Mail.test:another",
    "no password",
    "cat@other.test:x\r",
    "cat:x",
  ].join("\n");
  expect(counted([file])).toEqual({
    lines: 6,
    malformed: 2,
    malformedAt: [5, 7],
    duplicates: 1,
    usable: 3,
    domains: [
      { name: "mail.test", count: 2 },
      { name: "other.test", count: 1 },
    ],
    isOther: false,
  });
});

test("logins that differ behind a plus alone are one mailbox", () => {
  const file = [
    "ann+1@mail.test:x",
    "Ann@mail.test:x",
    "ann+2@mail.test:x",
    "ann+1@other.test:x",
    "+1@mail.test:x",
  ];
  expect(counted([[...file, "+2@mail.test:x"].join("\n")])).toMatchObject({ duplicates: 2, usable: 4 });
});

test.each([
  ["more columns behind the password", (n: number) => `box${n}@mail.test:pw${n}:recovery@mail.test:2024`],
  ["columns behind an address and a password", (n: number) => `box${n}@mail.test:pw${n}|recovery@mail.test`],
  ["semicolons", (n: number) => `box${n}@mail.test;pw${n}`],
  ["tabs", (n: number) => `box${n}@mail.test\tpw${n}`],
  ["bars", (n: number) => `box${n}@mail.test|pw${n}|2024`],
  ["commas", (n: number) => `box${n}@mail.test,pw${n}`],
])("a file with %s is known for what it is, and one with some odd passwords is not", (_, line) => {
  const right = Array.from({ length: 20 }, (__, n) => `good${n}@mail.test:p@ss;word|${n}`);
  const plain = Array.from({ length: 20 }, (__, n) => `good${n}@mail.test : secret${n}`);
  const odd = Array.from({ length: 20 }, (__, n) => line(n));
  expect(counted([odd.join("\n")]).isOther).toBe(true);
  expect(counted([[...odd, ...plain].join("\n")]).isOther).toBe(false);
  expect(counted([[...right.slice(0, 9), ...plain].join("\n")]).isOther).toBe(false);
});

test("where a file is cut into pieces changes nothing", () => {
  const file = "ann@mail.test:one\r\nbob@mail.test:two\r\nwrong\rcat@other.test:x\n\nann@mail.test:3";
  const whole = counted([file]);
  expect(whole).toMatchObject({ lines: 5, malformed: 1, malformedAt: [3], duplicates: 1, usable: 3 });
  for (let cut = 1; cut < file.length; cut++)
    expect(counted([file.slice(0, cut), file.slice(cut)]), `cut at ${cut}`).toEqual(whole);
  expect(counted(file.split(""))).toEqual(whole);
});

test("of many addresses none is taken for another, and each that comes again is found", () => {
  const lines = Array.from({ length: 200_000 }, (_, at) => `box${at}@mail.test:secret`);
  const once = counted([`${lines.join("\n")}\n`]);
  expect(once).toMatchObject({ lines: 200_000, duplicates: 0, usable: 200_000 });
  const twice = counted([`${lines.join("\n")}\n`, lines.join("\r\n")]);
  expect(twice).toMatchObject({ lines: 400_000, duplicates: 200_000, usable: 200_000 });
});

test("a file is read in pieces, and what is no text is malformed and not guessed", async () => {
  const line = new TextEncoder().encode("ann@mail.test:пароль\n");
  const latin = new Uint8Array([0x62, 0x40, 0x6d, 0x2e, 0x74, 0x65, 0x3a, 0xe9, 0x0a]);
  const done: number[] = [];
  const many = new Blob([...Array.from({ length: 250_000 }, () => line), latin]);
  expect(many.size).toBeGreaterThan(4 * 1024 * 1024);
  expect(await countFile(many, (part) => done.push(part))).toMatchObject({
    lines: 250_001,
    duplicates: 249_999,
    malformed: 1,
    malformedAt: [250_001],
    usable: 1,
  });
  expect(done).toHaveLength(2);
  expect(done.at(-1)).toBe(1);
});

test.each(["utf-8", "utf-16le", "utf-16be", "utf-16le without a mark", "utf-16be without a mark"])(
  "a file in %s is counted as what it is",
  async (name) => {
    const file = `${name.includes("without") ? "" : "\ufeff"}ann@mail.test:пароль\r\n bob@mail.test : two \r\nwrong\r\n`;
    const codes = Array.from(file, (sign) => sign.charCodeAt(0));
    const wide = codes.flatMap((code) =>
      name.includes("le") ? [code & 255, code >> 8] : [code >> 8, code & 255],
    );
    const bytes = name === "utf-8" ? new TextEncoder().encode(file) : Uint8Array.from(wide);
    expect(await countFile(new Blob([bytes]), () => undefined)).toMatchObject({
      lines: 3,
      malformed: 1,
      malformedAt: [3],
      usable: 2,
    });
  },
);
