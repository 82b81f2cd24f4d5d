import { type Coin, currencies, currencyIds, type PaymentChain } from "../../../contract/currencies.ts";
import { topUpMaxDollars, topUpMinDollars } from "../../../contract/limits.ts";
import {
  ConfigError,
  href,
  list,
  made,
  parsed,
  read,
  refuseUnknown,
  setting,
  shaped,
  type Table,
  whole,
  Wrong,
  type Environment,
} from "./config.fields.ts";

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

const nodeSays =
  "Nodes of a chain in order of preference, separated by commas; unset: nothing is sold on it.";
const litecoinSays =
  "Nodes of Litecoin in order of preference: a litecoind as http://user:password@127.0.0.1:9332, or an Esplora as https://host/api.";
function chainTable(chain: ChainName) {
  const name = (rest: string) => `CHAIN_${chain.toUpperCase()}_${rest}`;
  const urls = list(href("https", "http"));
  return {
    urls: setting(name("URLS"), urls, "", { secret: true, says: chain === "ltc" ? litecoinSays : nodeSays }),
    id: setting(name("ID"), whole(1, Number.MAX_SAFE_INTEGER), undefined, {
      says: "The id of the chain, where it is not that of the main network.",
    }),
    confirmations: setting(name("CONFIRMATIONS"), whole(0, 100_000), undefined, {
      unit: "blocks",
      says: "After how many blocks a transfer is credited; unset: by the rule of its chain.",
    }),
    pollSeconds: setting(name("POLL_S"), whole(1, 3_600), undefined, {
      unit: "seconds",
      says: "How often nodes are asked; unset: by chain.",
    }),
  };
}

/** The contracts of tokens, by their coins. */
function contractTable(chain: ChainName): Table {
  const form = tokenAddresses[chain];
  if (form === undefined) return {};
  const field = shaped(form, `a contract address of the chain ${chain}`);
  const row = (coin: Coin) =>
    setting(`CHAIN_${chain.toUpperCase()}_${coin}`, field, undefined, {
      says: "The contract of the token, where it is not that of the main network.",
    });
  return Object.fromEntries(tokensOn(chain).map(({ coin }) => [coin, row(coin)]));
}

const tables = chainNames.map((chain) => {
  const { urls, id, ...facts } = chainTable(chain);
  // EIP-155 ids exist on EVM chains and TRON only.
  const hasId = chain !== "ton" && chain !== "ltc";
  return { chain, facts: { urls, ...(hasId && { id }), ...facts }, contracts: contractTable(chain) };
});

export const chains: readonly Table[] = tables.flatMap(({ facts, contracts }) => [facts, contracts]);

/** The CHAIN_ settings. Throws ConfigError on a wrong value or an unknown name. */
export function readChains(env: Environment): Chains {
  refuseUnknown(env, "CHAIN_", chains);
  const entries = tables.map(({ chain, facts, contracts }) => {
    const given = read(env, facts);
    const known = Object.entries(read(env, contracts)).filter(([, contract]) => contract !== undefined);
    return [
      chain,
      Object.freeze({ ...given, id: given.id, contracts: Object.freeze(Object.fromEntries(known)) }),
    ];
  });
  return Object.fromEntries(entries) as Chains;
}

/** fixed:eth=3000,ltc=80 */
const rates = made((given): Rates => {
  if (given === "live") return { source: "live" };
  if (!/^fixed:([a-z0-9]+=\d+(\.\d+)?)(,[a-z0-9]+=\d+(\.\d+)?)*$/.test(given))
    throw new Wrong('must be "live" or of the form fixed:eth=3000,ltc=80');
  const pairs = given
    .slice("fixed:".length)
    .split(",")
    .map((pair) => pair.split("=") as [string, string]);
  const free = pairs.find(([, usd]) => Number(usd) === 0);
  if (free) throw new Wrong(`gives ${free[0]} the value 0, but a rate must be above 0`);
  return { source: "fixed", usd: Object.freeze(Object.fromEntries(pairs)) };
});

/** kraken=https://…; then only those are asked. */
const rateUrl = made((given) => {
  const [name = "", ...rest] = given.split("=");
  const source = rateSources.find((one) => one === name);
  if (!source) throw new Wrong(`names ${name}, but the sources are ${rateSources.join(", ")}`);
  return [source, parsed(href("https", "http"), rest.join("="))] as const;
});
const rateUrls = made((given): Readonly<Partial<Record<RateSource, string>>> => {
  const pairs = parsed(list(rateUrl), given);
  if (new Set(pairs.map(([source]) => source)).size < 2)
    throw new Wrong("must name two sources at least, because a rate is what two agree on");
  return Object.freeze(Object.fromEntries(pairs));
});

/** erc=25 */
const minimum = made((given) => {
  const [id = "", dollars = ""] = given.split("=");
  if (!currencyIds.includes(id))
    throw new Wrong(`names ${id}, but the currencies are ${currencyIds.join(", ")}`);
  const isRight = /^\d{1,6}(\.\d{1,2})?$/.test(dollars);
  if (!isRight || Number(dollars) < topUpMinDollars || Number(dollars) > topUpMaxDollars)
    throw new Wrong(
      `gives ${id} "${dollars}" but must give dollars from ${topUpMinDollars} to ${topUpMaxDollars}`,
    );
  return [id, dollars] as const;
});
const minimums = made((given): Readonly<Record<string, string>> =>
  Object.freeze(Object.fromEntries(parsed(list(minimum), given))),
);

export const payments = {
  rates: setting("RATES", rates, "live", {
    says: "live, or fixed:eth=3000,ltc=80 in dollars by coin (only with DEMO=true).",
  }),
  rateUrls: setting("RATES_URLS", rateUrls, undefined, {
    says: "Which public sources of rates are asked, and where: kraken=…,binance=…,coinbase=…,coingecko=…, two of them at least; unset: all four, at their own addresses.",
  }),
  paymentMinimums: setting("PAYMENT_MIN", minimums, "", {
    says: "From how many dollars a currency is taken, where moving it costs more: erc=25,usdttrc20=10; 1 for each that is not named.",
  }),
  paymentTtlSeconds: setting("PAYMENT_TTL_S", whole(1, 604_800), undefined, {
    unit: "seconds",
    says: "For how long a payment's locked rate lives; unset: by coin.",
  }),
};

/** The settings of rates and payments. Throws ConfigError when they do not go together. */
export function readPayments(env: Environment, demo: boolean) {
  const { rateUrls: urls, ...given } = read(env, payments);
  const isFixed = given.rates.source === "fixed";
  if (isFixed && urls) throw new ConfigError("RATES_URLS is of no use with fixed RATES: remove one of both.");
  if (isFixed && !demo)
    throw new ConfigError("RATES can be fixed only with DEMO=true, because real payments need real rates.");
  const rates: Rates = isFixed || !urls ? given.rates : { source: "live", urls };
  return { ...given, rates };
}
