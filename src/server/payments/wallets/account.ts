// An account of a wallet by its extended public key (BIP 32): its addresses without any private key.
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { ConfigError } from "../../platform/config/config.ts";

export interface Account {
  readonly number: number;
  /** The compressed public key of receiving address `index`. */
  publicKey(index: number): Uint8Array;
}

// SLIP 132: other version bytes for each kind of address.
const publicVersions: ReadonlySet<number> = new Set([
  0x0488b21e, // xpub
  0x049d7cb2, // ypub
  0x04b24746, // zpub
  0x019da462, // Ltub
  0x01b26ef6, // Mtub
  0x043587cf, // tpub
  0x044a5262, // upub
  0x045f1cf6, // vpub
  0x0436f6e1, // ttub
]);

const keyLength = 78;
// m / purpose' / coin type' / account' (BIP 44): addresses are below it, secrets above it.
const accountDepth = 3;
const receiving = 0;

/** Reads an extended public key. Throws ConfigError, which names the setting and never repeats the key. */
export function openAccount(text: string, setting: string): Account {
  const bytes = bytesOf(text);
  if (bytes?.length !== keyLength)
    throw new ConfigError(`${setting} is no extended public key: some character of it is wrong.`);
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (!publicVersions.has(version))
    throw new ConfigError(
      `${setting} must be the extended public key of an account with one signer: xpub, ypub, zpub, Ltub or Mtub.`,
    );
  const key = readKey(text, version);
  if (!key) throw new ConfigError(`${setting} is no extended public key: no such key can be.`);
  if (key.depth !== accountDepth || key.index < HARDENED_OFFSET)
    throw new ConfigError(
      `${setting} must be the key of an account, as m/44'/60'/0' is one, but it is ${whatIs(key.depth)}.`,
    );
  const branch = key.deriveChild(receiving);
  return {
    number: key.index - HARDENED_OFFSET,
    publicKey: (index) => {
      const { publicKey } = branch.deriveChild(index);
      if (!publicKey) throw new Error(`an account has no public key number ${index}`);
      return publicKey;
    },
  };
}

function readKey(text: string, version: number): HDKey | undefined {
  try {
    // A private key never has a public version, so it cannot be read this way.
    return HDKey.fromExtendedKey(text, { public: version, private: 0 });
  } catch {
    return undefined;
  }
}

function bytesOf(text: string): Uint8Array | undefined {
  try {
    return createBase58check(sha256).decode(text);
  } catch {
    return undefined;
  }
}

function whatIs(depth: number): string {
  if (depth === 0) return "that of a whole wallet";
  return depth === accountDepth ? "not hardened" : `${depth} steps below its wallet and not 3`;
}
