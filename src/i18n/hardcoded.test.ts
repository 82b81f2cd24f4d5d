import { readdirSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const web = new URL("../web/", import.meta.url);

/** Attributes that a visitor reads or hears. */
const spokenAttributes =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label|hint|caption|text)$/;

const languageless = [
  /^Postern( –)?$/,
  // Addresses and sites: single, listed or partial.
  /^(https:\/\/)?([\w-]+\.)+[a-z]{2,}(:\d+)?(\/\S*)?( ·)?(, ([\w-]+\.)+[a-z]{2,})*$/,
  /^https:\/\/$/,
  /^(API|CSV|Ctrl K|Esc|Go|HTTP|JavaScript|OpenAPI|Python|USD|VIP)$/,
  // Key names; and the command of the home page.
  /^curl -H "Authorization: Bearer \$TOKEN"/,
  /^\/email\/order\?/,
  /^\{\s*"/,
  /^-----BEGIN CERTIFICATE-----$/,
  /^\(\\d\{6\}\)$/,
];

type Node = { type: string; start: number } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** The words in an expression, in any of its branches. */
function wordsOf(value: unknown): string[] {
  if (!isNode(value)) return [];
  if (value.type === "Literal") return typeof value["value"] === "string" ? [value["value"]] : [];
  if (value.type === "TemplateLiteral") {
    const parts = value["quasis"] as { value: { cooked: string } }[];
    return parts.map((part) => part.value.cooked);
  }
  if (value.type === "ConditionalExpression")
    return [...wordsOf(value["consequent"]), ...wordsOf(value["alternate"])];
  if (value.type === "LogicalExpression") return [...wordsOf(value["left"]), ...wordsOf(value["right"])];
  if (value.type === "JSXExpressionContainer") return wordsOf(value["expression"]);
  return value.type === "JSXText" ? [String(value["value"])] : [];
}

/** The visible words of a node: text, a readable attribute, a toast. */
function visibleOf(node: Node): string[] {
  if (node.type === "JSXElement" || node.type === "JSXFragment")
    return (node["children"] as Node[]).flatMap(wordsOf);
  if (node.type === "JSXAttribute") {
    const { name } = node["name"] as { name: unknown };
    return typeof name === "string" && spokenAttributes.test(name) ? wordsOf(node["value"]) : [];
  }
  const isToast = node.type === "CallExpression" && (node["callee"] as { name?: string }).name === "toast";
  // The first argument of a toast is its tone.
  return isToast ? (node["arguments"] as Node[]).slice(1).flatMap(wordsOf) : [];
}

function everyNode(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(everyNode);
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap(everyNode)];
}

function hardcoded(path: string, source: string): string[] {
  return everyNode(parseSync(path, source).program)
    .flatMap(visibleOf)
    .map((words) => words.replace(/\s+/g, " ").trim())
    .filter((words) => /\p{L}/u.test(words) && !languageless.some((known) => known.test(words)))
    .map((words) => `${path}: ${words}`);
}

test("every word that a visitor reads or hears is a key of the catalogues", () => {
  const found = readdirSync(web, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.tsx$/.test(path))
    .flatMap((path) => hardcoded(path, readFileSync(new URL(path, web), "utf8")));
  expect(found).toEqual([]);
});

test("words in a component are found wherever they stand", () => {
  const source = `const A = () => <p title="Read me">Hello {ok ? "yes" : t("no")} <b aria-label={\`page \${n}\`} dir="ltr" /></p>; toast("good", "Done")`;
  expect(hardcoded("A.tsx", source)).toEqual([
    "A.tsx: Hello",
    "A.tsx: yes",
    "A.tsx: Read me",
    "A.tsx: page",
    "A.tsx: Done",
  ]);
});
