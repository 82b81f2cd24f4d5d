import { beginCell, contractAddress } from "@ton/core";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { sha256 } from "@noble/hashes/sha2.js";
import { expect, test } from "vitest";
import { currencies, type PaymentChain } from "../../../contract/currencies.ts";
import { recipientOn, transactionOn } from "./recipients.ts";

const hash = Buffer.alloc(20, 7);
/** In one case alone, so without a checksum. */
const evm = "0x52908400098527886E0F7030069857D2E4169EE7";
const base58 = (version: number) => createBase58check(sha256).encode(Uint8Array.of(version, ...hash));
const account = contractAddress(0, { code: beginCell().endCell(), data: beginCell().endCell() });

const cases: readonly [PaymentChain, string, string][] = [
  ["ethereum", evm, evm.toLowerCase()],
  ["bsc", evm.toLowerCase(), evm.toLowerCase()],
  ["ethereum", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"],
  ["tron", "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH", "0xc8599111f29c1e1e061265b4af93ea1f274ad78a"],
  ["ton", account.toString(), account.toRawString()],
  ["ton", account.toString({ bounceable: false }), account.toRawString()],
  ["ton", account.toRawString(), account.toRawString()],
  ["litecoin", bech32.encode("ltc", [0, ...bech32.toWords(hash)]), `0014${hash.toString("hex")}`],
  [
    "litecoin",
    bech32m.encode("ltc", [1, ...bech32m.toWords(Buffer.alloc(32, 9))]),
    `5120${Buffer.alloc(32, 9).toString("hex")}`,
  ],
  ["litecoin", base58(0x30), `76a914${hash.toString("hex")}88ac`],
  ["litecoin", base58(0x32), `a914${hash.toString("hex")}87`],
];

test.each(cases)("an address of %s is read: %s", (chain, address, canonical) => {
  expect(recipientOn(chain, address)).toBe(canonical);
});

/** One character is another one of its kind. */
const mistyped = (address: string): string[] =>
  [3, Math.floor(address.length / 2), address.length - 1].map((place) => {
    const letter = address.charAt(place);
    const other = /[a-z]/.test(letter) ? (letter === "q" ? "p" : "q") : letter === "7" ? "8" : "7";
    return address.slice(0, place) + other + address.slice(place + 1);
  });

const withChecksum = cases.filter(
  ([chain, address]) => chain !== "bsc" && address !== evm && !address.startsWith("0:"),
);
test.each(withChecksum)("one mistyped character of an address of %s is noticed: %s", (chain, address) => {
  for (const wrong of mistyped(address))
    expect([wrong, recipientOn(chain, wrong)]).toEqual([wrong, undefined]);
});

test("addresses of other chains, test networks, nobody and the contracts of tokens are none", () => {
  for (const [chain, address] of cases)
    for (const other of ["ethereum", "tron", "ton", "litecoin"] as const)
      if (other !== chain && !(chain === "bsc" && other === "ethereum"))
        expect([other, address, recipientOn(other, address)]).toEqual([other, address, undefined]);
  expect(recipientOn("ethereum", `0x${"0".repeat(40)}`)).toBeUndefined();
  expect(recipientOn("ton", account.toString({ testOnly: true }))).toBeUndefined();
  expect(recipientOn("litecoin", base58(0x6f))).toBeUndefined();
  for (const { chain, contract } of currencies)
    if (contract !== undefined)
      expect([contract, recipientOn(chain, contract)]).toEqual([contract, undefined]);
});

test("on a test network its own addresses are read, and no others", () => {
  const test = bech32.encode("tltc", [0, ...bech32.toWords(hash)]);
  expect(recipientOn("litecoin", test, test)).toBe(`0014${hash.toString("hex")}`);
  expect(recipientOn("litecoin", base58(0x6f), test)).toBe(`76a914${hash.toString("hex")}88ac`);
  expect(recipientOn("litecoin", base58(0x30), test)).toBeUndefined();
  const first = account.toString({ testOnly: true });
  expect(recipientOn("ton", first, first)).toBe(account.toRawString());
});

test("ids of transactions are read as nodes write them", () => {
  const digits = "ab".repeat(32);
  expect(transactionOn("ethereum", digits.toUpperCase())).toBe(`0x${digits}`);
  expect(transactionOn("bsc", `0x${digits}`)).toBe(`0x${digits}`);
  expect(transactionOn("tron", digits)).toBe(digits);
  expect(transactionOn("litecoin", digits.toUpperCase())).toBe(digits);
  expect(transactionOn("ton", Buffer.from(digits, "hex").toString("base64"))).toBe(digits);
  expect(transactionOn("ton", Buffer.from(digits, "hex").toString("base64url"))).toBe(digits);
  expect(transactionOn("tron", digits.slice(1))).toBeUndefined();
  expect(transactionOn("litecoin", "https://explorer.example/tx")).toBeUndefined();
});
