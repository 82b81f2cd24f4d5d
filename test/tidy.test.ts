import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { blindTests } from "./kit/looked-at-page.ts";

/**
 * The modules of the server, lowest first. A module uses platform and the public files of lower modules.
 * Files directly in src/server, and shop/ (the operator's command), are the wiring and use every public file.
 */
const rows = [
  ["platform"],
  ["events"],
  ["journal", "ledger", "mailer", "security"],
  ["users"],
  ["catalog", "news", "pages", "stories"],
  ["inventory", "mime", "partners"],
  ["codes"],
  ["letters"],
  ["orders", "reception"],
  ["imap"],
  ["investors", "payments"],
  ["questions", "webhooks", "withdrawals"],
  ["bot"],
  ["office", "owner", "setup"],
];
const wiring = ["shop"];
const linesMax = 400;
const filesMax = 30;

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();
const isTest = (path: string) => /\.test\.tsx?$/.test(path);

const sources = files("src/**/*.{ts,tsx}");
const server = sources.filter((path) => path.startsWith("src/server/") && !isTest(path));
const rowOf = (module: string) => rows.findIndex((row) => row.includes(module));

function moduleOf(path: string): string | undefined {
  const [, , folder, ...rest] = path.split("/");
  return folder === undefined || rest.length === 0 || wiring.includes(folder) ? undefined : folder;
}

function importsOf(path: string): string[] {
  const found = read(path).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, target = ""]) => normalize(join(dirname(path), target)));
}

function linesWith(paths: string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

test("every module of the server has its place in the list", () => {
  const folders = readdirSync(join(root, "src/server"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !wiring.includes(entry.name))
    .map((entry) => entry.name);
  expect(folders.filter((name) => rowOf(name) === -1)).toEqual([]);
});

test("CONTRIBUTING.md lists the modules as they stand here", () => {
  expect(read("CONTRIBUTING.md")).toContain(`\n${rows.map((row) => row.join(", ")).join(" · ")}\n`);
});

test("a module imports only from modules below it, and of them only the public file", () => {
  const wrong = server.flatMap((path) => {
    const mine = moduleOf(path);
    if (mine === undefined) return [];
    const others = importsOf(path).filter(
      (target) => target.startsWith("src/server/") && moduleOf(target) !== mine,
    );
    const bad = others.filter((target) => {
      const theirs = moduleOf(target);
      return theirs === undefined || rowOf(theirs) >= rowOf(mine) || !isPublic(target, theirs);
    });
    return bad.map((target) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

function isPublic(path: string, module: string): boolean {
  const name = path.slice(`src/server/${module}/`.length);
  return module === "platform" ? /^[\w/-]+\.ts$/.test(name) : name === `${module}.ts`;
}

test("a file of platform with a dot in its name is private to its folder", () => {
  const wrong = server.flatMap((path) =>
    importsOf(path)
      .filter((target) => moduleOf(target) === "platform" && !isPublic(target, "platform"))
      .filter((target) => dirname(target) !== dirname(path))
      .map((target) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("the pages, the contract and the translator import nothing of the server", () => {
  const others = sources.filter((path) => !path.startsWith("src/server/") && !isTest(path));
  const wrong = others.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith("src/server/"))
      .map((target) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("the client takes types and the tables of calls and parameters from the contract, each in one place, and else only its own files", () => {
  const own = sources.filter((path) => path.startsWith("src/client/") && !isTest(path));
  const outside = own.flatMap((path) =>
    importsOf(path)
      .filter((target) => !target.startsWith("src/client/"))
      .map((target) => `${path} imports ${target}`),
  );
  const allowed = /^src\/client\/(calls|wire|command\/mcp\/parameters)\.ts imports src\/contract\//;
  const wrong = outside.filter((found) => !allowed.test(found));
  expect(own.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
  expect(linesWith(["src/client/wire.ts"], /^(import|export) (?!type\b).*\bfrom\b/)).toEqual([]);
});

test("only the folder of the database imports its driver: all others open databases through it", () => {
  const all = [...sources, ...files("{test,bench,scripts}/**/*.{ts,mjs}")];
  const others = all.filter((path) => !path.startsWith("src/server/platform/db/"));
  expect(linesWith(others, /(from|import|require)\s*\(?\s*"pg"/)).toEqual([]);
});

test("the server imports nothing of the client", () => {
  const wrong = server.filter((path) => importsOf(path).some((target) => target.startsWith("src/client/")));
  expect(wrong).toEqual([]);
});

test("the parts in web/ui know no page of the shop", () => {
  const allowed = ["src/web/ui/", "src/web/styles/"];
  const wrong = files("src/web/ui/**/*.{ts,tsx}").flatMap((path) =>
    importsOf(path)
      .filter(
        (target) => /^src\/web\/[^/]+\//.test(target) && !allowed.some((folder) => target.startsWith(folder)),
      )
      .map((target) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("each program reads the environment in one place", () => {
  // The client's command is a program of its own, on a customer's machine.
  const readers = ["src/server/platform/config/config.ts", "src/client/command/main.ts"];
  const others = sources.filter((path) => !readers.includes(path) && !isTest(path));
  expect(linesWith(others, /process\.env\b/)).toEqual([]);
});

test("the server reads the clock in one place", () => {
  const others = server.filter((path) => path !== "src/server/platform/clock.ts");
  expect(linesWith(others, /\bnew Date\(\)|\bDate\.now\b/)).toEqual([]);
});

test("styles say start and end, so that Arabic works", () => {
  const sides = "(^|[^-\\w])(left|right)\\s*:|(margin|padding|border)-(left|right)|-(left|right)-radius";
  const physical = new RegExp(`${sides}|(text-align|float|clear)\\s*:\\s*(left|right)\\b`);
  expect(linesWith(files("src/web/**/*.css"), physical)).toEqual([]);
  expect(linesWith(files("src/web/**/*.tsx"), /\b(margin|padding|border)(Left|Right)\b/)).toEqual([]);
});

test("no file is longer than a reader can hold", () => {
  const own = [...sources, ...files("{test,bench}/**/*.ts"), ...files("scripts/*"), ...files("src/**/*.css")];
  const long = own.filter((path) => read(path).split("\n").length - 1 > linesMax);
  expect(long).toEqual([]);
});

test("no files import each other in a circle, not even types", () => {
  const own = sources.filter((path) => !isTest(path));
  const open = new Map(own.map((path) => [path, importsOf(path).filter((target) => own.includes(target))]));
  // A file that imports none of the rest, or that none of the rest imports, is in no circle.
  for (let size = -1; size !== open.size;) {
    size = open.size;
    for (const [path, targets] of open) {
      const isImported = [...open.values()].some((others) => others.includes(path));
      if (!isImported || !targets.some((target) => open.has(target))) open.delete(path);
    }
  }
  const circles = [...open].map(
    ([path, targets]) => `${path} imports ${targets.filter((target) => open.has(target)).join(", ")}`,
  );
  expect(circles).toEqual([]);
});

test("no folder is longer than a reader can overlook", () => {
  const own = files("src/**/*").filter((path) => /\.\w+$/.test(path) && !isTest(path));
  const long = [...Map.groupBy(own, (path) => dirname(path))]
    .filter(([, { length }]) => length > filesMax)
    .map(([folder, { length }]) => `${folder} has ${length} files`);
  expect(long).toEqual([]);
});

test("what is left to do has an issue", () => {
  const own = [...sources, ...files("{test,bench}/**/*.ts"), ...files("{scripts,db}/**/*.{mjs,ts,sql}")];
  const others = own.filter((path) => path !== "test/tidy.test.ts");
  expect(linesWith(others, /\b(TODO|FIXME|XXX)\b(?!.*#\d)/)).toEqual([]);
});

test("the code names only documents that come with it", () => {
  // The shop serves its documentation as text.
  const served = ["docs.md"];
  const known = new Set([
    ...files("{*.md,{bench,db,docs,i18n}/**/*.md}").map((path) => basename(path)),
    ...served,
  ]);
  const own = [...sources, ...files("{test,bench}/**/*.ts"), ...files("{scripts,db}/**/*.{mjs,ts,sql}")];
  const strangers = own.flatMap((path) =>
    [...read(path).matchAll(/[\w-]+\.md\b/g)]
      .filter(([name]) => !known.has(name))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(strangers).toEqual([]);
});

test("every path that the documents name exists", () => {
  const documents = files("{*.md,{bench,docs,examples,src}/**/*.md}");
  const missing = documents.flatMap((document) => {
    const quoted = [
      ...read(document).matchAll(/`((?:src|test|db|docs|deploy|scripts|bench|i18n|public)\/[\w./-]+)`/g),
    ];
    const linked = [...read(document).matchAll(/\]\((?!\w+:|#)([^)#]+)/g)];
    // A decision tells of its time; what it named may be gone.
    const isPast = document.startsWith("docs/decisions/");
    const named = [
      ...(isPast ? [] : quoted.map(([, path = ""]) => path)),
      ...linked.map(([, path = ""]) => join(dirname(document), path)),
    ];
    return named.filter((path) => !existsSync(join(root, path))).map((path) => `${document} names ${path}`);
  });
  expect(missing).toEqual([]);
});

test("the page of ASVS says of each requirement what holds it, why it does not apply or is accepted, or what is open", () => {
  // Sections of version 5.0.0 with how many requirements of levels 1 and 2 each has.
  const sections =
    "1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2";
  const wanted = sections.split(" ").flatMap((section) => {
    const [name, count] = section.split(":");
    return Array.from({ length: Number(count) }, (_, place) => `${name}.${place + 1}`);
  });
  const lines = [
    ...read("docs/asvs.md").matchAll(/^\| (\d+\.\d+\.\d+) +\| (.+?) +\| (.+?) +\| (.*?) +\|$/gm),
  ];
  expect(lines.map(([, number]) => number)).toEqual(wanted);
  const wrong = lines.filter(([, , , verdict = "", why = ""]) => {
    if (verdict === "held") return !/`[\w./-]+`|^as \d/.test(why);
    return why === "" || !/^(not applicable|accepted|open \(point \d+\))$/.test(verdict);
  });
  expect(wrong.map(([line]) => line)).toEqual([]);
});

test("every section that the documents link to is there", () => {
  const anchorsOf = (path: string) =>
    [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    );
  const missing = files("{*.md,{bench,docs,examples,src}/**/*.md}").flatMap((document) =>
    [...read(document).matchAll(/\]\((?!\w+:)([^)#]*)#([^)]+)/g)]
      .filter(([, path = "", anchor = ""]) => {
        const target = path === "" ? document : join(dirname(document), path);
        return target.endsWith(".md") && !anchorsOf(target).includes(anchor);
      })
      .map(([link]) => `${document}: ${link})`),
  );
  expect(missing).toEqual([]);
});

test("statements stand in files for statements", () => {
  const others = server.filter((path) => !path.endsWith(".sql.ts") && moduleOf(path) !== "platform");
  // A health check names no table.
  expect(linesWith(others, /\b(db|tx|sql)(<[^`]*>)?`(?!select 1`)/)).toEqual([]);
});

// Lists join catalogue names, so lower tables may be read; the writing module owns a table's rules.
test("a table is written by the statements of one module, and read by that one and those above it", () => {
  const migrations = files("db/migrations/*.sql").map(read).join("\n");
  const created = migrations.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/gi);
  const tables = [...created].map(([, table = ""]) => table);
  const modulesWith = (pattern: string, table: string) => {
    const named = new RegExp(`\\b(${pattern})\\s+${table}\\b`, "i");
    const naming = server.filter((path) => path.endsWith(".sql.ts") && named.test(read(path)));
    return [...new Set(naming.map(moduleOf).filter((module) => module !== undefined))];
  };
  const wrong = tables.flatMap((table) => {
    const [owner, ...others] = modulesWith("into|update|delete from|copy", table);
    if (owner === undefined) return [];
    const readers = modulesWith("from|join", table).filter(
      (module) => module !== owner && rowOf(module) <= rowOf(owner),
    );
    return [
      ...others.map((module) => `${table} is written by ${owner} and ${module}`),
      ...readers.map((module) => `${table} is read by ${module}, which is not above ${owner}`),
    ];
  });
  expect(tables.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

test("a browser test that asserts nothing about a page is found, whatever else it asserts", () => {
  const helpers = `
    import { expect } from "./fixtures.ts";
    export async function open(page) { await page.goto("/en"); }
    export const expectOpened = async (name, page) => { await expect(page.getByText(name)).toBeVisible(); };
    export async function expectSaid(page, said) { await page.goto("/en"); expect(said).toBe(1); }`;
  const spec = `
    import { expect, test } from "./fixtures.ts";
    import { expectOpened, expectSaid as expectAnswer, open } from "./helpers.ts";
    const ask = async (request) => (await request.get("/")).status();
    test("blind: asks the server alone", async ({ request }) => { expect(await ask(request)).toBe(200); });
    test("blind: opens a page and looks away", async ({ page }) => { await open(page); expect(1).toBe(1); });
    test("blind: asks the server by the page", async ({ page }) => {
      const said = await page.request.get("/");
      expect(said.status()).toBe(200);
    });
    test("blind: a helper looks at something else", { tag: "@full" }, async ({ page }) => { await expectAnswer(page, 1); });
    const own = test.extend({ more: 1 });
    own("blind: with fixtures of its own", async ({ more }) => { expect(more).toBe(1); });
    test("sees by itself", async ({ page }) => { await expect(page).toHaveTitle("Postern"); });
    test("sees by a helper", { tag: "@full" }, async ({ page: window }) => { await expectOpened("Postern", window); });
    test("sees what it took from the page", async ({ browser }) => {
      const other = await browser.newPage();
      const [width] = await other.evaluate(() => [innerWidth]);
      expect.soft(width).toBe(1280);
    });
    test("sees in the end", async ({ context }) => {
      for (const page of context.pages()) await expect.poll(() => page.title()).toBe("Postern");
    });`;
  const there: Record<string, string> = { "made-up/made.spec.ts": spec, "made-up/helpers.ts": helpers };
  const found = blindTests("made-up/made.spec.ts", (path) => there[path]);
  expect(found).toEqual([
    "blind: asks the server alone",
    "blind: opens a page and looks away",
    "blind: asks the server by the page",
    "blind: a helper looks at something else",
    "blind: with fixtures of its own",
  ]);
});

test("every browser test asserts something about a page: what needs none is tested without a browser", () => {
  const blind = files("test/e2e/*.spec.ts").flatMap((path) =>
    blindTests(path).map((title) => `${path}: ${title}`),
  );
  expect(blind).toEqual([]);
});
