import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { faultsOf } from "../scripts/release.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const copied = [
  "package.json",
  "package-lock.json",
  "CHANGELOG.md",
  "docs/deploy",
  "deploy/kubernetes/kustomization.yaml",
  "examples/playwright/package.json",
  "examples/playwright/README.md",
];

test("a release is a clean commit, of one version that is new and told in the changelog, with pictures of its pages", () => {
  const root = mkdtempSync(join(tmpdir(), "postern-release-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of copied) cpSync(join(here, path), join(root, path), { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const change = (path: string, from: RegExp, to: string) =>
    write(path, readFileSync(join(root, path), "utf8").replace(from, to));
  const git = (...words: string[]) => execFileSync("git", words, { cwd: root });
  const commit = (date = "2026-11-01T00:00:00Z") => {
    git("add", ".");
    const who = ["-c", "user.name=of a test", "-c", "user.email=test@example.com"];
    const env = { ...process.env, GIT_COMMITTER_DATE: date };
    execFileSync("git", [...who, "commit", "--quiet", "--allow-empty", "-m", "a step"], { cwd: root, env });
  };
  git("init", "--quiet");
  write("db/migrations/0001_first.sql", "select 1");
  write("docs/screens/home.webp", "of today");
  write("src/web/home.ts", "of today");
  commit();
  expect(faultsOf(root)).toEqual([]);

  write("stray.txt", "left");
  expect(faultsOf(root)).toEqual([expect.stringContaining("stray.txt")]);
  commit();
  git("tag", "v0.0.1");
  write("db/migrations/0001_first.sql", "select 2");
  write("db/migrations/0002_second.sql", "select 3");
  commit();
  expect(faultsOf(root)).toEqual([
    expect.stringMatching(/v0\.0\.1 were edited: db\/migrations\/0001_first\.sql\.$/),
  ]);
  git("tag", "v0.0.2");

  write("src/web/home.ts", "of later");
  commit("2026-12-01T00:00:00Z");
  expect(faultsOf(root)).toEqual([expect.stringContaining("changed 30 days after")]);
  write("docs/screens/home.webp", "of later");
  change("package.json", /"version": ".*"/, '"version": "9.9.9"');
  change("package-lock.json", /^ {2}"version": ".*"/m, '  "version": "9.9.9"');
  commit("2026-12-01T00:00:00Z");
  expect(faultsOf(root)).toEqual([
    ...["kustomization.yaml", "kubernetes.md", "debian.md", "docker.md", "package.json", "README.md"].map(
      (name) =>
        expect.stringMatching(new RegExp(`${name} names .*, package\\.json 9\\.9\\.9\\.$`)) as unknown,
    ),
    expect.stringContaining('not with "9.9.9 (its date)"'),
  ]);
  git("tag", "v9.9.9");
  expect(faultsOf(root)[0]).toContain("There is a v9.9.9 already");
});

test("what is here names one version", () => {
  expect(faultsOf(here).filter((fault) => /^\S+ (?:names|begins|says) /.test(fault))).toEqual([]);
});
