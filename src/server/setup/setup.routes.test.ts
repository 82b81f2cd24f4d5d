// @module-tag slow
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HDKey, hdKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { solved } from "../../../test/kit/captcha.ts";
import { openNameServer, type NameServer } from "../../../test/kit/dns.ts";
import { freePort } from "../../../test/kit/port.ts";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";
import { openTelegramServer, type TelegramServer } from "../../../test/kit/telegram.ts";
import { addDomain, setDomain } from "../catalog/catalog.ts";
import { addStock } from "../inventory/inventory.ts";
import { list as journal } from "../journal/journal.ts";
import { readConfig } from "../platform/config/config.ts";
import { connect } from "../platform/db/db.ts";
import { listenerName } from "../platform/db/pools.ts";
import type { Log } from "../platform/log.ts";
import { usd } from "../platform/money.ts";
import { ownCertificate } from "../reception/reception.ts";
import { block } from "../users/users.ts";
import { tellOfAdministrator } from "./setup.ts";

const production = { DEMO: "false", CAPTCHA: "altcha", ADMIN_EMAILS: "admin@example.com,second@example.com" };
const wallet = HDKey.fromMasterSeed(new Uint8Array(32).fill(7));
const account = wallet.derive("m/44'/60'/0'");
const firstAddress = hdKeyToAccount(wallet).address;
const known = "test test test test test test test test test test test junk";

let dns: NameServer;
let telegram: TelegramServer;
let demo: TestShop;
let admin: string;

beforeAll(async () => {
  dns = await openNameServer();
  telegram = await openTelegramServer();
  demo = await startShop({ DNS_SERVERS: dns.address, SMTP_NAME: "mx.shop.test", ...telegram.settings });
  admin = await demo.member("admin@example.com");
});
afterAll(async () => {
  await demo.stop();
  await telegram.close();
  await dns.stop();
});

const stepsOf = (said: Answer) =>
  Object.fromEntries(
    (said["steps"] as { name: string; state: string }[]).map(({ name, state }) => [name, state]),
  );
const calls: [method: "get" | "post", path: string, asked: Record<string, string>][] = [
  ["get", "/api/admin/setup", {}],
  ["post", "/api/admin/setup/dns", { domain: "letters.test" }],
  ["post", "/api/admin/setup/wallet", { wallet: "evm", key: account.publicExtendedKey }],
  ["post", "/api/admin/setup/letter", { domain: "letters.test" }],
];

test.each(calls)("an intruder has nothing from %s %s", async (method, path, asked) => {
  const blocked = await demo.member();
  const { data } = await demo.get("/user/information", { token: blocked });
  await block(demo.db, BigInt((data as { id: string }).id), true);
  const before = await journal(demo.db);
  for (const [token, value] of [
    [await demo.member(), "no access"],
    [undefined, "token"],
    ["x".repeat(32), "token"],
    [blocked, "token"],
  ] as const)
    expect(await demo[method](path, { ...asked, token })).toMatchObject({ status: "error", value });
  expect(await journal(demo.db)).toEqual(before);
});

describe("the records of a domain", () => {
  const check = (domain: string) => demo.post("/api/admin/setup/dns", { token: admin, domain });

  test("are looked up, and the last look is remembered", async () => {
    dns.names.clear();
    expect(await check("Letters.test.")).toMatchObject({
      status: "success",
      domain: "letters.test",
      right: false,
      records: [{ kind: "mx", value: "10 mx.shop.test." }, {}, {}, {}],
    });
    const dnsOf = async () => {
      const { domains } = await demo.get("/api/admin/setup", { token: admin });
      return (domains as { name: string; dns?: { right: boolean } }[]).find(
        ({ name }) => name === "letters.test",
      )?.dns;
    };
    expect(await dnsOf()).toMatchObject({ right: false });
    dns.names.set("letters.test", { MX: [[10, "mx.shop.test"]], TXT: ["v=spf1 -all"] });
    dns.names.set("mx.shop.test", { A: ["192.0.2.25"] });
    expect(await check("letters.test")).toMatchObject({ right: true });
    expect(await dnsOf()).toMatchObject({ right: true });
  });

  test.each(["", "letters", "a b.test", "http://letters.test", "x".repeat(254), "-a.test"])(
    "of %j are refused: it is no name of a domain",
    async (domain) => {
      expect(await check(domain)).toMatchObject({ status: "error", value: "domain name" });
    },
  );
});

describe("a public key", () => {
  const check = (asked: Record<string, string>) =>
    demo.post("/api/admin/setup/wallet", { token: admin, wallet: "evm", ...asked });
  const key = account.publicExtendedKey;

  test("shows its first addresses, and its lines only once the operator's own wallet agrees", async () => {
    const addresses = [0, 1, 2].map((index) => ({
      index,
      address: hdKeyToAccount(wallet, { addressIndex: index }).address,
      path: `m/44'/60'/0'/0/${index}`,
    }));
    expect(await check({ key })).toEqual({ status: "success", addresses, published: false, lines: [] });
    expect(await check({ key, first: addresses[1]?.address ?? "" })).toMatchObject({
      matches: false,
      lines: [],
    });
    expect(await check({ key, first: firstAddress.toLowerCase() })).toEqual({
      status: "success",
      addresses,
      published: false,
      matches: true,
      lines: [`WALLET_EVM_XPUB=${key}`, `WALLET_EVM_FIRST=${firstAddress}`],
    });
  });

  test("of Litecoin and TRON is shown without an address to compare with", async () => {
    for (const [family, path, begin] of [
      ["ltc", "m/84'/2'/0'", "ltc1q"],
      ["tron", "m/44'/195'/0'", "T"],
    ] as const) {
      const said = await check({ wallet: family, key: wallet.derive(path).publicExtendedKey });
      expect(said["addresses"]).toHaveLength(3);
      expect((said["addresses"] as { address: string }[])[0]?.address.startsWith(begin)).toBe(true);
    }
  });

  test("of a phrase that everybody knows is said to be one, and gets no lines", async () => {
    const asked = {
      key: "xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP",
      first: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    };
    expect(await check(asked)).toMatchObject({ matches: true, published: true, lines: [] });
  });

  const refused: [what: string, asked: Record<string, string>, value: string][] = [
    ["a mistyped key", { key: `${key.slice(0, -1)}x` }, "public key"],
    ["a word", { key: "xpub" }, "public key"],
    ["no key", { key: "" }, "public key"],
    ["something very long", { key: "x".repeat(301) }, "public key"],
    ["the key of a whole wallet", { key: wallet.publicExtendedKey }, "public key"],
    ["an extended private key", { key: account.privateExtendedKey }, "private key"],
    ["a recovery phrase", { key: known }, "private key"],
    ["a phrase as the address", { key, first: known }, "private key"],
    ["an address that is none", { key, first: "0x12" }, "first address"],
    ["a key of TON without its address", { wallet: "ton", key: "ab".repeat(32) }, "first address"],
    ["an unknown wallet", { wallet: "btc", key }, "family"],
  ];

  test.each(refused)("that is %s is refused, and no answer repeats it", async (_what, asked, value) => {
    const said = await check(asked);
    expect(said).toMatchObject({ status: "error", value });
    const secret = asked["first"] === known ? known : (asked["key"] ?? "");
    if (secret.length > 12) expect(JSON.stringify(said)).not.toContain(secret.slice(8));
  });
});

describe("a test letter", () => {
  const send = (domain: string, at = demo, token = admin) =>
    at.post("/api/admin/setup/letter", { token, domain });

  test("goes in at the door that all letters come in by, and is told when it is there", async () => {
    const said = await send("letters.test");
    expect(said).toMatchObject({ status: "success", to: "postmaster@letters.test", arrived: true });
    expect(said["milliseconds"]).toBeGreaterThan(0);
    const { reception, steps: _steps } = await demo.get("/api/admin/setup", { token: admin });
    expect(reception).toMatchObject({
      name: "mx.shop.test",
      named: true,
      encrypted: true,
      letter: { right: true },
    });
    // A letter of this machine proves nothing about the way from outside.
    expect(reception).not.toHaveProperty("outside_at");
    expect((await journal(demo.db, { about: "letters.test" }))[0]).toMatchObject({ did: "setup letter" });
  });

  test("to a domain that is not ours, or whose mail lies elsewhere, is not sent", async () => {
    expect(await send("elsewhere.test")).toMatchObject({ value: "domain" });
    expect(await send("no domain")).toMatchObject({ value: "domain name" });
    await addDomain(demo.db, { name: "hosted.test", price: usd("0.01"), kind: "hosted" });
    expect(await send("hosted.test")).toMatchObject({ value: "domain" });
  });

  test("to a reception that is not there is told to have found it closed", async () => {
    const beside = await startShop({ SMTP_PORT: String(await freePort()), ROLES: "web" }, demo);
    try {
      expect(await send("letters.test", beside)).toMatchObject({
        status: "success",
        arrived: false,
        trouble: "closed",
      });
      const { steps } = await demo.get("/api/admin/setup", { token: admin });
      expect(steps).toContainEqual({ name: "letter", state: "warning", needed: true });
    } finally {
      await beside.stop();
    }
  });
});

test("a call through a proxy that is not trusted says so to the administrator who looks", async () => {
  const look = async (headers: Record<string, string>) => {
    const asked = { headers: { authorization: `Bearer ${admin}`, ...headers } };
    return (await (await fetch(`${demo.url}/api/admin/setup`, asked)).json()) as Answer;
  };
  expect(await look({})).toMatchObject({ proxy_untrusted: false, clock_ahead: 0 });
  expect(await look({ "x-forwarded-for": "203.0.113.9" })).toMatchObject({ proxy_untrusted: true });
});

test("a database that gives too few connections for all processes says so to the administrator who looks", async () => {
  const look = async () => (await demo.get("/api/admin/setup", { token: admin }))["connections"];
  expect(await look()).toBeUndefined();
  // As if eleven more processes ran.
  const others = connect(demo.databaseUrl, { max: 11, name: listenerName });
  const sessions = await Promise.all(Array.from({ length: 11 }, () => others.reserve()));
  onTestFinished(async () => {
    for (const session of sessions) session.release();
    await others.end();
  });
  expect(await look()).toEqual({ processes: 12, need: 12 * 37, given: 397 });
});

test("the bot is known by its own answer, and its token is told to nobody", async () => {
  const said = await demo.get("/api/admin/setup", { token: admin });
  expect(said["bot"]).toEqual({ set: true, name: "postern_test_bot" });
  expect(JSON.stringify(said)).not.toContain(telegram.token);
  telegram.answer = (method) =>
    method === "getMe" ? { ok: false, error_code: 401, description: "Unauthorized" } : undefined;
  const silent = await demo.get("/api/admin/setup", { token: admin });
  telegram.answer = () => undefined;
  expect(silent["bot"]).toEqual({ set: true });
  expect(stepsOf(silent)).toMatchObject({ bot: "warning" });
});

describe("an empty production shop", () => {
  let shop: TestShop;

  beforeAll(async () => {
    dns.names.clear();
    shop = await startShop({
      ...production,
      DNS_SERVERS: dns.address,
      MAIL_FROM: "Shop <no-reply@shop.test>",
    });
  });
  afterAll(() => shop.stop());

  async function member(email: string): Promise<string> {
    const recaptcha = await solved(await shop.get("/api/captcha"));
    const asked = { email, password: "correct horse", localization: "ru", recaptcha };
    const token = String((await shop.post("/user/registration", asked))["token"]);
    await shop.post("/user/activate", { token, code: await shop.codeFor(email) });
    return token;
  }

  test("does not become the first visitor's, says how it gets its administrator, and then what it lacks", async () => {
    const said: string[] = [];
    const log = { warn: (...words: unknown[]) => said.push(String(words.at(-1))) } as unknown as Log;
    const settings = {
      DATABASE_URL: shop.databaseUrl,
      SECRET_KEY: "5f0d9a1be77c42386d94a0c35b1e8f62c9d3477a10be65f84e2b9c70d6a1385e",
    };
    const tell = (more: Record<string, string> = {}) =>
      tellOfAdministrator({ db: shop.db, config: readConfig({ ...settings, ...more }) }, log);

    const visitor = await member("first@example.com");
    expect(await shop.get("/api/admin/setup", { token: visitor })).toMatchObject({ value: "no access" });
    await tell();
    await tell({ ADMIN_EMAILS: "admin@example.com" });
    await tell({ DEMO: "true" });
    expect(said).toEqual([
      expect.stringMatching(/^this shop has no administrator: set ADMIN_EMAILS /),
      expect.stringMatching(/^this shop has no administrator yet: register /),
    ]);

    const token = await member("admin@example.com");
    await tell();
    expect(said).toHaveLength(2);
    const empty = await shop.get("/api/admin/setup", { token });
    expect(empty).toMatchObject({
      done: false,
      demo: false,
      admin: { administrators: ["admin@example.com"], awaited: ["second@example.com"] },
      mail: { from: "Shop <no-reply@shop.test>", domain: "shop.test", signed: false },
      domains: [],
      bot: { set: false },
      btcpay: false,
    });
    expect(empty["mail"]).not.toHaveProperty("relay");
    expect(stepsOf(empty)).toEqual({
      admin: "warning",
      mail: "todo",
      domain: "todo",
      stock: "todo",
      letter: "todo",
      wallets: "todo",
      bot: "todo",
    });
  });

  test("is set up step by step, and then says so", async () => {
    const token = await member("second@example.com");
    const look = (at = shop) => at.get("/api/admin/setup", { token });
    expect(stepsOf(await look())).toMatchObject({ admin: "done" });

    const domain = await addDomain(shop.db, { name: "letters.test", price: usd("0.01"), kind: "own" });
    expect(stepsOf(await look())).toMatchObject({ domain: "warning", stock: "todo", letter: "todo" });
    await addStock(shop.db, domain as number, 3);
    const stocked = await look();
    expect(stocked["domains"]).toEqual([
      { name: "letters.test", kind: "own", on: true, price: "0.01", mailboxes: 3 },
    ]);
    expect(stepsOf(stocked)).toMatchObject({ stock: "done" });

    const beside = await startShop(
      {
        ...production,
        ROLES: "web,smtp",
        DNS_SERVERS: dns.address,
        SMTP_NAME: "mx.shop.test",
        MAIL_URL: "smtp://relay.test:587",
        MAIL_FROM: "Shop <no-reply@shop.test>",
        WALLET_EVM_XPUB: account.publicExtendedKey,
        WALLET_EVM_FIRST: firstAddress,
        BTCPAY_URL: "https://btcpay.test",
        BTCPAY_API_KEY: "key",
        BTCPAY_STORE_ID: "store",
        BTCPAY_CURRENCIES: "ltc=LTC-CHAIN",
        ...(await certificate(shop.dataDir)),
      },
      shop,
    );
    try {
      const started = await look(beside);
      expect(stepsOf(started)).toMatchObject({ mail: "warning", wallets: "warning" });
      expect(started).toMatchObject({ mail: { relay: "relay.test" }, btcpay: true });
      expect((started["wallets"] as object[])[0]).toEqual({
        wallet: "evm",
        key: "WALLET_EVM_XPUB",
        first: "WALLET_EVM_FIRST",
        address: firstAddress,
        chains: [
          { chain: "eth", missing: ["CHAIN_ETH_URLS"] },
          { chain: "bsc", missing: ["CHAIN_BSC_URLS"] },
        ],
      });
      dns.names.set("letters.test", { MX: [[10, "mx.shop.test"]], TXT: ["v=spf1 -all"] });
      dns.names.set("mx.shop.test", { A: ["192.0.2.25"] });
      dns.names.set("shop.test", { TXT: ["v=spf1 a:relay.test -all"] });
      for (const name of ["letters.test", "shop.test"])
        expect(await beside.post("/api/admin/setup/dns", { token, domain: name })).toMatchObject({
          right: true,
        });
      expect(await beside.post("/api/admin/setup/letter", { token, domain: "letters.test" })).toMatchObject({
        arrived: true,
      });
      const nearly = await look(beside);
      expect(nearly["done"]).toBe(false);
      expect(stepsOf(nearly)).toEqual({
        admin: "done",
        mail: "done",
        domain: "done",
        stock: "done",
        letter: "done",
        wallets: "warning",
        bot: "todo",
      });
      await setDomain(shop.db, "letters.test", { enabled: false });
      expect(stepsOf(await look(beside))).toMatchObject({ domain: "todo", stock: "todo" });
    } finally {
      await beside.stop();
    }
  });
});

async function certificate(folder: string): Promise<Record<string, string>> {
  const pem = await ownCertificate(folder, "mx.shop.test");
  const [cert, key] = [join(folder, "mx.crt"), join(folder, "mx.key")];
  await writeFile(cert, pem.cert);
  await writeFile(key, pem.key);
  return { SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key };
}
