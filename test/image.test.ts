import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const topOf = (path: string) => path.split("/")[0] ?? path;

/** What Docker is given of the repository: everything is left out that no line brings back. */
const given = new Set([...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path = ""]) => topOf(path)));

// What the build makes itself.
const made = ["node_modules", "dist", ".cache"];

test("the image is given everything that its build copies or reads", () => {
  const dockerfile = read("Dockerfile");
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
    paths.split(" "),
  );
  const scripts = ["patch", "setup", "fonts", "compress"].map((name) => read(`scripts/${name}.mjs`));
  const named = scripts.flatMap((text) => [...text.matchAll(/"([\w.-][\w./-]*)"/g)]);
  const used = [...copied, ...named.map(([, path = ""]) => path)].map(topOf);
  const needed = new Set(
    used.filter(
      (path) =>
        !path.startsWith("..") && path !== "." && !made.includes(path) && existsSync(join(root, path)),
    ),
  );
  expect(dockerfile).toContain("node scripts/patch.mjs && npm run build");
  expect([...needed].filter((path) => !given.has(path))).toEqual([]);
  expect(needed).toContain("i18n");
});
