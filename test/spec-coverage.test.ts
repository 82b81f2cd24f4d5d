import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, root));
const read = (path: string) => readFileSync(at(path), "utf8");

interface Row {
  what: string;
  code: string[];
  tests: { path: string; titles: string[] }[];
}

function rowsOf(page: string): Row[] {
  const [now = ""] = page.split("## What comes with later parts");
  const rows = now.split("\n").filter((line) => line.startsWith("|") && !/^\|\s*(What is|-)/.test(line));
  return rows.map((line) => {
    const [what = "", code = "", tests = ""] = line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    return {
      what,
      code: [...code.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path),
      tests: tests.split(/;(?=\s*`)/).map((part) => ({
        path: /`([^`]+)`/.exec(part)?.[1] ?? "",
        titles: [...part.matchAll(/“([^”]+)”/g)].map(([, title = ""]) => title),
      })),
    };
  });
}

function titlesOf(path: string): string[] {
  const found = read(path).matchAll(/\b(?:test|loud)(?:\.(?:each|skipIf)\([^]*?\))*\(\s*(["'`])([^]*?)\1,/g);
  return [...found].map(([, , title = ""]) => title);
}

const rows = rowsOf(read("docs/spec-coverage.md"));

test("every statement of the specification has its file and its test", () => {
  expect(rows.length).toBeGreaterThan(150);
  const bare = rows.filter(
    ({ code, tests }) =>
      code.length === 0 || tests.some(({ path, titles }) => path === "" || titles.length === 0),
  );
  expect(bare.map(({ what }) => what)).toEqual([]);
  const twice = rows.filter(({ what }, index) => rows.findIndex((row) => row.what === what) !== index);
  expect(twice.map(({ what }) => what).filter((what) => what !== "Quantity from 1 to 10")).toEqual([]);
});

test("every file and every title that it names is there", () => {
  const titles = new Map<string, string[]>();
  const wrong = rows.flatMap(({ what, code, tests }) => [
    ...code.filter((path) => !existsSync(at(path))).map((path) => `${what}: no file ${path}`),
    ...tests.flatMap(({ path, titles: named }) => {
      if (!existsSync(at(path))) return [`${what}: no file ${path}`];
      const there = titles.get(path) ?? titlesOf(path);
      titles.set(path, there);
      return named
        .filter((title) => !there.some((whole) => whole.includes(title)))
        .map((title) => `${what}: no test “${title}” in ${path}`);
    }),
  ]);
  expect(wrong).toEqual([]);
});
