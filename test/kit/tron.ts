import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { openWallet } from "../../src/server/payments/wallets/wallets.ts";
import { startAnvil } from "./anvil.ts";
import { openTronNode, type TronNode, type TronWorld } from "./tron.node.ts";

/** A TRON chain with a payer and dollars; blocks on demand, three seconds apart. One wei is one sun. */
export interface TronChain {
  readonly usdt: string;
  readonly fakeUsdt: string;
  readonly payer: string;
  clock(): Date;
  mine(blocks?: number): Promise<void>;
  wait(seconds: number): Promise<void>;
  /** Time passes without a block. */
  standStill(seconds: number): void;
  pay(to: string, sun: bigint): Promise<string>;
  send(to: string, units: bigint): Promise<string>;
  sendFake(to: string, units: bigint): Promise<string>;
  sendEach(to: readonly string[], units: bigint): Promise<string>;
  sendAndFail(to: string, units: bigint): Promise<string>;
  /** The log shows a transfer, but the contract's result is another. */
  sendAndEnd(to: string, units: bigint, ending: string): Promise<string>;
  /** Pays TRX by an internal call, without a transaction to that address. */
  payInside(to: string, sun: bigint): Promise<string>;
  /** Sends a TRC-10 token, which anyone can make. */
  give(to: string, amount: number): Promise<string>;
  fork(): Promise<() => Promise<void>>;
  node(): Promise<TronNode>;
  close(): Promise<void>;
}

/** The example phrase's wallet, which is public and worth nothing. */
export const tronWallet = openWallet(
  "tron",
  {
    key: "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd",
    first: "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH",
  },
  { demo: true },
);

export { nileGenesis, type TronNode } from "./tron.node.ts";

const secondsOfBlock = 3;
const base58check = createBase58check(sha256);
/** An address as TRON's wallets show it. */
export const asTron = (evm: string) => base58check.encode(Buffer.from(`41${evm.slice(2)}`, "hex"));

export async function openTronChain(): Promise<TronChain> {
  const anvil = await startAnvil();
  const dollars = await anvil.deploy("Dollars", 6);
  const fake = await anvil.deploy("Dollars", 18);
  const splitter = await anvil.deploy("Payer");
  const [payer = ""] = await anvil.rpc<string[]>("eth_accounts");
  const { timestamp } = await anvil.rpc<{ timestamp: string }>("eth_getBlockByNumber", "latest", false);
  const world: TronWorld = { rpc: anvil.rpc, others: new Map(), endings: new Map() };
  const nodes: TronNode[] = [];
  let [now, stood, given] = [Number(timestamp), 0, 0];
  const wait = async (seconds: number, blocks = 1) => {
    now += stood + seconds;
    stood = 0;
    await anvil.rpc("evm_setNextBlockTimestamp", now);
    await anvil.rpc("anvil_mine", blocks, secondsOfBlock);
    now += (blocks - 1) * secondsOfBlock;
  };
  const mine = (blocks?: number) => wait(secondsOfBlock, blocks);
  const told = async (txid: Promise<string>) => (await txid).slice(2);
  const transfer = (token: `0x${string}`, to: string, units: bigint) =>
    told(anvil.call(token, "Dollars", "transfer", [to, units]));
  await anvil.call(dollars, "Dollars", "transfer", [splitter, 10n ** 15n]);
  await mine(25);
  return {
    usdt: asTron(dollars),
    fakeUsdt: asTron(fake),
    payer: payer.toLowerCase(),
    clock: () => new Date((now + stood) * 1000),
    mine,
    wait: (seconds) => wait(seconds),
    standStill: (seconds) => void (stood += seconds),
    pay: (to, sun) => told(anvil.pay(to, sun)),
    send: (to, units) => transfer(dollars, to, units),
    sendFake: (to, units) => transfer(fake, to, units),
    sendEach: (to, units) => told(anvil.call(dollars, "Dollars", "transferEach", [to, units])),
    sendAndFail: (to, units) => told(anvil.call(splitter, "Payer", "transferAndFail", [dollars, to, units])),
    sendAndEnd: async (to, units, ending) => {
      const txid = await transfer(dollars, to, units);
      world.endings.set(txid, ending);
      return txid;
    },
    payInside: (to, sun) => told(anvil.call(splitter, "Payer", "pay", [[to], sun], sun)),
    give: async (to, amount) => {
      const txID = (++given).toString(16).padStart(64, "a");
      const [owner_address, to_address] = [`41${payer.slice(2)}`, `41${to.slice(2)}`];
      const value = { asset_name: "31303035343136", owner_address, to_address, amount };
      const type = "TransferAssetContract";
      const contract = [{ type, parameter: { value, type_url: `type.googleapis.com/protocol.${type}` } }];
      const transaction = { txID, ret: [{ contractRet: "SUCCESS" }], raw_data: { contract } };
      world.others.set((await anvil.height()) + 1, [transaction]);
      return txID;
    },
    fork: async () => {
      const id = await anvil.rpc("evm_snapshot");
      return async () => void (await anvil.rpc("evm_revert", id));
    },
    node: async () => {
      const node = await openTronNode(world);
      nodes.push(node);
      return node;
    },
    close: async () => {
      for (const node of nodes) await node.close();
      await anvil.remove();
    },
  };
}
