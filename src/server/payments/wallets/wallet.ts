import type { WalletName } from "../../platform/config/config.ts";

/** An address: as its payer reads it, and in the one spelling that transfers are compared with. */
export interface Place {
  readonly address: string;
  readonly canonical: string;
}

/** Makes addresses of one key family. Knows no private key, so it can spend nothing. */
export interface Wallet {
  /** Names the counter of addresses; chains that share keys share it. */
  readonly family: WalletName;
  /** Address number `index`. Throws a RangeError above `indexMax`. */
  address(index: bigint): Place;
  /** Where the operator's own wallet has address number `index`: the derivation path, or the wallet id of TON. */
  path(index: bigint): string;
}

/** BIP 32 has so many addresses below an account; wallets of TON are given no more. */
export const indexMax = 2n ** 31n - 1n;

/** An index that every wallet has, as the number that derivation wants. Throws a RangeError on another. */
export function within(index: bigint): number {
  if (index < 0n || index > indexMax) throw new RangeError(`a wallet has no address number ${index}`);
  return Number(index);
}
