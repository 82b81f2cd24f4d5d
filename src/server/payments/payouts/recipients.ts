// Addresses of other people's wallets, to which the operator pays: read with their checksums, since what is sent to a mistyped one is lost.
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { Address } from "@ton/core";
import { currencies, type PaymentChain } from "../../../contract/currencies.ts";
import { evm, tron, withChecksum } from "../wallets/spelling.ts";

/** `first`: an address of the shop's own wallet on the chain, which tells a test network; undefined: the main one. */
export type Read = (address: string, first: string | undefined) => string | undefined;

/** The canonical spelling of an address on its chain, as the chain's transfers have it; undefined where it is none, or mistyped. */
export function recipientOn(chain: PaymentChain, address: string, first?: string): string | undefined {
  const canonical = readers[chain](address, first);
  return canonical !== undefined && isContract(chain, canonical) ? undefined : canonical;
}

const noOne = `0x${"0".repeat(40)}`;

/** EIP-55: where both cases are used, they are a checksum. */
function readEvm(address: string): string | undefined {
  const canonical = evm.canonicalOf(address);
  if (canonical === undefined || canonical === noOne) return undefined;
  const digits = address.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || address === withChecksum(canonical.slice(2)) ? canonical : undefined;
}

function readTon(address: string, first: string | undefined): string | undefined {
  try {
    if (Address.isRaw(address)) return Address.parseRaw(address).toRawString();
    const { address: read, isTestOnly } = Address.parseFriendly(address);
    const isTest = first !== undefined && Address.parseFriendly(first).isTestOnly;
    return isTestOnly && !isTest ? undefined : read.toRawString();
  } catch {
    return undefined;
  }
}

const base58check = createBase58check(sha256);
// Version bytes of addresses in base58 (chainparams.cpp of Litecoin Core): of a key, of a script.
const mainVersions = { keys: [0x30], scripts: [0x32, 0x05] };
const testVersions = { keys: [0x6f], scripts: [0x3a, 0xc4] };

/** The script that an address of Litecoin stands for. Addresses of extension blocks (MWEB) have none. */
function readLitecoin(address: string, first = "ltc1"): string | undefined {
  const prefix = first.slice(0, first.lastIndexOf("1"));
  return (
    witnessScript(address, prefix) ?? hashScript(address, prefix === "ltc" ? mainVersions : testVersions)
  );
}

/** BIP 141, 173 and 350: versions 0 and 1. */
function witnessScript(address: string, prefix: string): string | undefined {
  for (const { coding, version, lengths, opcode } of witnesses) {
    const read = coding.decodeUnsafe(address);
    if (read?.prefix !== prefix || read.words[0] !== version) continue;
    const program = coding.fromWordsUnsafe(read.words.slice(1));
    if (program && lengths.includes(program.length))
      return `${opcode}${program.length.toString(16)}${Buffer.from(program).toString("hex")}`;
  }
  return undefined;
}

const witnesses = [
  { coding: bech32, version: 0, lengths: [20, 32], opcode: "00" },
  { coding: bech32m, version: 1, lengths: [32], opcode: "51" },
];

function hashScript(address: string, { keys, scripts }: typeof mainVersions): string | undefined {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(address);
  } catch {
    return undefined;
  }
  const [version = -1] = bytes;
  if (bytes.length !== 21) return undefined;
  const hash = Buffer.from(bytes.subarray(1)).toString("hex");
  if (keys.includes(version)) return `76a914${hash}88ac`;
  return scripts.includes(version) ? `a914${hash}87` : undefined;
}

const readers: Readonly<Record<PaymentChain, Read>> = {
  ethereum: readEvm,
  bsc: readEvm,
  tron: tron.canonicalOf,
  ton: readTon,
  litecoin: readLitecoin,
};

/** What is sent to the contract of a token itself is lost. */
const isContract = (chain: PaymentChain, canonical: string): boolean =>
  currencies.some(
    ({ chain: its, contract }) =>
      its === chain && contract !== undefined && readers[chain](contract, undefined) === canonical,
  );

const hex = /^(?:0x)?([0-9a-f]{64})$/i;

/** The id of a transaction as its chain's nodes write it; undefined where it can be none. */
export function transactionOn(chain: PaymentChain, text: string): string | undefined {
  const digits = hex.exec(text)?.[1]?.toLowerCase();
  if (chain === "ton" && /^[A-Za-z0-9+/_-]{43}=?$/.test(text))
    return Buffer.from(text, "base64url").toString("hex");
  return digits === undefined || (chain !== "ethereum" && chain !== "bsc") ? digits : `0x${digits}`;
}
