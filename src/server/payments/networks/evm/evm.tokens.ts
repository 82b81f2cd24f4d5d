// Transfers of a token to our addresses, by the events that its contract wrote.
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

// Beyond this it is cheaper to read every transfer of the tokens: one call for a span of blocks, however many wait.
const namedMax = 200;

/**
 * What came to our addresses in the blocks from `first` to `last`. Events that are `told` already cost nothing more; those of
 * these blocks are answered with the transfers.
 */
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

/** Asks for half as many blocks where a node finds it too much: providers limit the answers, not only the blocks. */
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
    // The ordinal inside the transaction is its own for ever; the one inside the block changes when it is mined again.
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

/** What a transaction moved by its event of this ordinal; undefined: it failed, or no token of ours has such an event. */
export function tokenMoved(receipt: Receipt, ordinal: number, tokens: readonly Token[]) {
  const log = receipt.logs[ordinal];
  const moved = log && movedBy(log, tokens);
  if (receipt.status !== 1n || !moved) return undefined;
  return { ...moved, from: addressIn(log.topics[1]), to: recipientOf(log) };
}

/** How much of what an event moved; undefined when it is of another contract, of another kind, or of nothing. */
function movedBy({ address, topics, data }: LogEntry, tokens: readonly Token[]) {
  // A token of the same name is not the token: only the contract that the settings name counts.
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

/** A block as the watcher knows it. */
export const blockOf = ({ number, hash, timestamp }: Head): Block => ({
  height: number,
  hash,
  at: new Date(Number(timestamp) * 1000),
});
