import { bech32 } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { Address, Cell, contractAddress, loadStateInit } from "@ton/core";
import { initWasm } from "@trustwallet/wallet-core";
import fc from "fast-check";
import { HDKey as OtherKey, hdKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { ConfigError, readConfig, type WalletName } from "../../platform/config/config.ts";
import { openAccount } from "./account.ts";
import { evm, litecoin, tron } from "./spelling.ts";
import { walletCode } from "./ton.code.ts";
import { openWallet, type Wallet } from "./wallets.ts";

// An independent C++ program, and the private side of a published phrase: a wallet as an operator has one.
const core = await initWasm();
const phrase =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const theirs = core.HDWallet.createWithMnemonic(phrase, "");
const { xpub, zpub, ltub, xprv, zprv } = core.HDVersion;
const { bip44, bip84 } = core.Purpose;
const { ethereum, tron: tronCoin, litecoin: litecoinCoin, ton } = core.CoinType;
const root = HDKey.fromMasterSeed(theirs.seed());
const tonPublic = theirs.getKeyForCoin(ton).getPublicKeyEd25519();

const keys: Record<WalletName, string> = {
  evm: theirs.getExtendedPublicKey(bip44, ethereum, xpub),
  tron: theirs.getExtendedPublicKey(bip44, tronCoin, xpub),
  ltc: theirs.getExtendedPublicKey(bip84, litecoinCoin, zpub),
  ton: Buffer.from(tonPublic.data()).toString("hex"),
};
const firsts: Record<WalletName, string> = {
  evm: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
  tron: "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH",
  ltc: "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh",
  ton: "UQAzWZa6nM5mJev91wGc7VCSfBoIsYRqKJpV78N8Add9-RKY",
};
const names = ["evm", "tron", "ltc", "ton"] as const;
const demo = { demo: true };
const open = (name: WalletName, key = keys[name], first = firsts[name]) =>
  openWallet(name, { key, first }, demo);
const addressesOf = (wallet: Wallet, count: number) =>
  Array.from({ length: count }, (_, index) => wallet.address(BigInt(index)).address);

function saidOf(work: () => unknown): string {
  try {
    work();
  } catch (fault) {
    if (fault instanceof ConfigError) return fault.message;
    throw fault;
  }
  throw new Error("the wallet was accepted");
}

describe("addresses that others have published", () => {
  test.each([
    ["tron", firsts.tron, "TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK", "TYJPRrdB5APNeRs4R7fYZSwW3TcrTKw2gx"],
    ["ltc", firsts.ltc, "ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn"],
  ] as const)("%s of the phrase of BIP 39", (name, ...published) => {
    expect(addressesOf(open(name), published.length)).toEqual(published);
  });

  test("of the phrase that test chains use", () => {
    const known = "test test test test test test test test test test test junk";
    const key = core.HDWallet.createWithMnemonic(known, "").getExtendedPublicKey(bip44, ethereum, xpub);
    const published = [
      "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
      "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
      "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
    ];
    expect(addressesOf(open("evm", key, published[0]), 5)).toEqual(published);
  });

  test("the key of the account in BIP 84 gives its public keys", () => {
    const account = openAccount(
      "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
      "WALLET_LTC_XPUB",
    );
    const hex = (index: number) => Buffer.from(account.publicKey(index)).toString("hex");
    expect(hex(0)).toBe("0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c");
    expect(hex(1)).toBe("03e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77");
  });

  test("the program of a wallet of TON is the one of version 4 revision 2", () => {
    const hash = Cell.fromBase64(walletCode).hash().toString("hex");
    expect(hash).toBe("feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0");
  });
});

describe("fifty addresses are those that another library derives from the private side", () => {
  const fifty = Array.from({ length: 50 }, (_, index) => index);

  test.each([
    ["evm", ethereum, "m/44'/60'/0'/0/"],
    ["tron", tronCoin, "m/44'/195'/0'/0/"],
    ["ltc", litecoinCoin, "m/84'/2'/0'/0/"],
  ] as const)("%s", (name, coin, path) => {
    const wallet = open(name);
    const derived = fifty.map((index) =>
      core.CoinTypeExt.deriveAddress(coin, theirs.getKey(coin, path + index)),
    );
    expect(addressesOf(wallet, fifty.length)).toEqual(derived);
    expect(wallet.path(49n)).toBe(`${path}49`);
  });

  test("evm, by viem", () => {
    const other = OtherKey.fromMasterSeed(theirs.seed());
    const derived = fifty.map((addressIndex) => hdKeyToAccount(other, { addressIndex }).address);
    expect(addressesOf(open("evm"), fifty.length)).toEqual(derived);
  });

  test("ton", () => {
    const wallet = open("ton");
    const derived = fifty.map((index) => {
      const state = core.TONWallet.buildV4R2StateInit(tonPublic, 0, 698_983_191 + index);
      const address = contractAddress(0, loadStateInit(Cell.fromBase64(state).beginParse()));
      return address.toString({ bounceable: false });
    });
    expect(addressesOf(wallet, fifty.length)).toEqual(derived);
    expect(wallet.path(49n)).toBe("v4r2, wallet id 698983240");
  });
});

const anyIndex = fc.bigInt({ min: 0n, max: 2n ** 31n - 1n });

test.each(names)("an address of %s is its own, and is found again by what people see of it", (name) => {
  const wallet = open(name);
  const canonicalOf = {
    evm: evm.canonicalOf,
    tron: tron.canonicalOf,
    ltc: (address: string) => litecoin(address)?.canonicalOf(address),
    ton: (address: string) => Address.parse(address).toRawString(),
  }[name];
  fc.assert(
    fc.property(anyIndex, anyIndex, (index, other) => {
      const { address, canonical } = wallet.address(index);
      expect(canonicalOf(address)).toBe(canonical);
      expect(wallet.address(index)).toEqual({ address, canonical });
      expect(wallet.address(other).canonical === canonical).toBe(other === index);
    }),
    { numRuns: 20 },
  );
});

test.each(names)("a wallet of %s ends where its keys end", (name) => {
  const wallet = open(name);
  expect(wallet.address(2n ** 31n - 1n).address).toEqual(expect.any(String));
  for (const index of [-1n, 2n ** 31n]) expect(() => wallet.address(index)).toThrow(RangeError);
});

test("addresses are of the network that the first one is of", () => {
  const { words } = bech32.decode(firsts.ltc as `ltc1${string}`);
  const { canonical } = open("ltc").address(0n);
  for (const network of ["tltc", "rltc"]) {
    const first = bech32.encode(network, words);
    const wallet = open("ltc", keys.ltc, first);
    expect(wallet.address(0n)).toEqual({ address: first, canonical });
    expect(wallet.address(7n).address.startsWith(`${network}1q`)).toBe(true);
    expect(wallet.path(7n)).toBe("m/84'/1'/0'/0/7");
  }
  const test = Address.parse(firsts.ton).toString({ bounceable: false, testOnly: true });
  expect(open("ton", keys.ton, test).address(0n).address).toBe(test);
});

test("the first address may be written in every way that wallets write it", () => {
  const { ton: address } = firsts;
  const ways = {
    evm: [firsts.evm.toLowerCase(), `0x${firsts.evm.slice(2).toUpperCase()}`],
    tron: [firsts.tron],
    ltc: [firsts.ltc, firsts.ltc.toUpperCase()],
    ton: [address, Address.parse(address).toString(), Address.parse(address).toRawString()],
  };
  for (const name of names)
    for (const first of ways[name]) expect(open(name, keys[name], first).family).toBe(name);
  const other = theirs.getExtendedPublicKey(bip84, litecoinCoin, ltub);
  expect(open("ltc", other).address(0n).address).toBe(firsts.ltc);
});

describe("a wallet that could lose money stops the start", () => {
  test.each(names)("%s: another first address than the operator's own wallet shows", (name) => {
    const said = saidOf(() => open(name, keys[name], addressesOf(open(name), 2)[1]));
    expect(said).toMatch(new RegExp(`^WALLET_${name.toUpperCase()}_FIRST is not the first address of `));
    expect(said).not.toContain(keys[name]);
  });

  test("a first address with a mistyped letter, or of another kind", () => {
    for (const first of [firsts.tron.replace("Z", "Y"), firsts.evm])
      expect(saidOf(() => open("tron", keys.tron, first))).toMatch(/^WALLET_TRON_FIRST /);
    expect(saidOf(() => open("ton", keys.ton, firsts.ton.replace("z", "y")))).toMatch(/^WALLET_TON_FIRST /);
    expect(saidOf(() => open("ltc", keys.ltc, "LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez"))).toMatch(
      /^WALLET_LTC_FIRST .* SegWit/,
    );
  });

  test("a key that everybody knows, unless it is a demonstration", () => {
    for (const name of names)
      expect(
        saidOf(() => openWallet(name, { key: keys[name], first: firsts[name] }, { demo: false })),
      ).toMatch(/^WALLET_\w+ is of a recovery phrase that everybody knows/);
    const own = core.HDWallet.create(128, "").getExtendedPublicKey(bip44, ethereum, xpub);
    const first = core.AnyAddress.createWithPublicKey(
      core.HDWallet.getPublicKeyFromExtended(own, ethereum, "m/44'/60'/0'/0/0"),
      ethereum,
    ).description();
    expect(openWallet("evm", { key: own, first }, { demo: false }).address(0n).address).toBe(first);
  });

  test.each([
    ["a mistyped letter", keys.evm.replace("D", "E"), /some character of it is wrong/],
    ["a whole wallet", root.publicExtendedKey, /that of a whole wallet/],
    ["the key of a branch", root.derive("m/44'/60'/0'/0").publicExtendedKey, /4 steps below/],
    ["a key not hardened", root.derive("m/44'/60'/0").publicExtendedKey, /not hardened/],
    [
      "a key of several signers",
      "Zpub6vZyhw1ShkEwNxtqfjk7jiwoEbZYMJdbWLHvEwo6Ns2fFc9rdQn3SerYFQXYxtZYbA8a1d83shW3g4WbsnVsymy2L8m7wpeApiuPxug3ARu",
      /one signer/,
    ],
  ])("%s instead of an account's key", (_what, key, reason) => {
    const said = saidOf(() => open("evm", key));
    expect(said).toMatch(/^WALLET_EVM_XPUB /);
    expect(said).toMatch(reason);
    expect(said).not.toContain(key.slice(4));
  });
});

describe("what is private is refused and not repeated", () => {
  const tonSeed = Buffer.from(theirs.getKeyForCoin(ton).data()).toString("hex");
  const extended = theirs.getExtendedPrivateKey(bip44, ethereum, xprv);
  const wif = "T3fZjZjFqQZqHCJAvCHrqFwfPYrNdRNJjkGnxm6mTQq1Gu2VWNDe";
  test.each([
    ["WALLET_EVM_XPUB", extended],
    ["WALLET_EVM_XPUB", extended.slice(0, -7)],
    ["WALLET_LTC_XPUB", theirs.getExtendedPrivateKey(bip84, litecoinCoin, zprv)],
    ["WALLET_LTC_XPUB", theirs.getExtendedPrivateKey(bip84, litecoinCoin, core.HDVersion.ltpv)],
    ["WALLET_LTC_XPUB", wif],
    ["WALLET_TRON_XPUB", phrase],
    ["WALLET_TON_PUBLIC_KEY", `${phrase} ${phrase}`],
    ["WALLET_TON_PUBLIC_KEY", tonSeed + keys.ton],
    ["WALLET_EVM_XPUB", Buffer.from(theirs.getKeyForCoin(ethereum).data()).toString("hex")],
    ["WALLET_EVM_XPUB", `0x${Buffer.from(theirs.getKeyForCoin(ethereum).data()).toString("hex")}`],
    ["WALLET_TON_FIRST", phrase],
  ])("in %s", (setting, secret) => {
    const said = saidOf(() => readConfig({ [setting]: secret }));
    expect(said).toMatch(new RegExp(`^${setting} holds .* must never be given to a shop`));
    expect(said).not.toContain(secret.slice(0, 12));
  });

  test("in WALLET_TON_PUBLIC_KEY, where it looks like a public key", () => {
    const said = saidOf(() => open("ton", tonSeed));
    expect(said).toMatch(/^WALLET_TON_PUBLIC_KEY holds the private key/);
    expect(said).not.toContain(tonSeed);
  });
});
