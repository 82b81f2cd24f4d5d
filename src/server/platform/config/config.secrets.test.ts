import { messageOf } from "../../../../test/kit/config.ts";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import { makeKeys } from "../backup/keys.ts";
import { fileSettingOf, misspelt, readConfig, resolveSecret, settings } from "./config.ts";

const key = "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602";
const database = { DATABASE_URL: "postgres://shop:pw@db:5432/shop", SECRET_KEY: key };

describe("the key of the shop", () => {
  const dir = mkdtempSync(join(tmpdir(), "postern-config-"));
  afterAll(() => rmSync(dir, { recursive: true }));

  test("is made once beside the embedded database, for its owner's eyes only", () => {
    const config = readConfig({ DATA_DIR: join(dir, "fresh/data") });
    const first = resolveSecret(config);
    expect(first).toHaveLength(32);
    expect(resolveSecret(config)).toEqual(first);
    const path = join(config.dataDir, "secret.key");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).not.toContain(first.toString("hex"));
    expect(readdirSync(config.dataDir)).toEqual(["secret.key"]);
  });

  test("comes from SECRET_KEY when that is set, always the same", () => {
    const one = resolveSecret(readConfig({ SECRET_KEY: key }));
    expect(resolveSecret(readConfig({ SECRET_KEY: key }))).toEqual(one);
    expect(resolveSecret(readConfig({ SECRET_KEY: `${key}x` }))).not.toEqual(one);
    expect(one).toHaveLength(32);
  });

  const weak: [string, string][] = [
    ["k".repeat(32), "has fewer than 8 different characters"],
    ["deadbeef".repeat(5), "has fewer than 8 different characters"],
    ["0123456789".repeat(4), "follows the alphabet, the numbers or the keyboard"],
    ["zyxwvutsrqponmlkjihgfedcba987654", "follows the alphabet, the numbers or the keyboard"],
    ["qwertyuiopasdfghjklzxcvbnm123456", "follows the alphabet, the numbers or the keyboard"],
    ["x7Qp29Lm".repeat(5), "repeats itself"],
    ["please change this secret key now", "is made of words"],
    ["My-Secret-Key-For-Postern-2026-xx", "is made of words"],
    ["geheimesPasswortfuerdenLadenPostern", "is made of words"],
  ];
  test.each(weak)("is refused when it can be guessed, with the way on: %s", (given, why) => {
    const message = messageOf(() => readConfig({ SECRET_KEY: given }));
    expect(message).toContain(`SECRET_KEY must be random, but this one ${why}`);
    expect(message).toContain("`openssl rand -hex 32` makes one");
    expect(message).toContain("this one as SECRET_KEY_OLD");
    expect(message).not.toContain(given);
    // A shop that took it once comes away from it.
    const moved = readConfig({ SECRET_KEY: key, SECRET_KEY_OLD: given });
    expect(moved.secretKeyOld).toHaveLength(32);
  });

  test("is taken when it is random, in whatever letters it is written", () => {
    for (let count = 0; count < 200; count++)
      for (const encoding of ["hex", "base64", "base64url"] as const)
        expect(() => readConfig({ SECRET_KEY: randomBytes(32).toString(encoding) })).not.toThrow();
  });

  test("is another than the one before", () => {
    const message = messageOf(() => readConfig({ SECRET_KEY: key, SECRET_KEY_OLD: key }));
    expect(message).toBe("SECRET_KEY_OLD is the same key as SECRET_KEY.");
  });
});

describe("a secret from a file", () => {
  const dir = mkdtempSync(join(tmpdir(), "postern-secrets-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  const path = join(dir, "secret");
  const held: Record<string, string> = {
    ...database,
    DATABASE_SESSION_URL: "postgres://shop:pw@direct:5432/shop",
    DATABASE_READ_URL: "postgres://shop:pw@replica:5432/shop",
    SECRET_KEY_OLD: "whatever was accepted once, and more",
    MAIL_URL: "smtp://me:pw@mail.test:587",
    TELEGRAM_BOT_TOKEN: "123456:ABC",
    METRICS_TOKEN: "0123456789abcdef0",
    CAPTCHA_SECRET: "theirs",
    CHAIN_ETH_URLS: "http://127.0.0.1:8545/key",
    CHAIN_BSC_URLS: "http://127.0.0.1:8546/key",
    CHAIN_TRON_URLS: "http://127.0.0.1:8547/key",
    CHAIN_TON_URLS: "http://127.0.0.1:8548/key",
    CHAIN_LTC_URLS: "http://127.0.0.1:8549/key",
    BACKUP_PRIVATE_KEY: makeKeys().privateKey,
    BTCPAY_API_KEY: "a-key",
    BTCPAY_WEBHOOK_SECRET: "a-secret-of-it",
  };
  const beside = {
    ...held,
    MAIL_FROM: "shop@mail.test",
    CAPTCHA: "turnstile",
    CAPTCHA_SITE_KEY: "site",
    BTCPAY_URL: "https://btcpay.test",
    BTCPAY_STORE_ID: "store",
    BTCPAY_CURRENCIES: "ltc=LTC-CHAIN",
  };
  const secrets = [...settings.values()].flat().filter((one) => fileSettingOf(one) !== undefined);

  test.each(secrets)("$name is read like the setting, without the end of its line", (one) => {
    const { name } = one;
    const { [name]: value, ...others } = beside as Record<string, string | undefined>;
    expect(value, `${name} has no example here`).toBeDefined();
    writeFileSync(path, `${value}\n`);
    const read = readConfig({ ...others, [`${name}_FILE`]: path });
    expect(read).toEqual(readConfig(beside));
    expect(misspelt({ [`${name}_FILE`]: path })).toEqual([]);
    expect(messageOf(() => readConfig({ ...beside, [`${name}_FILE`]: path }))).toBe(
      `${name}_FILE and ${name} are both set, but one secret comes from one place.`,
    );
  });

  test("is refused when the file is not there, or is empty", () => {
    expect(messageOf(() => readConfig({ SECRET_KEY_FILE: join(dir, "none") }))).toBe(
      `SECRET_KEY_FILE names ${join(dir, "none")}, which cannot be read (ENOENT).`,
    );
    expect(messageOf(() => readConfig({ SECRET_KEY_FILE: dir }))).toContain("cannot be read (EISDIR)");
    writeFileSync(path, "\n");
    expect(messageOf(() => readConfig({ SECRET_KEY_FILE: path }))).toBe(
      `SECRET_KEY_FILE names ${path}, which is empty.`,
    );
  });

  test("is no way of settings that are no secret, and of none that the shop does not read", () => {
    const names = secrets.map(({ name }) => name);
    expect(names).toContain("SECRET_KEY");
    expect(names).not.toContain("PORT");
    expect(names).not.toContain("DATABASE_PASSWORD");
  });
});
