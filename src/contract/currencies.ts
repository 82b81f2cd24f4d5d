export type PaymentChain = "ethereum" | "bsc" | "tron" | "ton" | "litecoin";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly coin: string;
  readonly network: string;
  /** Decimals that the page shows and asks for. */
  readonly decimals: number;
  readonly chain: PaymentChain;
  readonly unitDecimals: number;
  /** In coins; less is no payment. It allows for what an exchange may deduct from the least top-up. */
  readonly least: string;
  /** Of a token (each is a dollar coin): its contract on the main network. */
  readonly contract?: string;
}

/**
 * The currencies of spec B §2, in its order. A new token is one entry here; a new coin also needs its name at CoinGecko.
 * The contracts of USDT are those that Tether names.
 */
const listed = [
  {
    id: "usdttrc20",
    name: "USDT TRC20",
    coin: "USDT",
    network: "TRON (TRC20)",
    decimals: 2,
    chain: "tron",
    unitDecimals: 6,
    least: "0.01",
    contract: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  },
  {
    id: "trx",
    name: "TRON",
    coin: "TRX",
    network: "TRON",
    decimals: 2,
    chain: "tron",
    unitDecimals: 6,
    least: "0.1",
  },
  {
    id: "bep20",
    name: "BEP20",
    coin: "BNB",
    network: "BNB Smart Chain (BEP20)",
    decimals: 6,
    chain: "bsc",
    unitDecimals: 18,
    least: "0.00001",
  },
  {
    id: "usdtbep20",
    name: "USDT BEP20",
    coin: "USDT",
    network: "BNB Smart Chain (BEP20)",
    decimals: 2,
    chain: "bsc",
    unitDecimals: 18,
    least: "0.01",
    contract: "0x55d398326f99059fF775485246999027B3197955",
  },
  {
    id: "ton",
    name: "TON",
    coin: "TON",
    network: "TON",
    decimals: 2,
    chain: "ton",
    unitDecimals: 9,
    least: "0.01",
  },
  {
    id: "usdtton",
    name: "USDT TON",
    coin: "USDT",
    network: "TON",
    decimals: 2,
    chain: "ton",
    unitDecimals: 6,
    least: "0.01",
    contract: "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs",
  },
  {
    id: "ltc",
    name: "Litecoin",
    coin: "LTC",
    network: "Litecoin",
    decimals: 5,
    chain: "litecoin",
    unitDecimals: 8,
    least: "0.0001",
  },
  {
    id: "eth",
    name: "Ethereum",
    coin: "ETH",
    network: "Ethereum",
    decimals: 6,
    chain: "ethereum",
    unitDecimals: 18,
    least: "0.00001",
  },
  {
    id: "erc",
    name: "ERC20",
    coin: "USDT",
    network: "Ethereum (ERC20)",
    decimals: 2,
    chain: "ethereum",
    unitDecimals: 6,
    least: "0.01",
    contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  },
] as const satisfies readonly Listed[];

export type CurrencyId = (typeof listed)[number]["id"];
export type Coin = (typeof listed)[number]["coin"];
export type Currency = Listed & { readonly id: CurrencyId; readonly coin: Coin };

/** No schema here: the top-up dialog imports only the list. */
export const currencies: readonly Currency[] = listed;

/** The wallets of the shop: chains that share keys share one. */
export const walletFamilies = ["evm", "tron", "ltc", "ton"] as const;

export const currencyIds: readonly string[] = currencies.map((currency) => currency.id);
