import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();

/** How each recipe's example is written in the code, beside its name in the recipe. A text that is searched begins with the file's path. */
const examples: Record<string, { example: string; written: RegExp }> = {
  "A field of a letter": {
    example: "link",
    // Its neighbour tells it from every other link.
    written:
      /\bcode\b(?::[^,;\n]*)?[,;]\s*(?:readonly )?link(?=[:,]| })|webLink\(\w+\.link\)|\blink\s+text,?$/m,
  },
  "A currency": {
    example: "usdtton",
    written: /\busdtton\b|CHAIN_TON_USDT|^\s*(?:"USDT",$|(?:USDT|usdt): ")/m,
  },
  "A language": {
    example: "hi",
    written:
      /^\s*"?hi"?: |"hi"[,\]]|said\("hi"\)|\blang\(hi\)|\[lang=hi\]|"names-hi"|हिन्दी|(?:^|\/)hi\.(?:json|png)\b|^i18n\/docs\/hi\//m,
  },
  "A job": { example: "countHours", written: /\bcountHours\b|"count hours"|"office\.job\.countHours"/ },
  "A mail that we send": { example: "token-added", written: /\btoken-added\b/ },
  "A setting": { example: "LETTER_KEEP_DAYS", written: /\b(?:LETTER_KEEP_DAYS|letterKeepDays)\b/ },
  "A setting that pages read": { example: "SUPPORT_URL", written: /\b(?:SUPPORT_URL|supportUrl)\b/ },
  "A refusal": { example: "already complained", written: /already complained|alreadyComplained/ },
  "An endpoint": { example: "releaseLetter", written: /\breleaseLetter\b/ },
  "An event": {
    example: "refund",
    // A transfer and a decision of the operator have the same name.
    written:
      /^\s*refund: (?:\(|\{$|z\.|\[)|"balance",\s+"refund"|p_name => 'refund'|"webhook\.event\.refund"|`refund`/m,
  },
  "A page of the back office": {
    example: "complaints",
    written:
      /"complaints"|"office\.section\.complaints"|\bcomplaints: (?:\{$|held\.|z\.int\(\),$)|'review'\)::integer as complaints/m,
  },
  "An act of the back office": {
    example: "clearBatches",
    written: /\bclearBatches\b|"office\.seen\.|\bbatches seen\b/,
  },
  "A queue's task": {
    example: "sandbox",
    written:
      /queue: "sandbox"|select 'sandbox', s\.kind|"bot", "sandbox", "webhooks"|sandbox\.sendDue|"office\.choice\.sandbox"/,
  },
  "A rule of a chain": { example: "$100", written: /\{ from: usd\("100"\), blocks: 6|\bsix from \$100/ },
};

/** All that a recipe may have to name. Applied migrations are never edited; tests are named apart. */
const searched = files("{src,scripts,i18n,public,db/functions}/**/*.*")
  .concat(files("{*.*,.env.example,docs/*.md}"))
  .filter((path) => !/\.test\.tsx?$|^package-lock\.json$|^docs\/(?:recipes|spec-coverage)\.md$/.test(path));
const searchedTexts = new Map(searched.map((path) => [path, textOf(path)]));

/** The path and the text of a file; of code without its comments, and of a picture none. */
function textOf(path: string): string {
  if (!/\.(?:[cm]?[jt]sx?|css|sql|json|md|html|ya?ml|example)$/.test(path)) return path;
  const text = read(path);
  const isCode = /\.(?:[cm]?[jt]sx?|css|sql)$/.test(path);
  return `${path}\n${isCode ? text.replaceAll(/\/\*[^]*?\*\/|^\s*(?:\/\/|--).*$/gm, "") : text}`;
}

interface Recipe {
  readonly title: string;
  readonly example: string | undefined;
  /** Paths, some with a star, of the files to change. */
  readonly named: readonly string[];
  readonly tests: readonly string[];
  /** How many are needed always. */
  readonly steps: number;
}

const pathsIn = (text: string) =>
  [...text.matchAll(/`([\w.*-]+\/[\w./*{},-]+\.\w+|\.env\.example)`/g)].map(([, path = ""]) => path);

const recipes: Recipe[] = read("docs/recipes.md")
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [change = "", tests = ""] = section.split(/^Tests: /m);
    return {
      title: section.slice(0, section.indexOf("\n")),
      example: /^Follow `([^`]+)`/m.exec(section)?.[1],
      named: pathsIn(change),
      tests: pathsIn(tests),
      steps: [...change.matchAll(/^\d+\. /gm)].length,
    };
  });

test("docs/recipes.md has a recipe for each example that is searched here", () => {
  const told = recipes.map(({ title, example }) => [title, example]);
  expect(told).toEqual(Object.entries(examples).map(([title, { example }]) => [title, example]));
});

test.each(recipes)("the recipe for $title names every file that mentions its example", ({ title, named }) => {
  const written = examples[title]?.written ?? /$^/;
  const covered = new Set(named.flatMap(files));
  const mentioning = searched.filter((path) => written.test(searchedTexts.get(path) ?? ""));
  expect(mentioning.filter((path) => !covered.has(path))).toEqual([]);
});

test.each(recipes)("each file that the recipe for $title names mentions its example", ({ title, named }) => {
  const written = examples[title]?.written ?? /$^/;
  const silent = named.flatMap((pattern) => {
    const found = files(pattern);
    const other = found.filter((path) => !written.test(textOf(path)));
    // A new migration follows the one that brought the example.
    const isFollowed = pattern.startsWith("db/migrations/") && other.length < found.length;
    if (found.length === 0) return [pattern];
    return isFollowed ? [] : other;
  });
  expect(named.length).toBeGreaterThan(0);
  expect(silent).toEqual([]);
});

test("each test that a recipe names exists", () => {
  const missing = recipes.flatMap(({ title, tests }) =>
    tests.length === 0 ? [title] : tests.filter((path) => !existsSync(join(root, path))),
  );
  expect(missing).toEqual([]);
});

test("no recipe has more than eight steps", () => {
  expect(recipes.filter(({ steps }) => steps === 0 || steps > 8).map(({ title }) => title)).toEqual([]);
});
