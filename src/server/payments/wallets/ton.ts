// A TON wallet. Its keys have no public derivation, so one public key makes many wallets by wallet id.
import { ed25519 } from "@noble/curves/ed25519.js";
import { Address, beginCell, Cell, contractAddress } from "@ton/core";
import { ConfigError, PrivateKeyError, type WalletConfig } from "../../platform/config/config.ts";
import { walletCode } from "./ton.code.ts";
import { type Wallet, within } from "./wallet.ts";

// The default wallet id of wallet programs.
const firstWalletId = 698_983_191;
const workchain = 0;

/** Opens the wallets v4r2 of a public key. Throws ConfigError, which names the setting and repeats no key. */
export function openTonWallet(
  config: WalletConfig,
  settings: { key: string; first: string },
): { wallet: Wallet; expected: string | undefined } {
  const key = Buffer.from(config.key, "hex");
  const expected = readAddress(config.first);
  if (expected && isSeedOf(key, expected.canonical))
    throw new PrivateKeyError(
      `${settings.key} holds the private key of the wallet, which must never be given to a shop: set the public one, and move what it guards to a new wallet.`,
    );
  if (!isPublicKey(key))
    throw new ConfigError(`${settings.key} is no public key of TON: no such key can be.`);
  const isTest = expected?.isTest ?? false;
  const wallet: Wallet = {
    family: "ton",
    address: (index) => {
      const address = addressOf(key, firstWalletId + within(index));
      // Not bounceable: else coins to an unused wallet would return to the sender.
      const shown = address.toString({ bounceable: false, testOnly: isTest });
      return { address: shown, canonical: address.toRawString() };
    },
    path: (index) => `v4r2, wallet id ${BigInt(firstWalletId) + index}`,
  };
  return { wallet, expected: expected?.canonical };
}

const code = Cell.fromBase64(walletCode);

function addressOf(key: Buffer, walletId: number): Address {
  const data = beginCell()
    .storeUint(0, 32) // seqno
    .storeUint(walletId, 32)
    .storeBuffer(key)
    .storeBit(0) // no plugins
    .endCell();
  return contractAddress(workchain, { code, data });
}

function readAddress(text: string): { canonical: string; isTest: boolean } | undefined {
  try {
    if (Address.isRaw(text)) return { canonical: Address.parseRaw(text).toRawString(), isTest: false };
    const { address, isTestOnly } = Address.parseFriendly(text);
    return { canonical: address.toRawString(), isTest: isTestOnly };
  } catch {
    return undefined;
  }
}

/** A private key has the form of a public one; its wallet is then the expected one. */
function isSeedOf(key: Buffer, canonical: string): boolean {
  return addressOf(Buffer.from(ed25519.getPublicKey(key)), firstWalletId).toRawString() === canonical;
}

function isPublicKey(key: Buffer): boolean {
  try {
    return !ed25519.Point.fromBytes(key).isSmallOrder();
  } catch {
    return false;
  }
}
