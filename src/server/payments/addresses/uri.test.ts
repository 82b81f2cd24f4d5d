import { expect, test } from "vitest";
import type { CurrencyId } from "../../../contract/currencies.ts";
import { readConfig } from "../../platform/config/config.ts";
import { mainIdentities, identitiesOf } from "../networks/identity.ts";
import { readCoins, terms } from "../payments.terms.ts";
import { paymentUri } from "./uri.ts";

const uriOf = (currency: CurrencyId, coins: string, identities = identitiesOf(readConfig({}).chains)) =>
  paymentUri({
    currency,
    address: "ADDRESS",
    units: readCoins(coins, currency) ?? 0n,
    identity: identities[terms[currency].chain],
  });

test.each<[CurrencyId, string, string | undefined]>([
  ["ltc", "0.01938", "litecoin:ADDRESS?amount=0.01938"],
  ["eth", "0.033334", "ethereum:ADDRESS@1?value=33334000000000000"],
  ["bep20", "1", "ethereum:ADDRESS@56?value=1000000000000000000"],
  [
    "erc",
    "1.55",
    "ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=ADDRESS&uint256=1550000",
  ],
  [
    "usdtbep20",
    "1.55",
    "ethereum:0x55d398326f99059fF775485246999027B3197955@56/transfer?address=ADDRESS&uint256=1550000000000000000",
  ],
  ["ton", "0.32", "ton://transfer/ADDRESS?amount=320000000"],
  [
    "usdtton",
    "1.55",
    "ton://transfer/ADDRESS?amount=1550000&jetton=EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs",
  ],
  ["trx", "83.34", undefined],
  ["usdttrc20", "1.55", undefined],
])("a wallet is told of %s in the form that its kind reads", (currency, coins, uri) => {
  expect(uriOf(currency, coins)).toBe(uri);
});

test("the settings' chain and contract stand in the link, so that nobody pays on the main network what a test asked for", () => {
  const usdt = "0x000000000000000000000000000000000000dEaD";
  const identities = identitiesOf(readConfig({ CHAIN_ETH_ID: "31337", CHAIN_ETH_USDT: usdt }).chains);
  expect(uriOf("erc", "1", identities)).toBe(
    `ethereum:${usdt}@31337/transfer?address=ADDRESS&uint256=1000000`,
  );
  expect(uriOf("eth", "1", identities)).toBe("ethereum:ADDRESS@31337?value=1000000000000000000");
  expect(uriOf("bep20", "1", identities)).toContain(`@${mainIdentities.bsc.id}?`);
});
