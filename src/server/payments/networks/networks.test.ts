// @module-tag slow
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { readConfig } from "../../platform/config/config.ts";
import { createLog } from "../../platform/log.ts";
import { openNetworks } from "./networks.ts";

const log = createLog("silent");
const wallet = {
  WALLET_LTC_XPUB:
    "zpub6rPo5mF47z5coVm5rvWv7fv181awb7Vckn5Cf3xQXBVKu18kuBHDhNi1Jrb4br6vVD3ZbrnXemEsWJoR18mZwkUdzwD8TQnHDUCGxqZ6swA",
  WALLET_LTC_FIRST: "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh",
};

async function named(env: Record<string, string>) {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  return openNetworks({ db, config: readConfig(env), log }).map(({ name }) => name);
}

test("with no wallet a demonstration gets the sandbox, and a shop that sells gets nothing", async () => {
  expect(await named({ DEMO: "true" })).toEqual(["sandbox"]);
  expect(await named({ DEMO: "false" })).toEqual([]);
});

test("with a wallet there is no sandbox, and a chain without a node is not on sale", async () => {
  expect(await named({ ...wallet, DEMO: "true" })).toEqual([]);
});

const btcpay = {
  BTCPAY_URL: "https://btcpay.shop.example",
  BTCPAY_API_KEY: "8c2f40d1b7e94a3fa6d05e17",
  BTCPAY_STORE_ID: "9RfWcLkxQn2cNbCDXTw1o6mUv5sJ",
  BTCPAY_CURRENCIES: "ltc=LTC-CHAIN",
};

test("a BTCPay Server stands beside wallets, or alone, where no sandbox is then", async () => {
  expect(await named({ ...btcpay, DEMO: "true" })).toEqual(["btcpay"]);
  const ours = { ...wallet, CHAIN_LTC_URLS: "http://127.0.0.1:9332" };
  const other = { ...btcpay, BTCPAY_CURRENCIES: "eth=ETH-CHAIN" };
  expect(await named({ ...ours, ...other, DEMO: "true" })).toEqual(["litecoin", "btcpay"]);
});

test("a currency that a wallet serves and a BTCPay Server too stops the start", async () => {
  const both = { ...btcpay, ...wallet, CHAIN_LTC_URLS: "http://127.0.0.1:9332", DEMO: "true" };
  await expect(named(both)).rejects.toThrow(
    /^BTCPAY_CURRENCIES names ltc, which a wallet .* CHAIN_LTC_URLS\.$/,
  );
});

test("a wrong wallet stops the start, also while its chain has no node", async () => {
  const wrong = { ...wallet, WALLET_LTC_FIRST: "ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn" };
  await expect(named({ ...wrong, DEMO: "true" })).rejects.toThrow(/^WALLET_LTC_FIRST is not the first/);
  await expect(named({ ...wallet, DEMO: "false" })).rejects.toThrow(/^WALLET_LTC_XPUB /);
});
