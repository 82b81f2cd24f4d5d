// The operator's wallets: public keys alone, which make the address of each payment.
import {
  ConfigError,
  PrivateKeyError,
  settingsOfWallet,
  type WalletConfig,
  type WalletName,
} from "../../platform/config/config.ts";
import { openAccount } from "./account.ts";
import { evm, litecoin, type Spelling, tron } from "./spelling.ts";
import { openTonWallet } from "./ton.ts";
import { type Place, type Wallet, within } from "./wallet.ts";

export type { Wallet } from "./wallet.ts";

/** Throws ConfigError when the key or its first address is wrong: money paid to a wrong address is lost. */
export function openWallet(name: WalletName, config: WalletConfig, options: { demo: boolean }): Wallet {
  const { wallet, wrong } = tryWallet(name, config, options);
  if (wrong !== undefined) throw new ConfigError(wrong);
  return wallet;
}

export interface Checked {
  readonly wrong: string | undefined;
  readonly isPrivate: boolean;
  readonly addresses: readonly { index: bigint; address: string; path: string }[];
}

/** Checks a wallet and shows its addresses, even when they are not the expected ones. */
export function checkWallet(
  name: WalletName,
  config: WalletConfig,
  { demo, count }: { demo: boolean; count: number },
): Checked {
  try {
    const { wallet, wrong } = tryWallet(name, config, { demo });
    const indexes = Array.from({ length: count }, (_, index) => BigInt(index));
    const addresses = indexes.map((index) => ({
      index,
      address: wallet.address(index).address,
      path: wallet.path(index),
    }));
    return { wrong, isPrivate: false, addresses };
  } catch (fault) {
    if (fault instanceof ConfigError)
      return { wrong: fault.message, isPrivate: fault instanceof PrivateKeyError, addresses: [] };
    throw fault;
  }
}

function tryWallet(
  name: WalletName,
  config: WalletConfig,
  { demo }: { demo: boolean },
): { wallet: Wallet; wrong: string | undefined } {
  const settings = settingsOfWallet(name);
  const { wallet, expected } =
    name === "ton" ? openTonWallet(config, settings) : openExtended(name, config, settings);
  const first = wallet.address(0n);
  if (expected !== first.canonical) return { wallet, wrong: mismatch(wallet, settings) };
  return { wallet, wrong: !demo && isPublished(first) ? published(settings) : undefined };
}

function openExtended(
  name: Exclude<WalletName, "ton">,
  config: WalletConfig,
  settings: { key: string; first: string },
): { wallet: Wallet; expected: string | undefined } {
  const spelling = spellingOf(name, config.first);
  if (!spelling)
    throw new ConfigError(
      `${settings.first} must be an address of native SegWit, which starts with ltc1q: choose that kind in your wallet.`,
    );
  const account = openAccount(config.key, settings.key);
  const wallet: Wallet = {
    family: name,
    address: (index) => spelling.of(account.publicKey(within(index))),
    path: (index) => `m/${spelling.purpose}'/${spelling.coinType}'/${account.number}'/0/${index}`,
  };
  return { wallet, expected: spelling.canonicalOf(config.first) };
}

function spellingOf(name: Exclude<WalletName, "ton">, first: string): Spelling | undefined {
  return name === "ltc" ? litecoin(first) : { evm, tron }[name];
}

function mismatch(wallet: Wallet, { key, first }: { key: string; first: string }): string {
  return (
    `${first} is not the first address of ${key}, at ${wallet.path(0n)}, or is mistyped: ` +
    '"npm run shop -- wallets check" shows which addresses the key has.'
  );
}

const published = ({ key }: { key: string }) =>
  `${key} is of a recovery phrase that everybody knows, so anybody could take what is paid: make a wallet of your own.`;

// First addresses of published phrases ("abandon … about", "test … junk"): bots take whatever comes there.
const publishedFirsts: ReadonlySet<string> = new Set([
  "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
  "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH",
  "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh",
  "UQAzWZa6nM5mJev91wGc7VCSfBoIsYRqKJpV78N8Add9-RKY",
  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  "TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6",
  "ltc1q9kptqash0ft2jf6vrpwgj0c3lwldx6akpmw5t8",
  "UQAtUn6khf4MxnAB4aQNcDlUPNOsLtU8IOVZbIabFzw9Ketu",
]);

const isPublished = ({ address }: Place) => publishedFirsts.has(address);
