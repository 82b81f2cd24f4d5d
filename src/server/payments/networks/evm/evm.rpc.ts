import { z } from "zod/mini";
import { type Call, type Node, NodeTrouble } from "../nodes/nodes.ts";

const Quantity = z.pipe(
  z.union([z.string().check(z.regex(/^(0x[0-9a-f]+|\d+)$/i)), z.int(), z.bigint()]),
  z.transform((quantity: string | number | bigint) => BigInt(quantity)),
);
const Hash = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-f]{64}$/i)),
  z.transform((hex: string) => hex.toLowerCase()),
);
const Bytes = z.string().check(z.regex(/^0x([0-9a-f]{2})*$/i));
const Address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)),
  z.transform((hex: string) => hex.toLowerCase()),
);

const Head = z.object({ number: Quantity, hash: Hash, parentHash: Hash, timestamp: Quantity });
export type Head = z.infer<typeof Head>;

const Transaction = z.object({ hash: Hash, from: Address, to: z.nullish(Address), value: Quantity });
export type Transaction = z.infer<typeof Transaction>;
const Body = z.extend(Head, { transactions: z.array(z.unknown()) });
export type Body = z.infer<typeof Body>;

const Word = z.pipe(
  z.string(),
  z.transform((hex: string) => hex.toLowerCase()),
);
const Event = z.object({ address: Address, topics: z.array(Word), data: Bytes });
export type Event = z.infer<typeof Event>;
const LogEntry = z.extend(Event, {
  blockNumber: Quantity,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: z.unknown(),
  removed: z.nullish(z.boolean()),
});
export type LogEntry = z.infer<typeof LogEntry>;

const Receipt = z.object({
  transactionHash: Hash,
  status: Quantity,
  blockNumber: Quantity,
  blockHash: Hash,
  gasUsed: Quantity,
  effectiveGasPrice: z.nullish(Quantity),
  // The places of logs in their block are not read: some nodes count them in each transaction.
  logs: z.pipe(
    z.nullish(z.array(Event)),
    z.transform((logs: Event[] | null | undefined) => logs ?? []),
  ),
});
export type Receipt = z.infer<typeof Receipt>;

/** keccak256 of Transfer(address,address,uint256), the event of ERC-20. */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const hex = (number: bigint) => `0x${number.toString(16)}`;
const headCall = (height: bigint): Call => ({ method: "eth_getBlockByNumber", params: [hex(height), false] });

export const newestHead = (node: Node) => node.rpc(Head, "eth_getBlockByNumber", ["latest", false]);

// What nodes say that do not know the word; other refusals are an outage.
const unknownWord = /finali[sz]ed|unknown block|block not found|invalid block|hex string|invalid argument/i;
const unknownWordCodes = [-32_602, -39_001];

/** The newest block that the chain calls final; undefined where the node cannot tell. */
export async function finalHead(node: Node): Promise<Head | undefined> {
  try {
    return (await node.rpc(z.nullable(Head), "eth_getBlockByNumber", ["finalized", false])) ?? undefined;
  } catch (fault) {
    const { code, message } = fault instanceof NodeTrouble ? fault : {};
    if (code === undefined) throw fault;
    if (unknownWordCodes.includes(code) || unknownWord.test(`${message}`.replace(/^.*is refused/, "")))
      return undefined;
    throw fault;
  }
}

/** Blocks without their transactions. Throws NodeTrouble when the node lacks one of them. */
export const headsAt = (node: Node, heights: readonly bigint[]) => node.rpcAll(Head, heights.map(headCall));

export async function headAt(node: Node, height: bigint): Promise<Head> {
  const [head] = await headsAt(node, [height]);
  if (!head) throw new Error("one block was asked for");
  return head;
}

const bodiesAtOnce = 10;

/** Whole blocks from `first` to `last`, each the child of the one before. */
export async function bodiesOf(node: Node, first: bigint, last: bigint): Promise<Body[]> {
  const bodies: Body[] = [];
  for (let from = first; from <= last; from += BigInt(bodiesAtOnce)) {
    const count = Math.min(bodiesAtOnce, Number(last - from) + 1);
    const calls = Array.from({ length: count }, (_, n) => bodyCall(from + BigInt(n)));
    bodies.push(...(await node.rpcAll(Body, calls)));
  }
  for (const [place, body] of bodies.entries()) {
    const before = bodies[place - 1];
    if (before && before.hash !== body.parentHash) throw changed();
  }
  return bodies;
}

const bodyCall = (height: bigint): Call => ({ method: "eth_getBlockByNumber", params: [hex(height), true] });

export const changed = () => new NodeTrouble("the chain changed while it was read");

export const receiptsOf = (node: Node, txids: readonly string[]) =>
  node.rpcAll(
    z.nullable(Receipt),
    txids.map((txid) => ({ method: "eth_getTransactionReceipt", params: [txid] })),
  );

export const transactionOf = (node: Node, txid: string) =>
  node.rpc(z.nullable(Transaction), "eth_getTransactionByHash", [txid]);

const Parties = z.object({ from: Word, to: z.nullish(Word) });

/** The transactions of a block that may concern these addresses; others may be of a kind that cannot be read. */
export function transactionsAt({ transactions, number }: Body, ours: ReadonlySet<string>) {
  const read = transactions.flatMap((one) => {
    const parties = Parties.safeParse(one).data;
    if (parties && !ours.has(parties.from) && !ours.has(parties.to ?? "")) return [];
    const transaction = Transaction.safeParse(one);
    if (!transaction.success) throw new NodeTrouble(`a transaction of its block ${number} cannot be read`);
    return [transaction.data];
  });
  // Some nodes repeat what they list: twice the same would explain a rise of twice as much.
  return [...new Map(read.map((one) => [one.hash, one])).values()];
}

export async function transferLogs(
  node: Node,
  query: { contracts: readonly string[]; to: readonly string[] | null; first: bigint; last: Head },
): Promise<LogEntry[]> {
  const { contracts, to, first, last } = query;
  const topics = [transferTopic, null, ...(to ? [to.map(wordOf)] : [])];
  const filter = { address: contracts, topics, fromBlock: hex(first), toBlock: hex(last.number) };
  const calls = [{ method: "eth_getLogs", params: [filter] }, headCall(last.number)];
  const [logs, head] = await node.rpcAll(z.nullable(z.union([z.array(LogEntry), Head])), calls);
  const isThere = head && !Array.isArray(head) && head.hash === last.hash;
  if (!isThere || (logs && !Array.isArray(logs))) throw changed();
  return logs ?? [];
}

export const wordOf = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;

export const gasPriceOf = (node: Node) => node.rpc(Quantity, "eth_gasPrice", []);

export const chainIdOf = (node: Node) => node.rpc(Quantity, "eth_chainId", []);

/** The block of a question about the state, by its hash, so that no other block answers it (EIP-1898). */
export type Moment = { readonly hash: string; readonly height: bigint } | "latest";

/** What a function of a contract returns; "0x" where there is no contract. */
export const ask = (node: Node, contract: string, data: string) =>
  node.rpc(Bytes, "eth_call", [{ to: contract, data }, "latest"]);

export const askAll = (node: Node, contract: string, questions: readonly string[]) =>
  node.rpcAll(
    Bytes,
    questions.map((data) => ({ method: "eth_call", params: [{ to: contract, data }, "latest"] })),
  );

export const sentBy = (node: Node, addresses: readonly string[]) =>
  node.rpcAll(
    Quantity,
    addresses.map((address) => ({ method: "eth_getTransactionCount", params: [address, "latest"] })),
  );

const addressesAtOnce = 1000;
const balanceBytes = 16;

// A program that answers the balances of the addresses written behind it, 16 bytes each. A call without a recipient runs
// it as the constructor of a contract that is never made, so that thousands of balances are one call of any node:
//   codecopy(32, 50, codesize - 50); for (i = out = 0; i < codesize - 50; i += 20, out += 16)
//     mstore(out, balance(mload(32 + i) >> 96) << 128); return(0, out)
const balancesProgram =
  "60323803806032602039600060005b8282106018576000f35b816020015160601c3160801b81526010019060140190600e56";

// The same for a token, whose contract stands before the addresses: it asks the contract about each, and reverts where one answer is
// missing. Memory: the selector up to 32, the address asked about up to 64, the answer up to 96, then the addresses, replaced by
// balances of 16 bytes one after the other:
//   codecopy(96, 97, codesize - 97); mstore(0, 0x70a08231); token = mload(96) >> 96
//   for (i = 116, out = 96; i < codesize - 1; i += 20, out += 16)
//     mstore(32, mload(i) >> 96); if !(staticcall(gas, token, 28, 36, 64, 32) & returndatasize > 31) revert(0, 0)
//     mstore(out, mload(64) << 128)
//   return(96, out - 96)
const tokenBalancesProgram =
  "606138038060616060396370a0823160005260600160605160601c607460605b838210602d57606090036060f35b815160601c602052602060406024601c865afa601f3d1116604d57600080fd5b60405160801b81526010019060140190601f56";
// A contract's answer costs thousands of units of gas, and nodes bound what a call may spend.
const holdersAtOnce = 250;

export const balanceCallsFor = (addresses: number) => Math.ceil(addresses / addressesAtOnce);

export async function balancesAt(
  node: Node,
  addresses: readonly string[],
  moment: Moment,
): Promise<bigint[]> {
  return runFor(node, balancesProgram, { addresses, atOnce: addressesAtOnce, moment });
}

/** What addresses hold of a token now. Throws NodeTrouble where the contract does not answer. */
export async function tokenBalances(
  node: Node,
  contract: string,
  addresses: readonly string[],
): Promise<bigint[]> {
  const program = tokenBalancesProgram + contract.slice(2);
  return runFor(node, program, { addresses, atOnce: holdersAtOnce, moment: "latest" });
}

async function runFor(
  node: Node,
  program: string,
  { addresses, atOnce, moment }: { addresses: readonly string[]; atOnce: number; moment: Moment },
): Promise<bigint[]> {
  const calls: { data: string }[] = [];
  for (let from = 0; from < addresses.length; from += atOnce) {
    const some = addresses.slice(from, from + atOnce);
    calls.push({ data: `0x${program}${some.map((address) => address.slice(2)).join("")}` });
  }
  const answers = await askAt(node, calls, moment);
  const words = answers.flatMap((answer) => answer.slice(2).match(/.{32}/g) ?? []);
  if (words.length !== addresses.length)
    throw new NodeTrouble(
      `it answers ${words.length} balances of ${balanceBytes} bytes for ${addresses.length}`,
    );
  return words.map((word) => BigInt(`0x${word}`));
}

const isUnknownForm = (fault: unknown) =>
  fault instanceof NodeTrouble &&
  fault.code !== undefined &&
  (fault.code === -32_602 || /unmarshal|hex string|invalid (argument|param|type|block)/i.test(fault.message));

/** Whether a node answers about the state at a block that is named by its hash. */
export async function takesHashes(node: Node, { hash }: Head): Promise<boolean> {
  try {
    await node.rpc(Bytes, "eth_call", [{ data: `0x${balancesProgram}` }, { blockHash: hash }]);
    return true;
  } catch (fault) {
    if (!isUnknownForm(fault)) throw fault;
    return false;
  }
}

/** Asks by the block's hash; a node that takes none is asked by the number, and must still have that block then. */
async function askAt(node: Node, programs: readonly { data: string }[], moment: Moment): Promise<string[]> {
  const at = (block: unknown) =>
    programs.map((program) => ({ method: "eth_call", params: [program, block] }));
  if (moment === "latest") return node.rpcAll(Bytes, at(moment));
  try {
    return await node.rpcAll(Bytes, at({ blockHash: moment.hash }));
  } catch (fault) {
    if (!isUnknownForm(fault)) throw fault;
    const answers = await node.rpcAll(Bytes, at(hex(moment.height)));
    if ((await headAt(node, moment.height)).hash !== moment.hash) throw changed();
    return answers;
  }
}
