import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bech32, createBase58check } from "@scure/base";
import type { Place } from "./wallet.ts";

export interface Spelling {
  readonly purpose: number;
  readonly coinType: number;
  of(publicKey: Uint8Array): Place;
  /** The canonical spelling of an address; undefined when it is none. */
  canonicalOf(address: string): string | undefined;
}

const base58check = createBase58check(sha256);
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Ethereum and BSC: EIP-55, compared in lower case. */
export const evm: Spelling = {
  purpose: 44,
  coinType: 60,
  of: (publicKey) => {
    const digits = hexOf(accountOf(publicKey));
    return { address: withChecksum(digits), canonical: `0x${digits}` };
  },
  canonicalOf: (address) => (/^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : undefined),
};

const tronVersion = 0x41;

/** TRON: an EVM account in base58, compared as there. */
export const tron: Spelling = {
  purpose: 44,
  coinType: 195,
  of: (publicKey) => {
    const account = accountOf(publicKey);
    return {
      address: base58check.encode(Uint8Array.of(tronVersion, ...account)),
      canonical: `0x${hexOf(account)}`,
    };
  },
  canonicalOf: (address) => {
    const bytes = decoded(() => base58check.decode(address));
    if (bytes?.length !== 21 || bytes[0] !== tronVersion) return undefined;
    return `0x${hexOf(bytes.subarray(1))}`;
  },
};

const litecoinNetworks = ["ltc", "tltc", "rltc"];
// BIP 141: version 0 and the hash of a public key.
const scriptOf = (hash: Uint8Array) => `0014${hexOf(hash)}`;

/** Native SegWit (BIP 84, BIP 173), compared by script. `first` selects the network; undefined when it is no such address. */
export function litecoin(first: string): Spelling | undefined {
  const network = segwit(first)?.network;
  if (network === undefined) return undefined;
  return {
    purpose: 84,
    coinType: network === "ltc" ? 2 : 1,
    of: (publicKey) => {
      const hash = ripemd160(sha256(publicKey));
      return { address: bech32.encode(network, [0, ...bech32.toWords(hash)]), canonical: scriptOf(hash) };
    },
    canonicalOf: (address) => segwit(address)?.script,
  };
}

function segwit(address: string): { network: string; script: string } | undefined {
  const read = bech32.decodeUnsafe(address);
  if (!read || !litecoinNetworks.includes(read.prefix) || read.words[0] !== 0) return undefined;
  const hash = bech32.fromWordsUnsafe(read.words.slice(1));
  return hash?.length === 20 ? { network: read.prefix, script: scriptOf(hash) } : undefined;
}

function accountOf(publicKey: Uint8Array): Uint8Array {
  const whole = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return keccak_256(whole.subarray(1)).subarray(12);
}

/** Of 40 hexadecimal digits in lower case. EIP-55: a letter is upper case where the hash of the digits has 8 or more. */
export function withChecksum(digits: string): string {
  const hash = hexOf(keccak_256(Buffer.from(digits, "ascii")));
  const letters = Array.from(digits, (digit, place) =>
    Number.parseInt(hash.charAt(place), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join("")}`;
}

function decoded<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
