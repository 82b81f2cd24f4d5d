import type { WalletName } from "../../platform/config/config.ts";

/** An address as its payer reads it, and in the canonical spelling. */
export interface Place {
  readonly address: string;
  readonly canonical: string;
}

/** Makes addresses of one key family. Knows no private key, so it can spend nothing. */
export interface Wallet {
  /** Names the counter of addresses; chains with shared keys share it. */
  readonly family: WalletName;
  /** Throws a RangeError above `indexMax`. */
  address(index: bigint): Place;
  /** The derivation path of address `index` in the operator's wallet, or the wallet id of TON. */
  path(index: bigint): string;
}

/** BIP 32 has so many addresses below an account; TON wallets get no more. */
export const indexMax = 2n ** 31n - 1n;

/** The index as a number. Throws a RangeError above `indexMax`. */
export function within(index: bigint): number {
  if (index < 0n || index > indexMax) throw new RangeError(`a wallet has no address number ${index}`);
  return Number(index);
}
