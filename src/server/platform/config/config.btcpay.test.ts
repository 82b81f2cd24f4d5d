import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const whole = {
  BTCPAY_URL: "https://shop.example/btcpay/",
  BTCPAY_API_KEY: "8c2f40d1b7e94a3fa6d05e17",
  BTCPAY_STORE_ID: "9RfWcLkxQn2cNbCDXTw1o6mUv5sJ",
  BTCPAY_CURRENCIES: "ltc=LTC-CHAIN, usdttrc20=USDT-TRON",
};

test("a BTCPay Server is where it is, with a key, a store and its methods; the secret of a webhook may be missing", () => {
  expect(readConfig(whole).btcpay).toEqual({
    url: "https://shop.example/btcpay",
    apiKey: "8c2f40d1b7e94a3fa6d05e17",
    storeId: "9RfWcLkxQn2cNbCDXTw1o6mUv5sJ",
    webhookSecret: undefined,
    methods: { ltc: "LTC-CHAIN", usdttrc20: "USDT-TRON" },
  });
  expect(readConfig({ ...whole, BTCPAY_WEBHOOK_SECRET: "3pvZ8WbYhE6d" }).btcpay?.webhookSecret).toBe(
    "3pvZ8WbYhE6d",
  );
});

test.each([
  [{ BTCPAY_API_KEY: "" }, "BTCPAY_API_KEY is required with BTCPAY_URL, BTCPAY_STORE_ID, BTCPAY_CURRENCIES."],
  [
    { BTCPAY_CURRENCIES: "" },
    "BTCPAY_CURRENCIES is required with BTCPAY_URL, BTCPAY_API_KEY, BTCPAY_STORE_ID.",
  ],
  [
    { BTCPAY_URL: "https://key@shop.example" },
    "BTCPAY_URL must be only where the server is, for example https://btcpay.shop.example.",
  ],
  [{ BTCPAY_API_KEY: "two words" }, "BTCPAY_API_KEY must be an API key as BTCPay Server shows it."],
  [{ BTCPAY_WEBHOOK_SECRET: "short" }, "BTCPAY_WEBHOOK_SECRET must be at least 8 characters without spaces."],
  [
    { BTCPAY_CURRENCIES: "ltc" },
    'BTCPAY_CURRENCIES gives ltc "" but must give a payment method of the store, for example LTC-CHAIN.',
  ],
  [
    { BTCPAY_CURRENCIES: "ltc=LTC-LN" },
    "BTCPAY_CURRENCIES gives ltc LTC-LN, but payments over Lightning are not taken.",
  ],
  [{ BTCPAY_CURRENCIES: "ltc=LTC-CHAIN,eth=LTC-CHAIN" }, "BTCPAY_CURRENCIES names LTC-CHAIN twice."],
  [{ BTCPAY_CURRENCIES: "ltc=LTC-CHAIN,ltc=LTC2-CHAIN" }, "BTCPAY_CURRENCIES names ltc twice."],
])("with %j the start is refused", (change, says) => {
  expect(() => readConfig({ ...whole, ...change })).toThrow(says);
});

test("what names no server is refused, and so is a currency that is none", () => {
  expect(() => readConfig({ BTCPAY_WEBHOOK_SECRET: "3pvZ8WbYhE6d" })).toThrow(/^BTCPAY_URL is required with/);
  expect(() => readConfig({ ...whole, BTCPAY_CURRENCIES: "btc=BTC-CHAIN" })).toThrow(
    /^BTCPAY_CURRENCIES names btc, but/,
  );
});
