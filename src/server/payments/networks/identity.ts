// What tells one chain from another of its kind, and where its tokens live.
import {
  type Coin,
  currencies,
  type CurrencyId,
  type PaymentChain as RealChain,
} from "../../../contract/currencies.ts";
import { type ChainConfig, type Chains, settingOf } from "../../platform/config/config.ts";

/** A token that is taken on a chain. */
export interface Token {
  readonly currency: CurrencyId;
  readonly coin: Coin;
  readonly decimals: number;
  /** As people write it; each watcher makes its own spelling of it. */
  readonly contract: string;
}

/** The chain's id where it has one (EIP-155), and its tokens. */
export interface Identity {
  readonly id?: number | undefined;
  readonly tokens: readonly Token[];
}

export type Identities = Readonly<Record<RealChain, Identity>>;

/** Of TRON it is the last four bytes of its first block's id. */
export const mainIds = {
  ethereum: 1,
  bsc: 56,
  tron: 0x2b6653dc,
  ton: undefined,
  litecoin: undefined,
} as const;

/** A chain as the settings name it, else its main network. */
export function identityOf(
  chain: RealChain,
  { id, contracts = {} }: Partial<Pick<ChainConfig, "id" | "contracts">> = {},
): Identity {
  const tokens = currencies.flatMap(({ id: currency, coin, unitDecimals: decimals, ...listed }): Token[] =>
    listed.chain === chain && listed.contract !== undefined
      ? [{ currency, coin, decimals, contract: contracts[coin] ?? listed.contract }]
      : [],
  );
  return { id: id ?? mainIds[chain], tokens };
}

/** The main networks, but where the settings name another. */
export function identitiesOf(chains?: Chains): Identities {
  const entries = Object.entries(settingOf) as [RealChain, keyof Chains][];
  return Object.fromEntries(
    entries.map(([chain, setting]) => [chain, identityOf(chain, chains?.[setting])]),
  ) as Identities;
}

export const mainIdentities: Identities = identitiesOf();

/** The one of a chain's tokens that a currency is; undefined: it is the chain's own coin. */
export const tokenOf = ({ tokens }: Pick<Identity, "tokens">, currency: CurrencyId) =>
  tokens.find((token) => token.currency === currency);

/** Whether a contract that calls itself so is the token; Tether writes its T with two bars on some chains. */
export const isCalled = (symbol: string, { coin }: Token) => symbol.replace("₮", "T") === coin;
