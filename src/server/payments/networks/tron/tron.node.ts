import { z } from "zod/mini";
import { tron as spelling } from "../../wallets/spelling.ts";
import { type Node, NodeTrouble } from "../nodes/nodes.ts";

/** `wallet`: the newest blocks, which may be undone; `walletsolidity`: those that two thirds of the producers built upon. */
export type Part = "wallet" | "walletsolidity";

export interface Header {
  readonly height: bigint;
  readonly id: string;
  readonly parent: string;
  readonly at: Date;
}

/** TRX from one account to another. Addresses are in the canonical spelling here. */
export interface Payment {
  readonly txid: string;
  readonly from: string;
  readonly to: string;
  /** Sun: a millionth of a TRX. */
  readonly amount: bigint;
}

export interface Body extends Header {
  readonly payments: readonly Payment[];
  /** Ids of transactions that may be payments, but cannot be read. */
  readonly unread: readonly string[];
}

/** `ordinal` is the place of the log inside the transaction. */
export interface TokenTransfer extends Payment {
  readonly ordinal: number;
  readonly contract: string;
}

export interface Executed {
  readonly height: bigint;
  readonly at: Date;
  readonly transfers: readonly TokenTransfer[];
  /** Its contract ended with an error: its logs do not count. */
  readonly hasFailed: boolean;
}

export interface Found {
  readonly txid: string;
  readonly height: bigint;
  readonly blockId: string;
}

// keccak-256 of "Transfer(address,address,uint256)" (EIP-20).
const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const Id = z.pipe(
  z.string().check(z.regex(/^[0-9a-f]{64}$/i)),
  z.transform((hex: string) => hex.toLowerCase()),
);
const Whole = z.pipe(
  z.union([z.int().check(z.gte(0)), z.bigint()]),
  z.transform((units: number | bigint) => BigInt(units)),
);
const Milliseconds = z.pipe(
  z.int(),
  z.transform((since: number) => new Date(since)),
);
/** 21 bytes that begin with 41, as hex or as wallets show them, turned into the canonical spelling. */
const Address = z.pipe(
  z.string().check(z.refine((text) => canonicalIn(text) !== undefined)),
  z.transform((text: string) => canonicalIn(text) ?? ""),
);
const Quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-f]+$/i)),
  z.transform((hex: string) => BigInt(hex)),
);

const Nothing = z.pipe(
  z.strictObject({}),
  z.transform(() => undefined),
);

// Fields that are 0 are left out: the first block has no number.
const HeaderShape = z.object({
  blockID: Id,
  block_header: z.object({
    raw_data: z.object({ number: z.optional(Whole), parentHash: Id, timestamp: z.optional(Milliseconds) }),
  }),
});
const TransactionShape = z.object({
  txID: Id,
  ret: z.nullish(z.array(z.object({ contractRet: z.nullish(z.string()) }))),
  raw_data: z.object({
    contract: z.array(z.object({ type: z.string(), parameter: z.object({ value: z.unknown() }) })),
  }),
});
const BodyShape = z.extend(HeaderShape, { transactions: z.nullish(z.array(z.unknown())) });
const Named = z.object({ txID: Id });
const TransferContract = z.object({ amount: Whole, owner_address: Address, to_address: Address });
const LogShape = z.object({
  address: z.string(),
  topics: z.nullish(z.array(z.string())),
  data: z.nullish(z.string()),
});
const InfoShape = z.object({
  id: z.optional(Id),
  blockNumber: z.optional(Whole),
  blockTimeStamp: z.optional(Milliseconds),
  receipt: z.nullish(z.object({ result: z.nullish(z.string()) })),
  log: z.nullish(z.array(LogShape)),
});
/** An id as JSON-RPC tells it. */
const Prefixed = z.pipe(
  z.string().check(z.regex(/^(0x)?[0-9a-f]{64}$/i)),
  z.transform((hex: string) => hex.toLowerCase().slice(-64)),
);
const FoundShape = z.object({
  transactionHash: Prefixed,
  blockHash: Prefixed,
  blockNumber: Quantity,
});
const ConstantShape = z.object({
  constant_result: z.optional(z.array(z.string().check(z.regex(/^([0-9a-f]{2})*$/)))),
  result: z.object({ result: z.optional(z.boolean()), message: z.optional(z.string()) }),
});

export async function tip(node: Node, part: Part): Promise<Header> {
  return headerOf(await ask(node, HeaderShape, `/${part}/getblock`, { detail: false }));
}

export async function header(node: Node, part: Part, height: bigint): Promise<Header | undefined> {
  const body = { id_or_num: String(height), detail: false };
  const header = await ask(node, z.union([HeaderShape, Nothing]), `/${part}/getblock`, body);
  return header && headerOf(header);
}

/** The blocks `from` to `to` as far as the node has them, each built upon the one before. At most 100. */
export async function bodies(node: Node, from: bigint, to: bigint): Promise<Body[]> {
  const shape = z.object({ block: z.optional(z.array(BodyShape)) });
  const body = { startNum: Number(from), endNum: Number(to + 1n) };
  const { block = [] } = await ask(node, shape, "/wallet/getblockbylimitnext", body);
  const bodies = block.map((one) => ({ ...headerOf(one), ...paymentsOf(one.transactions ?? []) }));
  const isChain = bodies.every(
    (one, index) =>
      one.height === from + BigInt(index) && (index === 0 || one.parent === bodies[index - 1]?.id),
  );
  if (!isChain) throw new NodeTrouble(`its blocks from ${from} to ${to} are no chain`);
  return bodies;
}

/** Reads each transaction alone: one of an unknown shape hides no other. */
function paymentsOf(transactions: readonly unknown[]): Pick<Body, "payments" | "unread"> {
  const [payments, unread]: [Payment[], string[]] = [[], []];
  for (const one of transactions) {
    const read = TransactionShape.safeParse(one);
    const paid = read.success ? paymentIn(read.data) : "unread";
    if (paid !== "unread") payments.push(...paid);
    else {
      const named = Named.safeParse(one);
      if (!named.success) throw new NodeTrouble("it tells a transaction without its id");
      unread.push(named.data.txID);
    }
  }
  return { payments, unread };
}

/** The TRX that a transaction moved; undefined when it failed or did something else. Throws NodeTrouble when unknown. */
export async function payment(node: Node, txid: string): Promise<Payment | undefined> {
  const transaction = await ask(node, z.union([TransactionShape, Nothing]), "/wallet/gettransactionbyid", {
    value: txid,
  });
  if (!transaction) throw new NodeTrouble(`it does not have the transaction ${txid}`);
  const paid = paymentIn(transaction);
  if (paid === "unread") throw new NodeTrouble(`it tells ${txid} without its amount and its accounts`);
  return paid[0];
}

export async function executed(node: Node, part: Part, txid: string): Promise<Executed | undefined> {
  const info = await ask(node, InfoShape, `/${part}/gettransactioninfobyid`, { value: txid });
  const { id, blockNumber, blockTimeStamp, receipt, log } = info;
  if (id === undefined) return undefined;
  if (blockNumber === undefined || blockTimeStamp === undefined)
    throw new NodeTrouble(`it does not say in which block ${txid} is`);
  const result = receipt?.result ?? undefined;
  const logs = result === "SUCCESS" ? (log ?? []) : [];
  const transfers = logs.flatMap((one, ordinal) =>
    transferIn(one).map((each) => ({ ...each, txid, ordinal })),
  );
  const hasFailed = result !== undefined && result !== "SUCCESS";
  return { height: blockNumber, at: blockTimeStamp, transfers, hasFailed };
}

/** Token transfers to these addresses in the blocks `from` to `to`. At most 1000 addresses and 5000 blocks. */
export async function search(
  node: Node,
  token: string,
  to: readonly string[],
  blocks: { from: bigint; to: bigint },
): Promise<Found[]> {
  const topics = [`0x${transferTopic}`, null, to.map((address) => `0x${word(address)}`)];
  const range = { fromBlock: `0x${blocks.from.toString(16)}`, toBlock: `0x${blocks.to.toString(16)}` };
  const filter = { ...range, address: token, topics };
  const found = await node.rpc(z.nullable(z.array(FoundShape)), "eth_getLogs", [filter]);
  return (found ?? []).map(({ transactionHash: txid, blockHash: blockId, blockNumber: height }) => ({
    txid,
    height,
    blockId,
  }));
}

/** The EVM chain id: the last four bytes of the first block's id. */
export function chainId(node: Node): Promise<bigint> {
  return node.rpc(Quantity, "eth_chainId", []);
}

/** Sun at an address; undefined where no TRX ever came: there is no account, and nothing can be sent. */
export async function account(node: Node, part: Part, address: string): Promise<bigint | undefined> {
  const shape = z.union([z.object({ address: Address, balance: z.optional(Whole) }), Nothing]);
  const account = await ask(node, shape, `/${part}/getaccount`, { address: hexOf(address) });
  return account && (account.balance ?? 0n);
}

/** The answer of a token's contract by its final state, as hex. Throws NodeTrouble when it does not answer. */
export async function question(
  node: Node,
  token: string,
  selector: string,
  argument?: string,
): Promise<string> {
  const body = {
    owner_address: hexOf(token),
    contract_address: hexOf(token),
    function_selector: selector,
    ...(argument === undefined ? {} : { parameter: word(argument) }),
  };
  const called = await ask(node, ConstantShape, "/walletsolidity/triggerconstantcontract", body);
  const [answer = ""] = called.constant_result ?? [];
  // A failed contract has a result too, with a message.
  if (called.result.result !== true || called.result.message !== undefined || answer.length < 64)
    throw new NodeTrouble(`the contract ${token} does not answer ${selector}`);
  return answer;
}

/** An address of 20 or 21 bytes as hex, in the canonical spelling. */
function canonical(hex: string): string {
  return `0x${hex.slice(-40).toLowerCase()}`;
}

/** The canonical spelling of an address in hex or base58; undefined when it is none. */
function canonicalIn(text: string): string | undefined {
  return /^(0x)?41[0-9a-fA-F]{40}$/.test(text) ? canonical(text) : spelling.canonicalOf(text);
}

const bare = (hex: string) => hex.toLowerCase().replace(/^0x/, "");
const hexOf = (address: string) => `41${address.slice(2)}`;
const word = (address: string) => address.slice(2).padStart(64, "0");

const refusal = z.check<unknown>(({ value, issues }) => {
  const refused = z.object({ Error: z.string() }).safeParse(value);
  if (refused.success)
    issues.push({ code: "custom", message: refused.data.Error.slice(0, 200), path: ["Error"], input: value });
});

function ask<Shape>(node: Node, shape: z.ZodMiniType<Shape>, path: string, body: unknown): Promise<Shape> {
  return node.post(z.pipe(z.unknown().check(refusal), shape), path, body);
}

function headerOf({ blockID, block_header: { raw_data: raw } }: z.infer<typeof HeaderShape>): Header {
  return { height: raw.number ?? 0n, id: blockID, parent: raw.parentHash, at: raw.timestamp ?? new Date(0) };
}

// Checks the kind and not the value: a worthless TRC-10 token moves by TransferAssetContract, with an amount too.
function paymentIn({
  txID: txid,
  ret,
  raw_data: { contract },
}: z.infer<typeof TransactionShape>): Payment[] | "unread" {
  const [only] = contract;
  if (only?.type !== "TransferContract" || ret?.[0]?.contractRet !== "SUCCESS") return [];
  const transfer = TransferContract.safeParse(only.parameter.value);
  if (!transfer.success) return "unread";
  const { amount, owner_address: from, to_address: to } = transfer.data;
  return [{ txid, from, to, amount }];
}

/** Reads a Transfer log. Its address has 20 bytes; elsewhere addresses have 21. */
function transferIn({ address, topics, data }: z.infer<typeof LogShape>) {
  const [topic, from, to] = (topics ?? []).map(bare);
  const amount = bare(data ?? "");
  const isTransfer = topic === transferTopic && topics?.length === 3;
  if (!isTransfer || from === undefined || to === undefined || !/^[0-9a-f]{64}$/.test(amount)) return [];
  return [
    { contract: canonical(address), from: canonical(from), to: canonical(to), amount: BigInt(`0x${amount}`) },
  ];
}

/** Sun, for each unit. */
export interface Prices {
  readonly energy: bigint;
  readonly byte: bigint;
  readonly account: bigint;
}

const Parameters = z.object({
  chainParameter: z.array(z.object({ key: z.string(), value: z.optional(Whole) })),
});

export async function prices(node: Node): Promise<Prices> {
  const { chainParameter } = await ask(node, Parameters, "/wallet/getchainparameters", {});
  const of = (key: string) => {
    const value = chainParameter.find((one) => one.key === key)?.value;
    if (value === undefined) throw new NodeTrouble(`it does not tell ${key}`);
    return value;
  };
  return {
    energy: of("getEnergyFee"),
    byte: of("getTransactionFee"),
    account: of("getCreateNewAccountFeeInSystemContract") + of("getCreateAccountFee"),
  };
}
