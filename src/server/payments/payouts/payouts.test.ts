// @module-tag slow
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEvmTill } from "../../../../test/kit/evm.ts";
import { coins, confirmations, type EvmChain, kinds, startEvmChain } from "../../../../test/kit/evmchain.ts";
import { startEsplora } from "../../../../test/kit/esplora.ts";
import { litecoin, litecoinWallet } from "../../../../test/kit/litecoin.ts";
import { type Litecoind, noLitecoind, startLitecoind } from "../../../../test/kit/litecoind.ts";
import { openTonStage } from "../../../../test/kit/ton-till.ts";
import { openTronChain, tronWallet } from "../../../../test/kit/tron.ts";
import { createDatabase } from "../../../../test/kit/database.ts";
import type { CurrencyId } from "../../../contract/currencies.ts";
import { createLog } from "../../platform/log.ts";
import { usd } from "../../platform/money.ts";
import type { Network } from "../networks/network.ts";
import { NodeTrouble } from "../networks/nodes/nodes.ts";
import { openTron } from "../networks/tron/tron.ts";
import { fixedRates } from "../rates/rates.ts";
import { openPayouts, type Verdict } from "./payouts.ts";

const never = new AbortController().signal;
const { db, drop } = await createDatabase();
afterAll(drop);

/** Asks as the shop does: whether a transaction pays so many units to an address. */
function lookerOf(network: Network) {
  const payouts = openPayouts({ db, networks: [network], rates: fixedRates({}) });
  return (currency: CurrencyId, txid: string, canonical: string, units: bigint): Promise<Verdict> =>
    payouts.look({ currency, txid, canonical, units, usd: usd("40") }, never);
}

const someone = () => `0x${randomBytes(20).toString("hex")}`;
const noHash = () => randomBytes(32).toString("hex");

describe("of a transaction on a chain of Ethereum's kind", () => {
  let chain: EvmChain;
  beforeAll(async () => {
    chain = await startEvmChain();
  });
  afterAll(() => chain.remove());

  test.each(kinds)("$name: what it pays, in which coin, to whom, and whether that is final", async (kind) => {
    const { network } = await openEvmTill(chain, kind);
    const look = lookerOf(network);
    const [payee, units] = [someone(), coins(40n, kind)];
    const own = await chain.pay(payee, units);
    expect(await look(kind.coin, own, payee, units)).toBe("pending");
    await chain.mine(1);
    expect(await look(kind.coin, own, payee, units)).toBe("pending");
    const token = await chain.send(chain.dollars[kind.name], payee, kind.hundred);
    await chain.mine(confirmations);
    expect(await look(kind.coin, own, payee, units)).toBe("final");
    expect(await look(kind.coin, own, payee, units + 1n)).toEqual({ tooLittle: units });
    expect(await look(kind.token, own, payee, 1n)).toBe("wrong coin");
    expect(await look(kind.coin, own, someone(), units)).toBe("wrong recipient");
    expect(await look(kind.token, token, payee, kind.hundred)).toBe("final");
    expect(await look(kind.coin, token, payee, 1n)).toBe("wrong coin");
    expect(await look(kind.token, `0x${noHash()}`, payee, 1n)).toBe("unknown transaction");
  });

  test("another token with the same form is no dollar, and a payment that failed pays nothing", async () => {
    const [kind] = kinds;
    const look = lookerOf((await openEvmTill(chain, kind)).network);
    const payee = someone();
    const other = await chain.send(chain.dollars.bsc, payee, kind.hundred);
    const failed = await chain.call(chain.payer, "Payer", "transferAndFail", [
      chain.dollars.ethereum,
      payee,
      1n,
    ]);
    await chain.mine(confirmations);
    for (const txid of [other, failed]) expect(await look("erc", txid, payee, 1n)).toBe("wrong recipient");
  });

  test("its own coin that a contract sends, and what else came in that block is not taken for it", async () => {
    const [kind] = kinds;
    const look = lookerOf((await openEvmTill(chain, kind)).network);
    const [payee, beside] = [someone(), someone()];
    const sent = await chain.call(chain.payer, "Payer", "pay", [[payee, someone()], 5n], 10n);
    const plain = await chain.pay(payee, 7n);
    const other = await chain.call(chain.payer, "Payer", "pay", [[beside], 5n], 5n);
    await chain.mine(1);
    expect(await look("eth", sent, payee, 5n)).toBe("pending");
    await chain.mine(confirmations);
    expect(await look("eth", sent, payee, 5n)).toBe("final");
    expect(await look("eth", sent, payee, 6n)).toEqual({ tooLittle: 5n });
    expect(await look("eth", plain, payee, 8n)).toEqual({ tooLittle: 7n });
    expect(await look("eth", plain, beside, 1n)).toBe("wrong recipient");
    expect(await look("eth", other, someone(), 1n)).toBe("wrong recipient");
  });

  test("while no node answers nothing is said", async () => {
    const [kind] = kinds;
    const { network } = await openEvmTill(chain, kind);
    const txid = await chain.pay(someone(), 1n);
    await chain.stop();
    await expect(lookerOf(network)("eth", txid, someone(), 1n)).rejects.toThrow(NodeTrouble);
    await chain.start();
  });
});

test("of a transaction on TRON", async () => {
  const chain = await openTronChain();
  try {
    const node = await chain.node();
    const config = {
      urls: [node.url],
      id: undefined,
      contracts: { USDT: chain.usdt },
      confirmations: undefined,
      pollSeconds: undefined,
    };
    const log = createLog("silent");
    const look = lookerOf(openTron({ config, wallet: tronWallet, log, clock: chain.clock }));
    const payee = someone();
    const [trx, usdt] = [await chain.pay(payee, 3_000_000n), await chain.send(payee, 40_000_000n)];
    expect(await look("trx", trx, payee, 3_000_000n)).toBe("unknown transaction");
    await chain.mine();
    expect(await look("trx", trx, payee, 3_000_000n)).toBe("pending");
    await chain.mine(40);
    expect(await look("trx", trx, payee, 3_000_000n)).toBe("final");
    expect(await look("usdttrc20", usdt, payee, 40_000_000n)).toBe("final");
    expect(await look("usdttrc20", usdt, payee, 40_000_001n)).toEqual({ tooLittle: 40_000_000n });
    expect(await look("trx", usdt, payee, 1n)).toBe("wrong coin");
    expect(await look("trx", trx, someone(), 1n)).toBe("wrong recipient");
    const fake = await chain.sendFake(payee, 40_000_000n);
    await chain.mine(40);
    expect(await look("usdttrc20", fake, payee, 1n)).toBe("wrong recipient");
    expect(await look("trx", noHash(), payee, 1n)).toBe("unknown transaction");
    node.trouble = { status: 429, text: "{}" };
    await expect(look("trx", trx, payee, 1n)).rejects.toThrow(NodeTrouble);
  } finally {
    await chain.close();
  }
});

test("of a transaction on TON, by that of the recipient's account", async () => {
  const stage = await openTonStage();
  const one = await stage.openShop();
  const look = lookerOf(one.network);
  const payee = await stage.chain.payer("payee");
  const raw = payee.address.toRawString();
  const hashOf = (finished: Awaited<ReturnType<typeof stage.payCoins>>, account: string) => {
    const found = finished.find(
      ({ transaction: { address } }) => `0:${address.toString(16).padStart(64, "0")}` === account,
    );
    return found?.transaction.hash().toString("hex") ?? "";
  };
  const coinsPaid = await stage.payCoins(payee.address, "4");
  const hash = hashOf(coinsPaid, raw);
  expect(await look("ton", hash, raw, 4_000_000_000n)).toBe("final");
  expect(await look("ton", hash, raw, 4_000_000_001n)).toEqual({ tooLittle: 4_000_000_000n });
  expect(await look("usdtton", hash, raw, 1n)).toBe("wrong coin");
  expect(await look("ton", hash, stage.thief.address.toRawString(), 1n)).toBe("wrong recipient");
  expect(await look("ton", hashOf(coinsPaid, stage.payer.address.toRawString()), raw, 1n)).toBe(
    "wrong recipient",
  );
  const jettons = await stage.payUsdt(payee.address, 40_000_000n);
  const wallet = await stage.usdt.walletOf(payee.address);
  expect(await look("usdtton", hashOf(jettons, wallet.toRawString()), raw, 40_000_000n)).toBe("final");
  expect(await look("ton", noHash(), raw, 1n)).toBe("unknown transaction");
  one.nodes[0].refusal = { status: 429, text: "too many requests" };
  await expect(look("ton", hash, raw, 1n)).rejects.toThrow(NodeTrouble);
});

describe.skipIf(noLitecoind !== undefined)(`of a transaction on Litecoin ${noLitecoind ?? ""}`, () => {
  let node: Litecoind;
  beforeAll(async () => {
    node = await startLitecoind();
  });
  afterAll(() => node?.remove());

  test("by a litecoind without an index of transactions, and by an Esplora", async () => {
    const wallet = await litecoinWallet(node);
    const esplora = await startEsplora(node);
    const payee = await node.rpc<string>("getnewaddress", "", "bech32");
    const { scriptPubKey: script } = await node.rpc<{ scriptPubKey: string }>("getaddressinfo", payee);
    const txid = await node.pay(payee, "0.5");
    for (const url of [node.url, esplora.url]) {
      const look = lookerOf(litecoin({ wallet, urls: [url] }));
      expect(await look("ltc", txid, script, 50_000_000n)).toBe("pending");
    }
    await node.mine(6);
    for (const url of [node.url, esplora.url]) {
      const look = lookerOf(litecoin({ wallet, urls: [url] }));
      expect(await look("ltc", txid, script, 50_000_000n)).toBe("final");
      expect(await look("ltc", txid, script, 50_000_001n)).toEqual({ tooLittle: 50_000_000n });
      expect(await look("ltc", txid, `0014${"00".repeat(20)}`, 1n)).toBe("wrong recipient");
      expect(await look("ltc", noHash(), script, 1n)).toBe("unknown transaction");
    }
    esplora.isDown = true;
    const look = lookerOf(litecoin({ wallet, urls: [esplora.url] }));
    await expect(look("ltc", txid, script, 1n)).rejects.toThrow(NodeTrouble);
    await esplora.close();
  });
});
