import { ConfigError, shaped, text, urls, whole, type Environment } from "./config.read.ts";

/** The blockchains that a payment can arrive on. */
export const chainNames = ["eth", "bsc", "tron", "ton", "ltc"] as const;
export type ChainName = (typeof chainNames)[number];

/** How one chain is reached. What is undefined is the main network's, as payments.md has it. */
export interface ChainConfig {
  /** Nodes in order of preference; none: the chain is not on sale. */
  urls: string[];
  id: number | undefined;
  usdt: string | undefined;
  confirmations: number | undefined;
  pollSeconds: number | undefined;
}

/** A public key that addresses are derived from, and the first of them as the operator's own wallet shows it. */
export interface WalletConfig {
  key: string;
  first: string;
}

export type WalletName = "evm" | "tron" | "ltc" | "ton";
export type Chains = Readonly<Record<ChainName, ChainConfig>>;
export type Wallets = Readonly<Record<WalletName, WalletConfig | undefined>>;

/** Where rates come from. Fixed rates are decimal dollars by coin, for demonstrations and tests. */
export type Rates = { source: "live" } | { source: "fixed"; usd: Readonly<Record<string, string>> };

const evmAddress = /^0x[0-9a-fA-F]{40}$/;
const tronAddress = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const tonAddress = /^([A-Za-z0-9_/+-]{48}|-?\d+:[0-9a-fA-F]{64})$/;
const litecoinAddress = /^((ltc|tltc|rltc)1[02-9ac-hj-np-z]{8,87}|[LM3mn2Q][1-9A-HJ-NP-Za-km-z]{25,34})$/;
// BIP 32: 78 bytes and a checksum in base58; the four letters tell network and address form (xpub, zpub, Mtub…).
const extendedKey = /^[A-Za-z]{4}[1-9A-HJ-NP-Za-km-z]{107}$/;

const keySettings = {
  evm: "WALLET_EVM_XPUB",
  tron: "WALLET_TRON_XPUB",
  ltc: "WALLET_LTC_XPUB",
  ton: "WALLET_TON_PUBLIC_KEY",
};
const firstAddresses = { evm: evmAddress, tron: tronAddress, ltc: litecoinAddress, ton: tonAddress };
const tokenAddresses = { eth: evmAddress, bsc: evmAddress, tron: tronAddress, ton: tonAddress } as const;

/** The CHAIN_ settings. Throws ConfigError on a wrong one, and on a name that is none of them: a typing error. */
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

/** The WALLET_ settings. A key without its first address is refused: the check against mistakes is not optional. */
export function readWallets(env: Environment): Wallets {
  const firsts = Object.keys(keySettings).map((name) => `WALLET_${name.toUpperCase()}_FIRST`);
  refuseUnknown(env, "WALLET_", [...Object.values(keySettings), ...firsts]);
  return {
    evm: readWallet(env, "evm"),
    tron: readWallet(env, "tron"),
    ltc: readWallet(env, "ltc"),
    ton: readWallet(env, "ton"),
  };
}

/** The RATES setting: `live`, or `fixed:eth=3000,ltc=80` which only a demonstration may use. */
export function readRates(env: Environment, demo: boolean): Rates {
  const value = text(env, "RATES") ?? "live";
  if (value === "live") return { source: "live" };
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

function settingsOf(chain: ChainName): string[] {
  const common = ["URLS", "CONFIRMATIONS", "POLL_S"];
  const evm = chain === "eth" || chain === "bsc" ? ["ID"] : [];
  const token = chain === "ltc" ? [] : ["USDT"];
  return [...common, ...evm, ...token].map((setting) => `CHAIN_${chain.toUpperCase()}_${setting}`);
}

function readChain(env: Environment, chain: ChainName): ChainConfig {
  const setting = (name: string) => `CHAIN_${chain.toUpperCase()}_${name}`;
  const token = chain === "ltc" ? undefined : tokenAddresses[chain];
  return Object.freeze({
    urls: urls(env, setting("URLS"), ["https", "http"]),
    id: whole(env, setting("ID"), { min: 1, max: Number.MAX_SAFE_INTEGER }),
    usdt: token && shaped(env, setting("USDT"), token, `a contract address of the chain ${chain}`),
    confirmations: whole(env, setting("CONFIRMATIONS"), { min: 0, max: 100_000 }),
    pollSeconds: whole(env, setting("POLL_S"), { min: 1, max: 3_600 }),
  });
}

function readWallet(env: Environment, wallet: WalletName): WalletConfig | undefined {
  const [pattern, form] =
    wallet === "ton"
      ? [/^[0-9a-fA-F]{64}$/, "a public key of 64 hexadecimal digits"]
      : [extendedKey, "an account-level extended public key (111 characters, for example xpub…)"];
  const key = shaped(env, keySettings[wallet], pattern as RegExp, form as string);
  const setting = `WALLET_${wallet.toUpperCase()}_FIRST`;
  const first = shaped(
    env,
    setting,
    firstAddresses[wallet],
    "an address of that chain, as your own wallet shows it",
  );
  if (key !== undefined && first === undefined)
    throw new ConfigError(
      `${setting} is required with ${keySettings[wallet]}: the first address your wallet shows.`,
    );
  if (key === undefined && first !== undefined)
    throw new ConfigError(`${keySettings[wallet]} is required with ${setting}.`);
  return key === undefined || first === undefined ? undefined : Object.freeze({ key, first });
}

function refuseUnknown(env: Environment, prefix: string, known: string[]): void {
  const unknown = Object.keys(env).find((name) => name.startsWith(prefix) && !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `${unknown} is not a setting; those that start with ${prefix} are ${known.join(", ")}.`,
    );
}
