// compose.yaml and compose.ha.yaml, as far as they can be checked without Docker.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../src/server/platform/config/config.ts";
import { connect } from "../src/server/platform/db/db.ts";
import { migrate } from "../src/server/platform/db/migrate.ts";
import { embeddedPrograms, makeServer, serverFolder } from "./kit/servers.ts";

interface Service {
  readonly image?: string;
  readonly build?: string | object;
  readonly command?: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
  readonly configs?: readonly { readonly source: string }[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: { readonly default: { readonly ipv4_address: string } };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, null>>;
  readonly configs?: Readonly<Record<string, { readonly content: string }>>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const given: Record<string, string> = {
  DATABASE_PASSWORD: "of-a-test",
  SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
  PUBLIC_URL: "https://shop.example",
};

/** As Docker fills it in. */
const filled = (text: string) =>
  text
    .replaceAll(/(?<!\$)\$\{(\w+)(?::[-?][^}]*)?\}/g, (_all, name: string) => {
      if (given[name] === undefined) throw new Error(`${name} is not among the settings of the test`);
      return given[name];
    })
    .replaceAll("$$", () => "$");

const compose = (path: string) =>
  JSON.parse(filled(JSON.stringify(parse(read(path), { merge: true })))) as Compose;
const files = ["compose.yaml", "compose.ha.yaml"];
const shopsOf = ({ services }: Compose) => Object.entries(services).filter(([, { build }]) => build === ".");
const numbers = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, port]) => Number(port));

/** The ports on which a service answers others. */
function portsOf(service: Service, configs: Compose["configs"]): number[] {
  const { environment = {}, build, image = "", command = "" } = service;
  if (build === ".") {
    const { smtpPort, port, healthPort, roles } = readConfig(settingsOf(environment));
    return [roles.has("web") ? port : healthPort, roles.has("smtp") ? smtpPort : undefined].filter(
      (each) => each !== undefined,
    );
  }
  const texts = (service.configs ?? []).map(({ source }) => configs?.[source]?.content ?? "");
  return [
    ...(image.startsWith("postgres:") ? [5432] : []),
    ...[command, ...texts].flatMap((text) =>
      numbers(
        text,
        /(?:listen: "0\.0\.0\.0:|listen_port = |bind :|listen-client-urls=http:\/\/0\.0\.0\.0:)(\d+)/g,
      ),
    ),
  ];
}

const settingsOf = (environment: NonNullable<Service["environment"]>) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));

test.each(files)("%s names only settings that there are, and the shop takes them", (path) => {
  const known = new Set(settingNames(read(".env.example")));
  const shops = shopsOf(compose(path));
  expect(shops.length).toBeGreaterThan(0);
  for (const [, { environment = {} }] of shops) {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    expect(readConfig(settingsOf(environment)).databaseUrl).toContain("postgres://postern:of-a-test@");
  }
});

const settingNames = (text: string) => [...text.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);

test.each(files)(
  "the shop of %s is no superuser of its database, and has no superuser's password",
  async (path) => {
    const { configs = {} } = compose(path);
    const statements = [...(configs["first"]?.content ?? "").matchAll(/--command="([^"]+)"/g)].map(
      ([, sql = ""]) => sql,
    );
    expect(statements.length).toBeGreaterThan(0);
    const folder = await serverFolder();
    const server = await makeServer(embeddedPrograms(folder), folder);
    await server.start();
    const first = connect(server.url, { max: 1 });
    onTestFinished(() => first.end());
    // The superuser of the test has the name that the shop's role has in earnest.
    await first`create role postgres superuser`;
    for (const sql of statements) await first.unsafe(sql.replaceAll("postern", "shop"));
    const own = new URL(server.url);
    [own.username, own.password, own.pathname] = ["shop", given["DATABASE_PASSWORD"]!, "/shop"];
    const db = connect(own.href, { max: 1 });
    onTestFinished(() => db.end());
    await migrate(db);
    expect(
      await db`select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user`,
    ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
    if (path === "compose.ha.yaml") return;
    expect(await first`select rolpassword from pg_authid where rolname = 'postgres'`).toEqual([
      { rolpassword: null },
    ]);
  },
);

test.each(files)(
  "in %s every service, volume and configuration that is named is there, and each of them is used",
  (path) => {
    const { services, volumes = {}, configs = {} } = compose(path);
    const all = Object.values(services);
    const before = all.flatMap(
      ({ depends_on: on = [] }) => (Array.isArray(on) ? on : Object.keys(on)) as string[],
    );
    const mounted = all.flatMap((each) => each.volumes ?? []).map((each) => each.split(":")[0]);
    const configured = all.flatMap((each) => each.configs ?? []).map(({ source }) => source);
    expect(before.filter((name) => !(name in services))).toEqual([]);
    expect(new Set(mounted)).toEqual(new Set(Object.keys(volumes)));
    expect(new Set(configured)).toEqual(new Set(Object.keys(configs)));
  },
);

test.each(files)("in %s every address leads to a service that answers at that port", (path) => {
  const { services, configs = {} } = compose(path);
  const names = Object.keys(services).join("|");
  const texts = [
    ...Object.values(services).map((each) => JSON.stringify(each)),
    ...Object.values(configs).map(({ content }) => content),
  ];
  const asked = texts.flatMap((text) => [
    ...text.matchAll(new RegExp(`(?<![\\w-])(${names}):(\\d+)`, "g")),
    ...text.matchAll(new RegExp(`host=(${names}) port=(\\d+)`, "g")),
    ...text.matchAll(new RegExp(`server \\w+ (${names}):\\d+ port (\\d+)`, "g")),
  ]);
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((each) => [each, name, each.split(":").at(-1) ?? ""]),
  );
  expect(asked.length).toBeGreaterThan(0);
  expect(published.length).toBe(2);
  const wrong = [...asked, ...published].filter(
    ([, name = "", port]) => !portsOf(services[name]!, configs).includes(Number(port)),
  );
  expect(wrong.map(([all]) => all)).toEqual([]);
});

const cluster = compose("compose.ha.yaml");

test("in compose.ha.yaml the proxy alone is believed about who calls and sends", () => {
  const address = cluster.services["proxy"]?.networks?.default.ipv4_address;
  const believed = shopsOf(cluster).flatMap(([, { environment }]) => [
    environment?.["TRUST_PROXY"],
    environment?.["SMTP_PROXY"],
  ]);
  expect(new Set(believed)).toEqual(new Set([address]));
});

const noted = join(root, ".cache/haproxy/path");
const haproxy = existsSync(noted) ? readFileSync(noted, "utf8") : "";
const noHaproxy =
  haproxy === "" ? "SKIPPED: there is no HAProxy here (node scripts/setup.mjs haproxy unpacks Debian's)" : "";

test.skipIf(haproxy === "")(`HAProxy takes the configuration of compose.ha.yaml ${noHaproxy}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-haproxy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "haproxy.cfg");
  writeFileSync(path, cluster.configs?.["haproxy"]?.content ?? "");
  const { status, stderr } = spawnSync(haproxy, ["-c", "-f", path], { encoding: "utf8" });
  // The names are those of a network that is not here.
  const warnings = stderr
    .split("\n")
    .filter((line) => /WARNING|ALERT/.test(line) && !line.includes("could not resolve"));
  expect([warnings, status]).toEqual([[], 0]);
});
