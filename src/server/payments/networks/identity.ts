// What tells one chain from another of its kind, and where its dollar coin lives.
import type { ChainConfig, Chains } from "../../platform/config/config.ts";
import type { ChainName } from "../payments.terms.ts";

/** Every chain that is one. */
export type RealChain = Exclude<ChainName, "sandbox" | "btcpay">;

/** The chain's id where it has one (EIP-155), and the contract of its USDT where it has one, as people write it. */
export interface Identity {
  readonly id?: number | undefined;
  readonly usdt?: string | undefined;
}

export type Identities = Readonly<Record<RealChain, Identity>>;

/** The settings' short name of each chain. */
export const settingOf: Readonly<Record<RealChain, keyof Chains>> = {
  ethereum: "eth",
  bsc: "bsc",
  tron: "tron",
  ton: "ton",
  litecoin: "ltc",
};

/** The main networks (the contracts are those that Tether names). */
export const mainIdentities = {
  ethereum: { id: 1, usdt: "0xdAC17F958D2ee523a2206206994597C13D831ec7" },
  bsc: { id: 56, usdt: "0x55d398326f99059fF775485246999027B3197955" },
  tron: { usdt: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" },
  ton: { usdt: "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs" },
  litecoin: {},
} as const satisfies Identities;

/** The main networks, but where the settings name another. */
export function identitiesOf(chains: Chains): Identities {
  const identityOf = (chain: RealChain): Identity => {
    const { id, usdt }: Partial<ChainConfig> = chains[settingOf[chain]];
    const main: Identity = mainIdentities[chain];
    return { id: id ?? main.id, usdt: usdt ?? main.usdt };
  };
  return {
    ethereum: identityOf("ethereum"),
    bsc: identityOf("bsc"),
    tron: identityOf("tron"),
    ton: identityOf("ton"),
    litecoin: identityOf("litecoin"),
  };
}
