import { type Coin, currencies, currencyIds, type PaymentChain } from "../../../contract/currencies.ts";
import { topUpMaxDollars, topUpMinDollars } from "../../../contract/limits.ts";
import {
  ConfigError,
  list,
  parseUrl,
  refuseUnknown,
  shaped,
  text,
  urls,
  whole,
  type Environment,
} from "./config.read.ts";

export const chainNames = ["eth", "bsc", "tron", "ton", "ltc"] as const;
export type ChainName = (typeof chainNames)[number];

export const settingOf: Readonly<Record<PaymentChain, ChainName>> = {
  ethereum: "eth",
  bsc: "bsc",
  tron: "tron",
  ton: "ton",
  litecoin: "ltc",
};

/** Undefined values are those of the main network (docs/payments.md). */
export interface ChainConfig {
  /** In order of preference; none: the chain is not on sale. */
  urls: string[];
  id: number | undefined;
  contracts: Readonly<Partial<Record<Coin, string>>>;
  confirmations: number | undefined;
  pollSeconds: number | undefined;
}

export type Chains = Readonly<Record<ChainName, ChainConfig>>;

export const rateSources = ["kraken", "binance", "coinbase", "coingecko"] as const;
export type RateSource = (typeof rateSources)[number];

/** Public sources, all or those of `urls`; or fixed decimal dollars by coin, for demos and tests. */
export type Rates =
  | { source: "live"; urls?: Readonly<Partial<Record<RateSource, string>>> }
  | { source: "fixed"; usd: Readonly<Record<string, string>> };

export const evmAddress = /^0x[0-9a-fA-F]{40}$/;
export const tronAddress = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
export const tonAddress = /^([A-Za-z0-9_/+-]{48}|-?\d+:[0-9a-fA-F]{64})$/;
const tokenAddresses = {
  eth: evmAddress,
  bsc: evmAddress,
  tron: tronAddress,
  ton: tonAddress,
  ltc: undefined,
} as const;

const tokensOn = (chain: ChainName) =>
  currencies.filter((one) => one.contract !== undefined && settingOf[one.chain] === chain);

/** The CHAIN_ settings. Throws ConfigError on a wrong value or an unknown name. */
export function readChains(env: Environment): Chains {
  refuseUnknown(env, "CHAIN_", chainNames.flatMap(settingsOf));
  return {
    eth: readChain(env, "eth"),
    bsc: readChain(env, "bsc"),
    tron: readChain(env, "tron"),
    ton: readChain(env, "ton"),
    ltc: readChain(env, "ltc"),
  };
}

/** The RATES setting: `live`, or `fixed:eth=3000,ltc=80` in a demo. */
export function readRates(env: Environment, demo: boolean): Rates {
  const value = text(env, "RATES") ?? "live";
  const urls = readRateUrls(env);
  if (value === "live") return urls ? { source: "live", urls } : { source: "live" };
  if (urls) throw new ConfigError("RATES_URLS is of no use with fixed RATES: remove one of both.");
  const fixed = /^fixed:([a-z0-9]+=\d+(\.\d+)?)(,[a-z0-9]+=\d+(\.\d+)?)*$/.test(value);
  if (!fixed) throw new ConfigError('RATES must be "live" or of the form fixed:eth=3000,ltc=80.');
  if (!demo)
    throw new ConfigError("RATES can be fixed only with DEMO=true, because real payments need real rates.");
  const pairs = value
    .slice("fixed:".length)
    .split(",")
    .map((pair) => pair.split("=") as [string, string]);
  const free = pairs.find(([, usd]) => Number(usd) === 0);
  if (free) throw new ConfigError(`RATES gives ${free[0]} the value 0, but a rate must be above 0.`);
  return { source: "fixed", usd: Object.freeze(Object.fromEntries(pairs)) };
}

/** The PAYMENT_MIN setting: erc=25,usdttrc20=10, dollars by currency id. */
export function readMinimums(env: Environment): Readonly<Record<string, string>> {
  const pairs = list(env, "PAYMENT_MIN").map((item) => {
    const [id = "", dollars = ""] = item.split("=");
    if (!currencyIds.includes(id))
      throw new ConfigError(`PAYMENT_MIN names ${id}, but the currencies are ${currencyIds.join(", ")}.`);
    if (
      !/^\d{1,6}(\.\d{1,2})?$/.test(dollars) ||
      Number(dollars) < topUpMinDollars ||
      Number(dollars) > topUpMaxDollars
    )
      throw new ConfigError(
        `PAYMENT_MIN gives ${id} "${dollars}" but must give dollars from ${topUpMinDollars} to ${topUpMaxDollars}.`,
      );
    return [id, dollars] as const;
  });
  return Object.freeze(Object.fromEntries(pairs));
}

/** The RATES_URLS setting: kraken=https://…; then only those are asked. */
function readRateUrls(env: Environment): Partial<Record<RateSource, string>> | undefined {
  const pairs = list(env, "RATES_URLS").map((item) => {
    const [name = "", ...rest] = item.split("=");
    const source = rateSources.find((one) => one === name);
    if (!source)
      throw new ConfigError(`RATES_URLS names ${name}, but the sources are ${rateSources.join(", ")}.`);
    return [source, parseUrl("RATES_URLS", rest.join("="), ["https", "http"]).href] as const;
  });
  if (pairs.length === 0) return undefined;
  if (new Set(pairs.map(([source]) => source)).size < 2)
    throw new ConfigError("RATES_URLS must name two sources at least, because a rate is what two agree on.");
  return Object.freeze(Object.fromEntries(pairs));
}

function settingsOf(chain: ChainName): string[] {
  const common = ["URLS", "CONFIRMATIONS", "POLL_S"];
  // EIP-155 ids exist on EVM chains and TRON only.
  const id = chain === "ton" || chain === "ltc" ? [] : ["ID"];
  const tokens = tokensOn(chain).map(({ coin }) => coin);
  return [...common, ...id, ...tokens].map((setting) => `CHAIN_${chain.toUpperCase()}_${setting}`);
}

function readChain(env: Environment, chain: ChainName): ChainConfig {
  const setting = (name: string) => `CHAIN_${chain.toUpperCase()}_${name}`;
  const form = tokenAddresses[chain];
  const contracts = tokensOn(chain).flatMap(({ coin }) => {
    const contract = form && shaped(env, setting(coin), form, `a contract address of the chain ${chain}`);
    return contract === undefined ? [] : [[coin, contract] as const];
  });
  return Object.freeze({
    urls: urls(env, setting("URLS"), ["https", "http"]),
    id: whole(env, setting("ID"), { min: 1, max: Number.MAX_SAFE_INTEGER }),
    contracts: Object.freeze(Object.fromEntries(contracts)),
    confirmations: whole(env, setting("CONFIRMATIONS"), { min: 0, max: 100_000 }),
    pollSeconds: whole(env, setting("POLL_S"), { min: 1, max: 3_600 }),
  });
}
