import { type EvmChain } from "./evm.chains.ts";
import {
  changed,
  type Head,
  headsAt,
  type LogEntry,
  type Receipt,
  receiptsOf,
  transferLogs,
  transferTopic,
} from "./evm.rpc.ts";
import type { Token } from "../identity.ts";
import type { Block, ChainTransfer } from "../network.ts";
import { type Node, NodeTrouble } from "../nodes/nodes.ts";

// With more addresses it is cheaper to read every transfer of the tokens.
const namedMax = 200;

/** Transfers to our addresses in the blocks `first` to `last`, and the events seen there. Events in `told` cost no more calls. */
export async function tokenTransfers(
  node: Node,
  asked: {
    chain: EvmChain;
    tokens: readonly Token[];
    ours: ReadonlySet<string>;
    first: bigint;
    last: Head;
    told: ReadonlySet<string>;
  },
): Promise<{ transfers: ChainTransfer[]; told: ReadonlySet<string> }> {
  const { chain, tokens, ours, first, last, told } = asked;
  if (ours.size === 0 || tokens.length === 0) return { transfers: [], told: new Set() };
  const to = ours.size <= namedMax ? [...ours] : null;
  const contracts = tokens.map(({ contract }) => contract);
  const logs: LogEntry[] = [];
  for (let from = first; from <= last.number; from += chain.logSpan) {
    const end = from + chain.logSpan - 1n;
    const head = end >= last.number ? last : await headAt(node, end);
    logs.push(...(await logsOf(node, { contracts, to, first: from, last: head })));
  }
  const found = logs.filter((log) => isToOurs(log, tokens, ours));
  const news = found.filter((log) => !told.has(nameOf(log)));
  return {
    transfers: await transfersOf(node, { chain, tokens, logs: news }),
    told: new Set(found.map(nameOf)),
  };
}

const nameOf = ({ blockHash, logIndex }: LogEntry) => `${blockHash} ${logIndex}`;

const isToOurs = (log: LogEntry, tokens: readonly Token[], ours: ReadonlySet<string>) =>
  movedBy(log, tokens) !== undefined && ours.has(recipientOf(log)) && log.removed !== true;

/** Halves the span where a node finds it too much: providers limit answers, not only blocks. */
async function logsOf(node: Node, asked: Parameters<typeof transferLogs>[1]): Promise<LogEntry[]> {
  try {
    return await transferLogs(node, asked);
  } catch (fault) {
    const isRefused = fault instanceof NodeTrouble && fault.code !== undefined;
    if (!isRefused || asked.first >= asked.last.number) throw fault;
    const middle = (asked.first + asked.last.number) / 2n;
    const before = await logsOf(node, { ...asked, last: await headAt(node, middle) });
    return [...before, ...(await logsOf(node, { ...asked, first: middle + 1n }))];
  }
}

async function transfersOf(
  node: Node,
  { chain, tokens, logs }: { chain: EvmChain; tokens: readonly Token[]; logs: readonly LogEntry[] },
): Promise<ChainTransfer[]> {
  if (logs.length === 0) return [];
  const heights = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
  const heads = new Map((await headsAt(node, heights)).map((head) => [head.number, head]));
  const txids = [...new Set(logs.map(({ transactionHash }) => transactionHash))];
  const receipts = new Map((await receiptsOf(node, txids)).map((one, place) => [txids[place], one]));
  return logs.map((log) => {
    const head = heads.get(log.blockNumber);
    const receipt = receipts.get(log.transactionHash);
    if (!head || !receipt || head.hash !== log.blockHash || receipt.blockHash !== log.blockHash)
      throw changed();
    const ordinal = receipt.logs.findIndex(({ logIndex }) => logIndex === log.logIndex);
    const moved = tokenMoved(receipt, ordinal, tokens);
    if (!moved)
      throw new NodeTrouble(`it tells a transfer of ${log.transactionHash} that its receipt does not have`);
    // The ordinal within the transaction is stable; the one within the block changes when it is mined again.
    return {
      chain: chain.name,
      txid: log.transactionHash,
      index: String(ordinal),
      currency: moved.currency,
      address: moved.to,
      amount: moved.amount,
      from: moved.from,
      block: blockOf(head),
    };
  });
}

/** What the event of this ordinal moved; undefined: the transaction failed, or the event is not of our tokens. */
export function tokenMoved(receipt: Receipt, ordinal: number, tokens: readonly Token[]) {
  const log = receipt.logs[ordinal];
  const moved = log && movedBy(log, tokens);
  if (receipt.status !== 1n || !moved) return undefined;
  return { ...moved, from: addressIn(log.topics[1]), to: recipientOf(log) };
}

function movedBy({ address, topics, data }: LogEntry, tokens: readonly Token[]) {
  // Only the contract counts: other tokens may have the same name.
  const token = tokens.find(({ contract }) => contract === address);
  if (!token || topics.length !== 3 || topics[0] !== transferTopic || data.length !== 66) return undefined;
  const amount = BigInt(data);
  return amount > 0n ? { currency: token.currency, amount } : undefined;
}

const addressIn = (word = "") => `0x${word.slice(26).toLowerCase()}`;
const recipientOf = ({ topics }: LogEntry) => addressIn(topics[2]);

async function headAt(node: Node, height: bigint): Promise<Head> {
  const [head] = await headsAt(node, [height]);
  if (!head) throw new Error("one block was asked for");
  return head;
}

export const blockOf = ({ number, hash, timestamp }: Head): Block => ({
  height: number,
  hash,
  at: new Date(Number(timestamp) * 1000),
});
