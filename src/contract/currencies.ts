/** The nine currencies of spec B §2, in the order of its list. No schema here: the top-up dialog needs the list alone. */
export const currencies = [
  { id: "usdttrc20", name: "USDT TRC20", coin: "USDT", network: "TRON (TRC20)", decimals: 2 },
  { id: "trx", name: "TRON", coin: "TRX", network: "TRON", decimals: 2 },
  { id: "bep20", name: "BEP20", coin: "BNB", network: "BNB Smart Chain (BEP20)", decimals: 6 },
  { id: "usdtbep20", name: "USDT BEP20", coin: "USDT", network: "BNB Smart Chain (BEP20)", decimals: 2 },
  { id: "ton", name: "TON", coin: "TON", network: "TON", decimals: 2 },
  { id: "usdtton", name: "USDT TON", coin: "USDT", network: "TON", decimals: 2 },
  { id: "ltc", name: "Litecoin", coin: "LTC", network: "Litecoin", decimals: 5 },
  { id: "eth", name: "Ethereum", coin: "ETH", network: "Ethereum", decimals: 6 },
  { id: "erc", name: "ERC20", coin: "USDT", network: "Ethereum (ERC20)", decimals: 2 },
] as const;

export type Currency = (typeof currencies)[number];
export type CurrencyId = Currency["id"];

export const currencyIds: readonly string[] = currencies.map((currency) => currency.id);
