// TRON nodes on loopback: HTTP API and JSON-RPC of java-tron over a real EVM chain. Contracts, logs and forks are real;
// the shapes follow the documentation.
import { text as textIn } from "node:stream/consumers";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Record<string, unknown>;

/** A JSON-RPC call to the chain below. */
export type Rpc = <Result>(method: string, ...params: unknown[]) => Promise<Result>;

export interface TronTransaction extends Json {
  readonly txID: string;
}

export interface TronWorld {
  readonly rpc: Rpc;
  readonly others: Map<number, TronTransaction[]>;
  /** Results that an EVM would not give, by transaction: "OUT_OF_TIME", with the logs kept. */
  readonly endings: Map<string, string>;
}

export interface TronNode {
  readonly url: string;
  readonly asked: string[];
  readonly keys: (string | undefined)[];
  solidLag: number;
  behind: number;
  blind: number;
  trouble: { status: number; text: string } | undefined;
  /** Replaces an answer; undefined: keeps it. */
  change: ((path: string, body: Json, said: unknown) => unknown) | undefined;
  genesis: string;
  close(): Promise<void>;
}

export const mainGenesis = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";
export const nileGenesis = "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc";

interface EvmTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly input: string;
  readonly blockNumber: string | null;
}
interface EvmBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly miner: string;
  readonly transactions: readonly EvmTransaction[];
}
interface EvmLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
}
interface EvmReceipt {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly contractAddress: string | null;
  readonly logs: readonly EvmLog[];
}

const hex = (height: number) => `0x${height.toString(16)}`;
const bare = (text: string) => text.replace(/^0x/, "");
const tronAddress = (evm: string) => `41${bare(evm)}`;

export async function openTronNode(world: TronWorld): Promise<TronNode> {
  const server = createServer((request, response) => {
    void (async () => {
      const text = await textIn(request);
      const path = request.url ?? "";
      const body = JSON.parse(text || "{}") as Json;
      node.asked.push(path === "/jsonrpc" ? String(body["method"]) : path);
      node.keys.push(request.headers["tron-pro-api-key"] as string | undefined);
      const { status, text: said } = node.trouble ?? {
        status: 200,
        text: changed(node, path, body, await answer(world, node, path, body)),
      };
      response.writeHead(status, { "content-type": "application/json" }).end(said);
    })();
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const node: TronNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    keys: [],
    solidLag: 19,
    behind: 0,
    blind: 0,
    trouble: undefined,
    change: undefined,
    genesis: mainGenesis,
    close: async () => {
      server.closeAllConnections();
      await new Promise((down) => server.close(down));
    },
  };
  return node;
}

function changed({ change }: TronNode, path: string, body: Json, text: string): string {
  const said = change?.(path, body, JSON.parse(text));
  return said === undefined ? text : JSON.stringify(said);
}

async function answer(world: TronWorld, node: TronNode, path: string, body: Json): Promise<string> {
  const view = new View(world, node);
  if (path === "/jsonrpc") {
    const { id } = body;
    try {
      const [filter = {}] = body["params"] as Json[];
      return JSON.stringify({ jsonrpc: "2.0", id, result: await view.rpc(String(body["method"]), filter) });
    } catch (fault) {
      const { message } = fault as Error;
      return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32602, message, data: "{}" } });
    }
  }
  const [, part, call] = /^\/(wallet|walletsolidity)\/(\w+)$/.exec(path) ?? [];
  try {
    return JSON.stringify(await view.http(part === "walletsolidity", call ?? "", body));
  } catch (fault) {
    // java-tron answers errors with status 200.
    return JSON.stringify({ Error: `class java.lang.Exception : ${(fault as Error).message}` });
  }
}

class View {
  readonly #world: TronWorld;
  readonly #node: TronNode;

  constructor(world: TronWorld, node: TronNode) {
    this.#world = world;
    this.#node = node;
  }

  async http(isSolid: boolean, call: string, body: Json): Promise<Json> {
    const last = Math.max(0, (await this.#top()) - (isSolid ? this.#node.solidLag : 0));
    switch (call) {
      case "getblock": {
        const height = body["id_or_num"] === undefined ? last : Number(body["id_or_num"]);
        return height > last ? {} : this.#block(height, body["detail"] === true);
      }
      case "getblockbylimitnext":
        return this.#blocks(Number(body["startNum"]), Number(body["endNum"]), last);
      case "gettransactionbyid":
        return this.#transaction(String(body["value"]));
      case "gettransactioninfobyid":
        return this.#info(String(body["value"]), last - this.#node.blind);
      case "getchainparameters":
        return { chainParameter: chainParameters };
      case "getaccount":
        return this.#account(String(body["address"]), last);
      case "triggerconstantcontract":
        return this.#constant(body as Record<string, string>, last);
      default:
        throw new Error(`no call ${call}`);
    }
  }

  async rpc(method: string, filter: Json): Promise<unknown> {
    if (method === "eth_chainId") return `0x${this.#node.genesis.slice(-8)}`;
    if (method === "eth_getLogs") return this.#logs(filter);
    throw new Error("the method does not exist/is not available");
  }

  async #top(): Promise<number> {
    return Number(await this.#world.rpc<string>("eth_blockNumber")) - this.#node.behind;
  }

  /** A block id begins with its height. */
  #idOf(height: number, hash: string): string {
    return height === 0 ? this.#node.genesis : height.toString(16).padStart(16, "0") + bare(hash).slice(16);
  }

  async #block(height: number, detail: boolean): Promise<Json> {
    const { rpc, others } = this.#world;
    const [told, receipts] = await Promise.all([
      rpc<EvmBlock>("eth_getBlockByNumber", hex(height), true),
      detail ? rpc<EvmReceipt[]>("eth_getBlockReceipts", hex(height)) : [],
    ]);
    const own = told.transactions.map((one, at) => transactionOf(one, receipts[at], this.#world));
    const transactions = detail ? [...own, ...(others.get(height) ?? [])] : [];
    const raw = {
      ...(height === 0 ? {} : { number: height, timestamp: Number(told.timestamp) * 1000 }),
      txTrieRoot: "0".repeat(64),
      witness_address: tronAddress(told.miner),
      parentHash: height === 0 ? "0".repeat(64) : this.#idOf(height - 1, told.parentHash),
      version: 34,
    };
    return {
      blockID: this.#idOf(height, told.hash),
      block_header: { raw_data: raw, witness_signature: "00" },
      ...(transactions.length > 0 ? { transactions } : {}),
    };
  }

  async #blocks(from: number, to: number, last: number): Promise<Json> {
    if (to <= from || to - from > 100) return {};
    const heights = Array.from({ length: to - from }, (_, at) => from + at).filter((one) => one <= last);
    return heights.length === 0
      ? {}
      : { block: await Promise.all(heights.map((one) => this.#block(one, true))) };
  }

  #other(txid: string): { height: number; transaction: TronTransaction } | undefined {
    for (const [height, some] of this.#world.others)
      for (const transaction of some) if (transaction.txID === txid) return { height, transaction };
    return undefined;
  }

  async #transaction(txid: string): Promise<Json> {
    const { rpc } = this.#world;
    const other = this.#other(txid);
    if (other) return other.transaction;
    const told = await rpc<EvmTransaction | null>("eth_getTransactionByHash", `0x${txid}`);
    if (!told?.blockNumber) return {};
    return transactionOf(told, await rpc<EvmReceipt>("eth_getTransactionReceipt", told.hash), this.#world);
  }

  async #info(txid: string, last: number): Promise<Json> {
    const { rpc } = this.#world;
    const other = this.#other(txid);
    if (other) {
      const { height: blockNumber } = other;
      if (blockNumber > last) return {};
      return { id: txid, blockNumber, blockTimeStamp: 0, receipt: { net_fee: 267_000 } };
    }
    const receipt = await rpc<EvmReceipt | null>("eth_getTransactionReceipt", `0x${txid}`);
    if (!receipt || Number(receipt.blockNumber) > last) return {};
    const { timestamp } = await rpc<EvmBlock>("eth_getBlockByNumber", receipt.blockNumber, false);
    const told = await rpc<EvmTransaction>("eth_getTransactionByHash", `0x${txid}`);
    return infoOf(told, receipt, Number(timestamp) * 1000, this.#world);
  }

  async #logs(filter: Json): Promise<Json[]> {
    const [from, to] = [Number(filter["fromBlock"]), Number(filter["toBlock"])];
    const top = await this.#top();
    if (from > to) throw new Error("please verify: fromBlock <= toBlock");
    if (Math.min(to, top) - from > 5000) throw new Error("exceed max block range: 5000");
    const topics = filter["topics"] as (string | string[] | null)[];
    if (topics.some((slot) => Array.isArray(slot) && slot.length > 1000))
      throw new Error("exceed max topics: 1000");
    const last = Math.min(to, top - this.#node.blind);
    if (from > last) return [];
    const found = await this.#world.rpc<EvmLog[]>("eth_getLogs", { ...filter, toBlock: hex(last) });
    return found.map((one) => ({
      ...one,
      blockHash: `0x${this.#idOf(Number(one.blockNumber), one.blockHash)}`,
    }));
  }

  async #account(address: string, last: number): Promise<Json> {
    const sun = await this.#world.rpc<string>("eth_getBalance", `0x${address.slice(2)}`, hex(last));
    return BigInt(sun) === 0n ? {} : { address, balance: Number(sun), create_time: 0 };
  }

  async #constant(asked: Record<string, string>, last: number): Promise<Json> {
    const { contract_address: to = "", function_selector: selector = "", parameter = "" } = asked;
    const { rpc } = this.#world;
    const hash = await rpc<string>("web3_sha3", `0x${Buffer.from(selector).toString("hex")}`);
    const call = { to: `0x${to.slice(2)}`, data: hash.slice(0, 10) + parameter };
    const said = await rpc<string>("eth_call", call, hex(last)).catch(() => undefined);
    if (said === undefined) return { result: { result: true, message: "REVERT opcode executed" } };
    const transaction = { ret: [{}] };
    return { result: { result: true }, energy_used: 935, constant_result: [bare(said)], transaction };
  }
}

function transactionOf(
  told: EvmTransaction,
  receipt: EvmReceipt | undefined,
  { endings }: TronWorld,
): TronTransaction {
  const { hash, from, to, value, input } = told;
  const owner = { owner_address: tronAddress(from) };
  const isCall = input !== "0x" || to === null;
  const type = to === null ? "CreateSmartContract" : isCall ? "TriggerSmartContract" : "TransferContract";
  const call = {
    ...owner,
    data: bare(input),
    contract_address: tronAddress(to ?? receipt?.contractAddress ?? ""),
  };
  const parameter = isCall ? call : { ...owner, amount: Number(value), to_address: tronAddress(to) };
  return {
    ret: [{ contractRet: endings.get(bare(hash)) ?? (receipt?.status === "0x1" ? "SUCCESS" : "REVERT") }],
    signature: ["00"],
    txID: bare(hash),
    raw_data: {
      contract: [{ parameter: { value: parameter, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ref_block_bytes: "0000",
      ref_block_hash: "0000000000000000",
      expiration: 0,
      timestamp: 0,
    },
    raw_data_hex: "",
  };
}

function infoOf(
  told: EvmTransaction,
  receipt: EvmReceipt,
  blockTimeStamp: number,
  { endings }: TronWorld,
): Json {
  const id = bare(receipt.transactionHash);
  const isCall = told.input !== "0x";
  const ending = endings.get(id) ?? (receipt.status === "0x1" ? "SUCCESS" : "REVERT");
  const log = receipt.logs.map(({ address, topics, data }) => ({
    address: bare(address),
    topics: topics.map(bare),
    data: bare(data),
  }));
  return {
    id,
    blockNumber: Number(receipt.blockNumber),
    blockTimeStamp,
    contractResult: [""],
    receipt: {
      net_fee: 345_000,
      ...(isCall ? { energy_usage_total: Number(receipt.gasUsed), result: ending } : {}),
    },
    ...(ending === "SUCCESS" ? {} : { result: "FAILED", resMessage: "" }),
    ...(log.length > 0 ? { log } : {}),
  };
}

/** Of the main network in 2026, and one without a value, as it tells an empty one. */
const chainParameters = [
  { key: "getEnergyFee", value: 100 },
  { key: "getTransactionFee", value: 1000 },
  { key: "getCreateAccountFee", value: 100_000 },
  { key: "getCreateNewAccountFeeInSystemContract", value: 1_000_000 },
  { key: "getAllowTvmConstantinople" },
];
