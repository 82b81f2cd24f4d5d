// @module-tag full
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type NameServer, openNameServer } from "../../../test/kit/dns.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import type { Standing } from "./setup.ts";

// A result says nothing about another key, selector, relay or reception.
let dns: NameServer;
let settings: Record<string, string>;
let shop: TestShop;
let token: string;

beforeAll(async () => {
  dns = await openNameServer();
  settings = { DNS_SERVERS: dns.address, SMTP_NAME: "mx.shop.test", MAIL_FROM: "Shop <no-reply@shop.test>" };
  shop = await startShop(settings);
  token = await shop.member("admin@example.com");
});
afterAll(async () => {
  await shop.stop();
  await dns.stop();
});

async function restarted<Seen>(
  others: Record<string, string>,
  see: (later: TestShop) => Promise<Seen>,
): Promise<Seen> {
  const later = await startShop({ ...settings, ROLES: "web", ...others }, shop);
  try {
    return await see(later);
  } finally {
    await later.stop();
  }
}

const standing = (at: TestShop) => at.get<Standing>("/api/admin/setup", { token });
const stateOf = ({ steps }: Standing, step: string) => steps.find(({ name }) => name === step)?.state;
const check = (at: TestShop, domain: string) => at.post("/api/admin/setup/dns", { token, domain });

async function signing(selector: string): Promise<Record<string, string>> {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const file = join(shop.dataDir, `${crypto.randomUUID()}.pem`);
  await writeFile(file, privateKey);
  return { DKIM_KEY: file, DKIM_SELECTOR: selector };
}

test("a domain that was right for another name of the reception is to be looked at again", async () => {
  const { domains } = await standing(shop);
  dns.names.set("mx.shop.test", { A: ["192.0.2.25"] });
  for (const { name } of domains) {
    dns.names.set(name, { MX: [[10, "mx.shop.test"]], TXT: ["v=spf1 -all"] });
    expect(await check(shop, name)).toMatchObject({ right: true });
  }
  expect(domains.length).toBeGreaterThan(0);
  const found = await standing(shop);
  expect(stateOf(found, "domain")).toBe("done");
  expect(found.domains[0]?.dns).toMatchObject({ right: true, current: true });

  await restarted({ SMTP_NAME: "mx2.shop.test" }, async (later) => {
    const said = await standing(later);
    expect(stateOf(said, "domain")).toBe("warning");
    expect(said.domains[0]?.dns).toMatchObject({ right: true, current: false });
  });
  expect(stateOf(await standing(shop), "domain")).toBe("done");
});

test("the sending domain is right for the key, the selector and the relay that were looked for", async () => {
  const first = { MAIL_URL: "smtp://relay.test:587", ...(await signing("postern1")) };
  await restarted(first, async (later) => {
    const { records } = (await check(later, "shop.test")) as {
      records?: { kind: string; name: string; value: string }[];
    };
    const key = records?.find(({ kind }) => kind === "dkim");
    dns.names.set("shop.test", { TXT: ["v=spf1 a:relay.test -all"] });
    dns.names.set(key?.name ?? "", { TXT: [key?.value ?? ""] });
    expect(await check(later, "shop.test")).toMatchObject({ right: true });
    expect(stateOf(await standing(later), "mail")).toBe("done");
  });
  const others = [
    await signing("postern1"),
    { DKIM_SELECTOR: "postern2" },
    { MAIL_URL: "smtp://other.test:587" },
  ];
  for (const other of others)
    await restarted({ ...first, ...other }, async (later) => {
      const said = await standing(later);
      expect(stateOf(said, "mail")).toBe("warning");
      expect(said.mail.dns).toMatchObject({ right: true, current: false });
    });
  await restarted(first, async (later) => expect(stateOf(await standing(later), "mail")).toBe("done"));
});

test("a test letter counts for the reception that it went to", async () => {
  const [domain] = (await standing(shop)).domains.filter(({ kind, on }) => kind === "own" && on);
  const sent = await shop.post("/api/admin/setup/letter", { token, domain: domain?.name ?? "" });
  expect(sent).toMatchObject({ arrived: true });
  expect(stateOf(await standing(shop), "letter")).toBe("done");
  await restarted({}, async (later) => {
    const said = await standing(later);
    expect(stateOf(said, "letter")).toBe("warning");
    expect(said.reception.letter).toMatchObject({ right: true, current: false });
  });
});

test("what was found before anybody wrote down what was looked for is to be looked at again", async () => {
  await shop.db`update setup_check set asked = ''`;
  expect(stateOf(await standing(shop), "domain")).toBe("warning");
});
