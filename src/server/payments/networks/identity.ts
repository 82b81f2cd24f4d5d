import {
  type Coin,
  currencies,
  type CurrencyId,
  type PaymentChain as RealChain,
} from "../../../contract/currencies.ts";
import { type ChainConfig, type Chains, settingOf } from "../../platform/config/config.ts";

export interface Token {
  readonly currency: CurrencyId;
  readonly coin: Coin;
  readonly decimals: number;
  /** As people write it; each chain normalises it. */
  readonly contract: string;
}

export interface Identity {
  readonly id?: number | undefined;
  readonly tokens: readonly Token[];
}

export type Identities = Readonly<Record<RealChain, Identity>>;

/** TRON's is the last four bytes of its first block's id. */
export const mainIds = {
  ethereum: 1,
  bsc: 56,
  tron: 0x2b6653dc,
  ton: undefined,
  litecoin: undefined,
} as const;

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

export function identitiesOf(chains?: Chains): Identities {
  const entries = Object.entries(settingOf) as [RealChain, keyof Chains][];
  return Object.fromEntries(
    entries.map(([chain, setting]) => [chain, identityOf(chain, chains?.[setting])]),
  ) as Identities;
}

export const mainIdentities: Identities = identitiesOf();

/** Undefined: the currency is the chain's own coin. */
export const tokenOf = ({ tokens }: Pick<Identity, "tokens">, currency: CurrencyId) =>
  tokens.find((token) => token.currency === currency);

/** Whether a symbol is the token's; Tether writes its T with two bars on some chains. */
export const isCalled = (symbol: string, { coin }: Token) => symbol.replace("₮", "T") === coin;
