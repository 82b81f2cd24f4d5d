// A real chain of Ethereum's kind with the tokens of both chains, and an operator's wallet.
import { randomBytes } from "node:crypto";
import type { Hex } from "viem";
import { HDKey, hdKeyToAccount } from "viem/accounts";
import { type Anvil, startAnvil } from "./anvil.ts";

/** The two chains, and a hundred dollars of each token. */
export const kinds = [
  { name: "ethereum", coin: "eth", token: "erc", hundred: 100_000_000n, other: "bsc" },
  { name: "bsc", coin: "bep20", token: "usdtbep20", hundred: 100n * 10n ** 18n, other: "ethereum" },
] as const;
export type Kind = (typeof kinds)[number];

export const confirmations = 4;
/** The newest blocks are read later. */
export const lag = 2;

export interface EvmChain extends Anvil {
  readonly dollars: Readonly<Record<Kind["name"], Hex>>;
  readonly payer: Hex;
  /** In the next block. */
  send(token: Hex, to: string, amount: bigint): Promise<Hex>;
}

export async function startEvmChain(options?: { chainId?: number }): Promise<EvmChain> {
  const anvil = await startAnvil(options);
  return {
    ...anvil,
    dollars: { ethereum: await anvil.deploy("Dollars", 6), bsc: await anvil.deploy("Dollars", 18) },
    payer: await anvil.deploy("Payer"),
    send: (token, to, amount) => anvil.call(token, "Dollars", "transfer", [to, amount]),
  };
}

export function evmWallet() {
  const root = HDKey.fromMasterSeed(randomBytes(32));
  const account = root.derive("m/44'/60'/0'");
  return { key: account.publicExtendedKey, first: hdKeyToAccount(root).address };
}

export const coins = (dollars: bigint, { coin }: Kind) =>
  (dollars * 10n ** 18n) / (coin === "eth" ? 2000n : 500n);
