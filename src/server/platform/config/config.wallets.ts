import type { walletFamilies } from "../../../contract/currencies.ts";
import { evmAddress, tonAddress, tronAddress } from "./config.chains.ts";
import {
  ConfigError,
  read,
  refuseUnknown,
  setting,
  shaped,
  text,
  type Environment,
} from "./config.fields.ts";

export type WalletName = (typeof walletFamilies)[number];

export class PrivateKeyError extends ConfigError {
  override name = "PrivateKeyError";
}

/** `first`: the first address as the operator's own wallet shows it. */
export interface WalletConfig {
  key: string;
  first: string;
}

export type Wallets = Readonly<Record<WalletName, WalletConfig | undefined>>;

const keySettings = {
  evm: "WALLET_EVM_XPUB",
  tron: "WALLET_TRON_XPUB",
  ltc: "WALLET_LTC_XPUB",
  ton: "WALLET_TON_PUBLIC_KEY",
};

const litecoinAddress = /^((ltc|tltc|rltc)1[02-9ac-hj-np-z]{8,87}|[LM3mn2Q][1-9A-HJ-NP-Za-km-z]{25,34})$/;
const firstAddresses = { evm: evmAddress, tron: tronAddress, ltc: litecoinAddress, ton: tonAddress };
// BIP 32: 78 bytes and a checksum in base58; four letters name network and address form (xpub, zpub, Mtub…).
const extendedKey = /^[A-Za-z]{4}[1-9A-HJ-NP-Za-km-z]{107}$/;
const tonKey = /^[0-9a-fA-F]{64}$/;

export function settingsOfWallet(wallet: WalletName): { key: string; first: string } {
  const { key, first } = table[wallet];
  return { key: key.name, first: first.name };
}

const keySays =
  "Account-level extended public keys; a currency is on sale when its wallet, its chain and its rate are there.";
const tonKeySays = "The public key of the TON wallet, in hex.";
const firstSays = "The first address of each wallet, as your own wallet shows it; required with its key.";

function walletTable(wallet: WalletName) {
  const key =
    wallet === "ton"
      ? shaped(tonKey, "a public key of 64 hexadecimal digits")
      : shaped(extendedKey, "an account-level extended public key (111 characters, for example xpub…)");
  const first = shaped(firstAddresses[wallet], "an address of that chain, as your own wallet shows it");
  return {
    key: setting(keySettings[wallet], key, undefined, { says: wallet === "ton" ? tonKeySays : keySays }),
    first: setting(`WALLET_${wallet.toUpperCase()}_FIRST`, first, undefined, { says: firstSays }),
  };
}

const table = {
  evm: walletTable("evm"),
  tron: walletTable("tron"),
  ltc: walletTable("ltc"),
  ton: walletTable("ton"),
};
export const wallets = Object.values(table);

/** The WALLET_ settings. A key without its first address is refused: the check is not optional. */
export function readWallets(env: Environment): Wallets {
  refuseUnknown(env, "WALLET_", wallets);
  return {
    evm: readWallet(env, "evm"),
    tron: readWallet(env, "tron"),
    ltc: readWallet(env, "ltc"),
    ton: readWallet(env, "ton"),
  };
}

function readWallet(env: Environment, wallet: WalletName): WalletConfig | undefined {
  const settings = settingsOfWallet(wallet);
  for (const name of Object.values(settings)) refusePrivate(env, name, wallet);
  const { key, first } = read(env, table[wallet]);
  if (key !== undefined && first === undefined)
    throw new ConfigError(
      `${settings.first} is required with ${settings.key}: the first address your wallet shows.`,
    );
  if (key === undefined && first !== undefined)
    throw new ConfigError(`${settings.key} is required with ${settings.first}.`);
  return key === undefined || first === undefined ? undefined : Object.freeze({ key, first });
}

// Private keys by form, also mistyped. TON's public keys look like private ones: wallets/ton.ts checks these.
const privateForms = [
  // BIP 32 and SLIP 132, with Litecoin's Ltpv, Mtpv, ttpv.
  { form: /^(?:[xyztuv]prv|[lmt]tpv)/i, name: "an extended private key" },
  // BIP 39: 12 to 24 words.
  { form: /^\p{L}+(?:[\s,]+\p{L}+){11,23}$/u, name: "a recovery phrase" },
  // WIF: 52 characters, or 51 of an old kind.
  { form: /^[569KLTc][1-9A-HJ-NP-Za-km-z]{50,51}$/, name: "a private key" },
  // A private key of TON with its public half.
  { form: /^(?:0x)?[0-9a-f]{128}$/i, name: "a private key" },
];
const privateDigits = { form: /^(?:0x)?[0-9a-f]{64}$/i, name: "a private key" };

/** Refuses private keys. The message never repeats the value: a reader could take the money. */
function refusePrivate(env: Environment, setting: string, wallet: WalletName): void {
  const value = text(env, setting);
  if (value === undefined) return;
  const forms = wallet === "ton" ? privateForms : [...privateForms, privateDigits];
  const found = forms.find(({ form }) => form.test(value));
  if (found)
    throw new PrivateKeyError(
      `${setting} holds ${found.name}, which must never be given to a shop: set what is public alone, and move what that key guards to a new wallet.`,
    );
}
