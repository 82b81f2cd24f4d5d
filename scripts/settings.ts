// npm run settings: writes .env.example, and the tables of docs/operations.md, from the table of settings and from the acts of the back office.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Act } from "../src/contract/office/act.ts";
import { acts } from "../src/contract/office/acts.ts";
import { fileSettingOf, type Setting, settings } from "../src/server/platform/config/config.ts";

const root = new URL("../", import.meta.url);
const widthMax = 120;
const tablesOf = /(?<=<!-- npm run settings writes the tables -->\n).*?(?=<!-- end of the tables -->)/s;

const actsOf = /(?<=<!-- npm run settings writes the acts -->\n).*?(?=<!-- end of the acts -->)/s;

/** What the files must hold, by their paths. */
export function settingsFiles(): ReadonlyMap<string, string> {
  const operations = readFileSync(new URL("docs/operations.md", root), "utf8");
  return new Map([
    [".env.example", example()],
    [
      "docs/operations.md",
      operations.replace(tablesOf, () => `\n${tables()}\n`).replace(actsOf, () => `\n${actsTable()}\n`),
    ],
  ]);
}

function example(): string {
  const head =
    "Every setting with its default. Copy this file to .env and change what you need: npm start, npm run shop and docker compose read it; what the environment says wins. An empty value counts as unset. A wrong one stops the start. `npm run settings` writes this file.";
  const groups = [...settings].map(([group, list]) =>
    [
      `## ${group}`,
      ...bySentence(list).flatMap(([says, named]) => [
        ...comment([says, ...filesOf(named)].join(" ")),
        ...named.map(line),
      ]),
    ].join("\n"),
  );
  return `${[comment(head).join("\n"), ...groups].join("\n\n")}\n`;
}

/** What stands for the setting where it is not set: a value, or words. */
const valueOf = ({ usually, usual }: Setting) => usually || (/^[\w,]+$/.test(usual ?? "") ? usual : "") || "";

const line = (one: Setting) => `#${one.name}=${valueOf(one)}`;

/** A text in lines that are short enough, each a comment. */
function comment(text: string): string[] {
  const lines = ["#"];
  for (const word of text.split(" ")) {
    if (`${lines.at(-1)} ${word}`.length > widthMax) lines.push("#");
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines;
}

function tables(): string {
  return [...settings]
    .map(([group, list]) => {
      const rows = bySentence(list).map(([says, named]) => [
        named.map(({ name }) => `\`${name}\``).join(", "),
        named.map(defaultOf).find((text) => text !== "") ?? "",
        [says, ...marksOf(named), ...filesOf(named)].join(" ").replaceAll(/[<|]/g, "\\$&"),
      ]);
      return `**${group}**\n\n${markdownTable([["setting", "default", "what it does"], ...rows])}`;
    })
    .join("\n");
}

function defaultOf(one: Setting): string {
  const [value, words = "", unit] = [valueOf(one), one.usual, one.unit];
  if (value !== "") return [`\`${value}\``, unit].join(" ").trim();
  return [words, unit && `in ${unit}`].filter(Boolean).join(", ").replaceAll("<", "\\<");
}

/** "Secret: `ONE`." where that is not so of all. */
function marksOf(named: readonly Setting[]): string[] {
  const mark = (word: string, marked: readonly Setting[]) =>
    marked.length === named.length
      ? `${word}.`
      : `${word}: ${marked.map(({ name }) => `\`${name}\``).join(", ")}.`;
  const secret = named.filter((one) => one.secret);
  const read = named.filter((one) => one.pages);
  return [
    secret.length > 0 ? mark("Secret", secret) : "",
    read.length > 0 ? mark("Pages read it", read) : "",
  ].filter(Boolean);
}

/** By which settings they may come from files. */
function filesOf(named: readonly Setting[]): string[] {
  const files = named.flatMap((one) => fileSettingOf(one) ?? []);
  return files.length === 0 ? [] : [`Or the path of a file that holds it: ${files.join(", ")}.`];
}

/** The acts of the back office, by their commands. */
function actsTable(): string {
  const rows = Object.values(acts).flatMap((act: Act) =>
    Object.entries(act.commands).map(([line, { about, undo }]) => [
      `\`${line}\``,
      about,
      act.role,
      act.proof ? "yes" : "no",
      act.reason,
      undo === false ? "nothing" : `\`${undo}\``,
    ]),
  );
  return markdownTable([["command", "what it does", "whose work", "proof", "reason", "undone by"], ...rows]);
}

/** Settings of one sentence stand together. */
const bySentence = (list: readonly Setting[]) => [...Map.groupBy(list, ({ says }) => says)];

/** A table as the formatter leaves it. */
function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const written = (row: readonly string[], filler: string) =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width, filler)).join(" | ")} |\n`;
  const [head = [], ...body] = rows;
  return [written(head, " "), written([], "-"), ...body.map((row) => written(row, " "))].join("");
}

if (import.meta.main)
  for (const [path, text] of settingsFiles()) writeFileSync(fileURLToPath(new URL(path, root)), text);
