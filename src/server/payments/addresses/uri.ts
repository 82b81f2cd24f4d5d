// Links that open a wallet with everything filled in. Not every wallet reads them.
import type { CurrencyId } from "../../../contract/currencies.ts";
import { type Identity, tokenOf } from "../networks/identity.ts";
import { showCoins, terms } from "../payments.terms.ts";

/** Payment URI for so many smallest units: BIP 21, EIP-681, `ton://transfer`. Undefined for TRON, which has no standard. */
export function paymentUri(request: {
  currency: CurrencyId;
  address: string;
  units: bigint;
  identity: Identity;
}): string | undefined {
  const { currency, address, units, identity } = request;
  const token = tokenOf(identity, currency);
  switch (terms[currency].chain) {
    case "litecoin":
      return `litecoin:${address}?amount=${showCoins(units, currency)}`;
    case "ethereum":
    case "bsc": {
      if (identity.id === undefined) return undefined;
      return token === undefined
        ? `ethereum:${address}@${identity.id}?value=${units}`
        : `ethereum:${token.contract}@${identity.id}/transfer?address=${address}&uint256=${units}`;
    }
    case "ton":
      return `ton://transfer/${address}?amount=${units}${token === undefined ? "" : `&jetton=${token.contract}`}`;
    case "tron":
      return undefined;
  }
}
