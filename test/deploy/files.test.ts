// The files of deploy that can be checked without starting their programs; proxies.test.ts starts those.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import * as limits from "../../src/contract/limits.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const numberIn = (text: string, form: RegExp) => Number(form.exec(text)?.[1]);

test("every proxy waits longer than the shop lets a call wait, and takes the largest file", () => {
  const nginx = read("deploy/nginx/postern.conf");
  const balancers = [read("deploy/haproxy/haproxy.cfg"), read("compose.ha.yaml")];
  const seconds = [
    numberIn(nginx, /proxy_read_timeout (\d+)s;/),
    ...balancers.flatMap((text) =>
      ["client", "server"].map((side) => numberIn(text, new RegExp(`timeout ${side} (\\d+)s`))),
    ),
  ];
  for (const each of seconds) expect(each).toBeGreaterThan(limits.waitAnsweredSeconds + 20);
  const caddy = read("deploy/caddy/Caddyfile");
  // Without one it waits for ever; a limit of the head of an answer is none of an answer that comes late.
  expect(caddy).not.toMatch(/read_timeout|response_header_timeout|write_timeout/);
  const megabytes = [numberIn(nginx, /client_max_body_size (\d+)m;/), numberIn(caddy, /max_size (\d+)MiB/)];
  for (const each of megabytes) expect(each * 1024 ** 2).toBeGreaterThan(limits.uploadBytesMax);
});

const noSystemd =
  spawnSync("systemd-analyze", ["--version"], { stdio: "ignore" }).status === 0
    ? ""
    : "SKIPPED: there is no systemd here";
const units = ["postern@.service", "postern-alive@.service", "postern-alive@.timer"];
const instances = ["web1", "smtp"];

/** The units as an instance, with the programs of this folder. */
function unitsOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "postern-units-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const unit of units) {
    const text = read(`deploy/systemd/${unit}`).replaceAll("/usr/local/bin/node", process.execPath);
    writeFileSync(join(folder, unit.replace("@", `@${name}`)), text);
  }
  if (name === "smtp")
    cpSync(join(root, "deploy/systemd/postern@smtp.service.d"), join(folder, "postern@smtp.service.d"), {
      recursive: true,
    });
  return folder;
}

const analyze = (...words: string[]) => {
  const { stdout, stderr, status } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
  return { said: stdout + stderr, status };
};

test.skipIf(noSystemd !== "").each(instances)(
  `systemd takes the units of %s, and finds little that it could reach ${noSystemd}`,
  (name) => {
    const folder = unitsOf(name);
    const paths = units.map((unit) => join(folder, unit.replace("@", `@${name}`)));
    const { said, status } = analyze("verify", "--man=no", ...paths);
    const ours = said.split("\n").filter((line) => line.includes("postern"));
    expect([ours, status]).toEqual([[], 0]);
    const security = analyze("security", "--offline=true", "--threshold=20", "--no-pager", paths[0]!);
    expect(security.status, security.said).toBe(0);
    const may = security.said.includes("✓ CapabilityBoundingSet=~CAP_NET_(BIND_SERVICE|BROADCAST|RAW)");
    expect(may).toBe(name !== "smtp");
  },
);

test("the units have what the shop asks for: descriptors for all that connect, the threshold of glibc, an end that waits", () => {
  const unit = read("deploy/systemd/postern@.service");
  expect(numberIn(unit, /LimitNOFILE=(\d+)/)).toBeGreaterThan(20_000 + 2 * 2_000);
  const dockerfile = read("Dockerfile");
  const [threshold = "none"] = /MALLOC_MMAP_THRESHOLD_=\d+/.exec(dockerfile) ?? [];
  expect(unit).toContain(threshold);
  const [, command = ""] = /^CMD \["node", (.*)\]$/m.exec(dockerfile) ?? [];
  expect(unit).toContain(`node ${command.replaceAll(/[",]/g, "")}\n`);
  expect(numberIn(unit, /TimeoutStopSec=(\d+)/)).toBeGreaterThan(limits.waitAnsweredSeconds);
});
