// @module-tag slow
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { openNameServer } from "../../../test/kit/dns.ts";
import { freePort } from "../../../test/kit/port.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import { certificateFor } from "../platform/certificate.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { readConfig } from "../platform/config/config.ts";
import { examine, type Finding } from "../setup/setup.ts";

let shop: TestShop;
let settings: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), "postern-doctor-"));
beforeAll(async () => {
  const reception = { SMTP_PORT: String(await freePort()), SMTP_NAME: "mx.shop.test" };
  const SECRET_KEY = randomBytes(32).toString("hex");
  shop = await startShop({ ...reception, SECRET_KEY });
  const { port: PORT } = new URL(shop.url);
  settings = { ...reception, PORT, SECRET_KEY, DEMO: "true", DATA_DIR: shop.dataDir, PUBLIC_URL: shop.url };
});
afterAll(async () => {
  await shop.stop();
  rmSync(folder, { recursive: true });
});

/** What the command finds with these settings beside those of the shop. */
async function found(more: Record<string, string> = {}) {
  const { status, out, err } = await sayTo(shop.db, ["doctor", "--json"], { ...settings, ...more });
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  const wrong = findings.filter(({ state }) => state === "wrong");
  expect({ status, err }).toEqual(
    wrong.length === 0
      ? { status: 0, err: "" }
      : { status: 1, err: `Wrong: ${wrong.map(({ what }) => what).join(", ")}.\n` },
  );
  return {
    wrong: wrong.map(({ what }) => what),
    says: (what: string) => findings.find((finding) => finding.what === what)?.says,
  };
}

test("of a shop that runs as it should nothing is wrong, and each look is a line", async () => {
  const { wrong, says } = await found();
  expect(wrong).toEqual([]);
  expect(says("pages and API")).toBe(`ready at ${shop.url}, roles web, smtp, jobs`);
  expect(says("reception")).toMatch(/^220 mx\.shop\.test /);
  const { out } = await sayTo(shop.db, ["doctor"], settings);
  expect(out).toMatch(/^ok +reception +220 mx\.shop\.test /m);
});

test("another SECRET_KEY than that of the database is wrong", async () => {
  expect((await found({ SECRET_KEY: randomBytes(32).toString("hex") })).wrong).toEqual(["key"]);
});

test("a shop that does not listen is wrong", async () => {
  const [PORT, SMTP_PORT] = [String(await freePort()), String(await freePort())];
  const { wrong, says } = await found({ PORT, SMTP_PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` });
  expect(wrong).toEqual(["pages and API", "reception"]);
  expect(says("reception")).toContain("ECONNREFUSED");
});

test.each([
  [-7200, -3600, "wrong"],
  [-3600, 3600, "look"],
] as const)(
  "a certificate that is valid from %s to %s seconds from now is to be renewed",
  async (from, until, state) => {
    const { cert, key } = certificateFor("mx.shop.test", {
      from: secondsAfter(now(), from),
      until: secondsAfter(now(), until),
    });
    writeFileSync(join(folder, "mx.crt"), cert);
    writeFileSync(join(folder, "mx.key"), key);
    const { wrong, says } = await found({
      SMTP_TLS_CERT: join(folder, "mx.crt"),
      SMTP_TLS_KEY: join(folder, "mx.key"),
    });
    expect(says("certificate")).toMatch(/^it ends at 20\S+: renew it$/);
    expect(wrong).toEqual(state === "wrong" ? ["certificate"] : []);
  },
);

/** A proxy on this machine that adds these headers. */
async function proxy(headers: Record<string, string>): Promise<string> {
  const server = createServer((asked, answer) => {
    request(`${shop.url}${asked.url}`, { headers }, (said) => {
      answer.writeHead(said.statusCode ?? 500);
      said.pipe(answer);
    }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a proxy that TRUST_PROXY does not name is wrong, and so is one that says nobody's address", async () => {
  const forwarding = await proxy({ "x-forwarded-for": "198.51.100.7" });
  const mute = await proxy({});
  expect((await found({ PUBLIC_URL: forwarding })).wrong).toEqual(["proxy"]);
  expect((await found({ PUBLIC_URL: forwarding, TRUST_PROXY: "loopback" })).wrong).toEqual([]);
  const { wrong, says } = await found({ PUBLIC_URL: mute, TRUST_PROXY: "loopback" });
  expect(wrong).toEqual(["proxy"]);
  expect(says("proxy")).toContain("shows /metrics to everybody");
});

test("a mail domain whose mail would not come is wrong, by its records", async () => {
  const dns = await openNameServer({ "mx.shop.test": { A: ["192.0.2.25"] } });
  onTestFinished(() => dns.stop());
  const production = {
    DEMO: "false",
    CAPTCHA: "altcha",
    MAIL_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "no-reply@shop.test",
    DNS_SERVERS: dns.address,
  };
  const { wrong, says } = await found(production);
  expect(wrong).toContain("dns");
  expect(says("dns")).toContain("letters.test MX is missing: 10 mx.shop.test.");
});

test("a backup that is too old is wrong", async () => {
  const BACKUP_DIR = folder;
  expect((await found({ BACKUP_DIR })).wrong).toEqual([]);
  await shop.db`update applied set applied_at = applied_at - interval '2 days'`;
  expect((await found({ BACKUP_DIR })).wrong).toEqual(["backup"]);
});

test("a setting whose name is misspelt is to be looked at", async () => {
  const config = readConfig(settings);
  const environment = { TRUST_PROXI: "loopback" };
  const findings = await examine({ db: shop.db, config, environment, dns: async () => undefined });
  expect(findings).toContainEqual({
    what: "settings",
    state: "look",
    says: "TRUST_PROXI changes nothing: is TRUST_PROXY meant?",
  });
});
