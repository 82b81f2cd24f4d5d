// npm run release -- check: whether this commit can be a release, as far as a machine without the registries can tell; then it says
// how to make it. That `npm run test:full` is green is for whoever runs it.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where a version stands beside package.json, which alone decides: the pages of deployment, the image, what is made of the client. */
const places: readonly (readonly [file: string, form: RegExp])[] = [
  ["package-lock.json", /^ {2}"version": "([^"]+)"/m],
  ["deploy/kubernetes/kustomization.yaml", /newTag: (\S+) \}/],
  ["docs/deploy/kubernetes.md", /(?:\?ref=v|newTag: )(\d[^ \n]*)/],
  ["docs/deploy/debian.md", /--branch v(\S+)/],
  ["docs/deploy/docker.md", /(?:--branch v|VERSION=)(\d[^ `\n]*)/],
  ["examples/playwright/package.json", /"postern-client": "([^"]+)"/],
  ["examples/playwright/README.md", /postern-client-(\S+)\.tgz/],
];

/** For how long pages may have changed since the pictures of the documents were drawn. */
const picturesDaysMax = 14;

/** What keeps the working copy in `root` from being a release, a sentence each. */
export function faultsOf(root: string): string[] {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return [
    ...ofTree(root, version),
    ...ofVersions(root, version),
    ...ofChangelog(root, version),
    ...ofPictures(root),
  ];
}

const git = (root: string, ...words: string[]): string => {
  const { stdout, status } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : "";
};

function ofTree(root: string, version: string): string[] {
  const changed = git(root, "status", "--porcelain");
  const last = git(root, "describe", "--tags", "--abbrev=0");
  const edited =
    last === "" ? "" : git(root, "diff", "--name-only", "--diff-filter=MDR", last, "--", "db/migrations");
  return [
    ...(changed === "" ? [] : [`These files are not as committed:\n${changed}`]),
    ...(git(root, "tag", "--list", `v${version}`) === ""
      ? []
      : [`There is a v${version} already: raise the version in package.json.`]),
    ...(edited === "" ? [] : [`These migrations of ${last} were edited: ${edited.replaceAll("\n", ", ")}.`]),
  ];
}

function ofVersions(root: string, version: string): string[] {
  return places.flatMap(([file, form]) => {
    const text = existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "";
    const found = [
      ...text.matchAll(new RegExp(form, form.flags.includes("g") ? form.flags : `${form.flags}g`)),
    ];
    if (found.length === 0) return [`${file} names no version.`];
    const others = found.map(([, other]) => other).filter((other) => other !== version);
    return others.length === 0 ? [] : [`${file} names ${others.join(", ")}, package.json ${version}.`];
  });
}

function ofChangelog(root: string, version: string): string[] {
  const text = existsSync(join(root, "CHANGELOG.md")) ? readFileSync(join(root, "CHANGELOG.md"), "utf8") : "";
  const [, first = "", body = ""] = /^## (.+)\n([^]*?)(?=^## |(?![^]))/m.exec(text) ?? [];
  if (!new RegExp(`^${version.replaceAll(".", "\\.")} \\(\\d{4}-\\d{2}-\\d{2}\\)$`).test(first))
    return [`CHANGELOG.md begins with "${first}", not with "${version} (its date)".`];
  return body.trim() === "" ? [`CHANGELOG.md says nothing of ${version}.`] : [];
}

function ofPictures(root: string): string[] {
  const [drawn, changed] = ["docs/screens", "src/web"].map((path) =>
    Number(git(root, "log", "-1", "--format=%ct", "--", path)),
  );
  const days = Math.floor(((changed ?? 0) - (drawn ?? 0)) / 86_400);
  return days <= picturesDaysMax
    ? []
    : [
        `The pages changed ${days} days after the pictures of docs/screens were drawn: SCREENS=1 npx playwright test screens.`,
      ];
}

/** Tests that say whether migrations are safe, links true, icons of today's drawing, and what the image and its lists have. */
const tests = [
  "src/server/platform/db/migrate.safety.test.ts",
  "src/server/platform/db/migrate.steps.test.ts",
  "test/tidy.test.ts",
  "test/pictures.test.ts",
  "test/image.test.ts",
  "test/compose.test.ts",
  "test/deploy/files.test.ts",
];

function check(root: string): number {
  const faults = faultsOf(root);
  const run = (...words: string[]) =>
    spawnSync(process.execPath, words, { cwd: root, stdio: "inherit" }).status === 0;
  if (!run("node_modules/vitest/vitest.mjs", "run", ...tests))
    faults.push("Tests of the release fail, see above.");
  if (!run("scripts/sbom.mjs", "dist/release"))
    faults.push("The lists of packages and licences could not be made.");
  if (faults.length > 0) {
    process.stdout.write(`This is no release yet:\n${faults.map((fault) => `- ${fault}\n`).join("")}`);
    return 1;
  }
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: root,
    encoding: "utf8",
  }).trim();
  process.stdout.write(
    `${commit} can be the release ${version}, if npm run test:full is green. The lists of packages and licences are in dist/release. Then:\n` +
      `  git tag --sign v${version} --message="Postern ${version}" ${commit} && git push origin v${version}\n` +
      `  docker buildx build --platform linux/amd64,linux/arm64 --build-arg NODE=node@sha256:… --build-arg VERSION=${version} .\n`,
  );
  return 0;
}

if (import.meta.main) {
  if (process.argv[2] === "check") process.exitCode = check(fileURLToPath(new URL("..", import.meta.url)));
  else {
    process.stderr.write("npm run release -- check says whether this commit can be a release\n");
    process.exitCode = 2;
  }
}
