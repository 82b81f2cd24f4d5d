import { initWasm } from "@trustwallet/wallet-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase, type TestDatabase } from "../../../test/kit/database.ts";
import { printedEvm, printedTon } from "../../../test/kit/printed.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const check = (settings: Record<string, string>, ...words: string[]) => say(settings, "check", ...words);

const say = (settings: Record<string, string>, ...words: string[]) =>
  sayTo(database.db, ["wallets", ...words], settings);

test("the first addresses of each wallet are shown with their paths, and what is missing to sell", async () => {
  const { status, out, err } = await check(
    { ...printedEvm, CHAIN_ETH_URLS: "http://127.0.0.1:1/secret" },
    "--count",
    "2",
  );
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toBe(`WALLET_EVM_XPUB: right
index  address                                     in your wallet
    0  0x9858EfFD232B4033E47d90003D41EC34EcaEda94  m/44'/60'/0'/0/0
    1  0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0  m/44'/60'/0'/0/1

WALLET_TRON_XPUB: not set

WALLET_LTC_XPUB: not set

WALLET_TON_PUBLIC_KEY: not set

chain  missing
eth    nothing
bsc    CHAIN_BSC_URLS
tron   WALLET_TRON_XPUB, WALLET_TRON_FIRST, CHAIN_TRON_URLS
ton    WALLET_TON_PUBLIC_KEY, WALLET_TON_FIRST, CHAIN_TON_URLS
ltc    WALLET_LTC_XPUB, WALLET_LTC_FIRST, CHAIN_LTC_URLS
`);
});

test("a program gets the same as one value", async () => {
  const { status, out } = await check({ ...printedEvm, ...printedTon }, "--json", "--count", "3");
  expect(status).toBe(0);
  const core = await initWasm();
  const words =
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
  const theirs = core.HDWallet.createWithMnemonic(words, "");
  const { ethereum } = core.CoinType;
  const address = core.CoinTypeExt.deriveAddress(ethereum, theirs.getKey(ethereum, "m/44'/60'/0'/0/2"));
  expect(JSON.parse(out)).toMatchObject({
    wallets: [
      {
        wallet: "evm",
        state: "right",
        addresses: [{}, {}, { index: "2", address, path: "m/44'/60'/0'/0/2" }],
      },
      { wallet: "tron", state: "not set", addresses: [] },
      { wallet: "ltc", state: "not set", addresses: [] },
      { wallet: "ton", state: "right", addresses: [{ address: printedTon.WALLET_TON_FIRST }, {}, {}] },
    ],
    chains: [{ chain: "eth", missing: ["CHAIN_ETH_URLS"] }, {}, {}, { chain: "ton" }, { chain: "ltc" }],
  });
});

test("a wrong wallet is told with status 1, and the others are shown all the same", async () => {
  const wrong = {
    ...printedEvm,
    ...printedTon,
    WALLET_EVM_FIRST: "0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0",
  };
  const { status, out, err } = await check(wrong);
  expect(status).toBe(1);
  expect(err).toMatch(
    /^WALLET_EVM_FIRST is not the first address of WALLET_EVM_XPUB, at m\/44'\/60'\/0'\/0\/0/,
  );
  for (const shown of ["WALLET_EVM_XPUB: wrong", printedEvm.WALLET_EVM_FIRST, printedTon.WALLET_TON_FIRST])
    expect(out).toContain(shown);
});

test("a key that everybody knows is wrong where real payments come in", async () => {
  const { status, err } = await check({ ...printedTon, DEMO: "false" });
  expect({ status, err }).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^WALLET_TON_PUBLIC_KEY is of/) as string,
  });
});

test("a wallet that is no key has no addresses to show", async () => {
  const { status, out, err } = await check({
    ...printedEvm,
    WALLET_EVM_XPUB: printedEvm.WALLET_EVM_XPUB.replace("D", "E"),
  });
  expect({ status, out }).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^WALLET_EVM_XPUB: wrong\n\n/) as string,
  });
  expect(err).toBe("WALLET_EVM_XPUB is no extended public key: some character of it is wrong.\n");
});

test("after a restore address indexes are skipped, of the wallets that are set", async () => {
  const { status, out } = await say({ ...printedEvm, ...printedTon }, "skip", "10_000", "--json");
  expect({ status, skipped: JSON.parse(out) as unknown }).toEqual({
    status: 0,
    skipped: [
      { family: "evm", next: "10001" },
      { family: "ton", next: "10001" },
    ],
  });
  expect((await say(printedTon, "skip", "1")).out).toBe("wallet  next index\nton         10,002\n");
  expect(await say({}, "skip", "1")).toMatchObject({ status: 1, out: "" });
  expect(await say(printedEvm, "skip", "0")).toMatchObject({ status: 2, out: "" });
});
