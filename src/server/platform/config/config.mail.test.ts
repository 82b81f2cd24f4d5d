import { messageOf } from "../../../../test/kit/config.ts";
import { generateKeyPairSync, type KeyPairKeyObjectResult } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};
const pem = ({ privateKey }: KeyPairKeyObjectResult, passphrase?: string) =>
  privateKey
    .export({ type: "pkcs8", format: "pem", ...(passphrase && { cipher: "aes-256-cbc", passphrase }) })
    .toString();
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys = {
  rsa: file("rsa.pem", pem(rsa)),
  ed25519: file("ed25519.pem", pem(generateKeyPairSync("ed25519"))),
  ec: file("ec.pem", pem(generateKeyPairSync("ec", { namedCurve: "P-256" }))),
  short: file("short.pem", pem(generateKeyPairSync("rsa", { modulusLength: 512 }))),
  locked: file("locked.pem", pem(rsa, "a passphrase")),
  public: file("public.pem", rsa.publicKey.export({ type: "spki", format: "pem" }).toString()),
};
const from = "Shop <no-reply@Shop.Example>";

test.each(["rsa", "ed25519"] as const)(
  "our own mail is signed with an %s key for the domain that it is from",
  (kind) => {
    const { dkim } = readConfig({ MAIL_FROM: from, DKIM_KEY: keys[kind], DKIM_SELECTOR: "Postern1" });
    expect(dkim).toMatchObject({ domain: "shop.example", selector: "postern1" });
    expect(dkim?.key.asymmetricKeyType).toBe(kind);
  },
);

test("another domain may answer for our mail", () => {
  const dkim = { DKIM_KEY: keys.rsa, DKIM_SELECTOR: "s1", DKIM_DOMAIN: "Mail.Shop.Example" };
  expect(readConfig({ MAIL_FROM: from, ...dkim }).dkim?.domain).toBe("mail.shop.example");
});

test.each<[string, string, Record<string, string>]>([
  ["DKIM_KEY", "ENOENT", { DKIM_KEY: join(folder, "none.pem"), DKIM_SELECTOR: "s1" }],
  ["DKIM_KEY", "no private key", { DKIM_KEY: file("words.pem", "these are words"), DKIM_SELECTOR: "s1" }],
  ["DKIM_KEY", "no private key", { DKIM_KEY: keys.public, DKIM_SELECTOR: "s1" }],
  ["DKIM_KEY", "passphrase", { DKIM_KEY: keys.locked, DKIM_SELECTOR: "s1" }],
  ["DKIM_KEY", "neither RSA nor Ed25519", { DKIM_KEY: keys.ec, DKIM_SELECTOR: "s1" }],
  ["DKIM_KEY", "512 bits", { DKIM_KEY: keys.short, DKIM_SELECTOR: "s1" }],
  ["DKIM_SELECTOR", "required", { DKIM_KEY: keys.rsa }],
  ["DKIM_SELECTOR", "a name of letters", { DKIM_KEY: keys.rsa, DKIM_SELECTOR: "s1; p=" }],
  ["DKIM_SELECTOR", "with DKIM_KEY", { DKIM_SELECTOR: "s1" }],
  ["DKIM_DOMAIN", "with DKIM_KEY", { DKIM_DOMAIN: "shop.example" }],
  ["DKIM_DOMAIN", "a domain name", { DKIM_KEY: keys.rsa, DKIM_SELECTOR: "s1", DKIM_DOMAIN: "shop; x" }],
  ["DKIM_DOMAIN", "MAIL_FROM", { DKIM_KEY: keys.rsa, DKIM_SELECTOR: "s1", MAIL_FROM: "a@localhost" }],
])("a wrong %s (%s) stops the start with one sentence", (name, said, env) => {
  const message = messageOf(() => readConfig({ MAIL_FROM: from, ...env }));
  expect(message).toMatch(new RegExp(`^${name} .*${said}.*\\.$`));
  expect(message).not.toContain("PRIVATE KEY");
});

test("names are asked of the machine's resolvers or of given servers, and of nobody without the setting", () => {
  expect(readConfig({}).dnsServers).toBeUndefined();
  expect(readConfig({ DNS_SERVERS: "system" }).dnsServers).toBe("system");
  const servers = ["127.0.0.1", "127.0.0.1:5353", "::1", "[::1]:53"];
  expect(readConfig({ DNS_SERVERS: servers.join(", ") }).dnsServers).toEqual(servers);
});

test.each([
  "dns.example",
  "127.0.0.1:0",
  "127.0.0.1:65536",
  "::1:53:x",
  "[::1]",
  "system,127.0.0.1",
  "[127.0.0.1]:53",
])("DNS_SERVERS=%s stops the start", (value) => {
  expect(messageOf(() => readConfig({ DNS_SERVERS: value }))).toMatch(/^DNS_SERVERS .*\.$/);
});
