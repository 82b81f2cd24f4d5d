import { type EvmChain } from "./evm.chains.ts";
import type { Unread } from "./evm.cursor.ts";
import {
  changed,
  type Event,
  type Head,
  headAt,
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

/** Transfers to our addresses in the blocks `first` to `last`, what could not be read, and the events seen there. Events in `reported` cost no more calls. */
export async function tokenTransfers(
  node: Node,
  query: {
    chain: EvmChain;
    tokens: readonly Token[];
    ours: ReadonlySet<string>;
    first: bigint;
    last: Head;
    reported: ReadonlySet<string>;
  },
): Promise<Read & { reported: ReadonlySet<string> }> {
  const { chain, tokens, ours, first, last, reported } = query;
  if (ours.size === 0 || tokens.length === 0) return { transfers: [], unread: [], reported: new Set() };
  const to = ours.size <= namedMax ? [...ours] : null;
  const contracts = tokens.map(({ contract }) => contract);
  const logs: LogEntry[] = [];
  for (let from = first; from <= last.number; from += chain.logSpan) {
    const end = from + chain.logSpan - 1n;
    const head = end >= last.number ? last : await headAt(node, end);
    logs.push(...(await logsOf(node, { contracts, to, first: from, last: head })));
  }
  const found = logs.filter((log) => isToOurs(log, tokens, ours));
  const news = found.filter((log) => !reported.has(nameOf(log)));
  return {
    ...(await transfersOf(node, { chain, tokens, ours }, news)),
    reported: new Set(found.map(nameOf)),
  };
}

export interface Read {
  readonly transfers: ChainTransfer[];
  readonly unread: Unread[];
}

interface Sought {
  readonly chain: EvmChain;
  readonly tokens: readonly Token[];
  readonly ours: ReadonlySet<string>;
}

const nameOf = ({ blockHash, transactionHash, topics }: LogEntry) =>
  `${blockHash} ${transactionHash} ${topics[2]}`;

const isToOurs = (log: LogEntry, tokens: readonly Token[], ours: ReadonlySet<string>) =>
  movedBy(log, tokens) !== undefined && ours.has(recipientOf(log)) && log.removed !== true;

/** Halves the span where a node finds it too much: providers limit answers, not only blocks. */
async function logsOf(node: Node, query: Parameters<typeof transferLogs>[1]): Promise<LogEntry[]> {
  try {
    return await transferLogs(node, query);
  } catch (fault) {
    const isRefused = fault instanceof NodeTrouble && fault.code !== undefined;
    if (!isRefused || query.first >= query.last.number) throw fault;
    const middle = (query.first + query.last.number) / 2n;
    const before = await logsOf(node, { ...query, last: await headAt(node, middle) });
    return [...before, ...(await logsOf(node, { ...query, first: middle + 1n }))];
  }
}

async function transfersOf(node: Node, sought: Sought, logs: readonly LogEntry[]): Promise<Read> {
  const read: Read = { transfers: [], unread: [] };
  if (logs.length === 0) return read;
  const heights = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
  const heads = new Map((await headsAt(node, heights)).map((head) => [head.number, head]));
  const txids = [...new Set(logs.map(({ transactionHash }) => transactionHash))];
  const receipts = await receiptsOf(node, txids);
  for (const [place, txid] of txids.entries()) {
    const theirs = logs.filter(({ transactionHash }) => transactionHash === txid);
    const [first] = theirs;
    const head = first && heads.get(first.blockNumber);
    const receipt = receipts[place];
    if (!head || theirs.some(({ blockHash }) => blockHash !== head.hash)) throw changed();
    if (receipt && receipt.blockHash !== head.hash) throw changed();
    const found = receipt ? transfersIn(receipt, head, sought) : [];
    if (isWhole(theirs, found, sought)) read.transfers.push(...found);
    else {
      node.warns(`its receipt of ${txid} does not have the transfers that its logs tell`);
      read.unread.push({ txid, height: head.number, hash: head.hash, moves: movesOf(theirs, sought).size });
    }
  }
  return read;
}

/** What a transaction moved to our addresses. The ordinal within it is stable; the one within the block changes when it is mined again. */
export function transfersIn(receipt: Receipt, head: Head, { chain, tokens, ours }: Sought): ChainTransfer[] {
  return receipt.logs.flatMap((_, ordinal) => {
    const moved = tokenMoved(receipt, ordinal, tokens);
    if (!moved || !ours.has(moved.to)) return [];
    const { currency, amount, from, to: address } = moved;
    const txid = receipt.transactionHash;
    return [
      {
        chain: chain.name,
        txid,
        index: String(ordinal),
        currency,
        address,
        amount,
        from,
        block: blockOf(head),
      },
    ];
  });
}

/** Recipients and amounts, each as often as it is logged; some nodes send every log twice. */
function movesOf(logs: readonly LogEntry[], { tokens }: Sought): Map<string, string> {
  const moves = logs.map((log) => [log, movedBy(log, tokens)] as const);
  return new Map(
    moves.map(([log, moved]) => {
      const move = `${moved?.currency} ${recipientOf(log)} ${moved?.amount}`;
      return [`${String(log.logIndex)} ${move}`, move];
    }),
  );
}

/** Whether a receipt has all that the logs tell. Matched by contract, recipient and amount: not all nodes count logs alike. */
function isWhole(logs: readonly LogEntry[], found: readonly ChainTransfer[], sought: Sought): boolean {
  const left = found.map(({ currency, address, amount }) => `${currency} ${address} ${amount}`);
  return [...movesOf(logs, sought).values()].every((move) => {
    const place = left.indexOf(move);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/** What the event of this ordinal moved; undefined: the transaction failed, or the event is not of our tokens. */
export function tokenMoved(receipt: Receipt, ordinal: number, tokens: readonly Token[]) {
  const log = receipt.logs[ordinal];
  const moved = log && movedBy(log, tokens);
  if (receipt.status !== 1n || !moved) return undefined;
  return { ...moved, from: addressIn(log.topics[1]), to: recipientOf(log) };
}

function movedBy({ address, topics, data }: Event, tokens: readonly Token[]) {
  // Only the contract counts: other tokens may have the same name.
  const token = tokens.find(({ contract }) => contract === address);
  if (!token || topics.length !== 3 || topics[0] !== transferTopic || data.length !== 66) return undefined;
  const amount = BigInt(data);
  return amount > 0n ? { currency: token.currency, amount } : undefined;
}

const addressIn = (word = "") => `0x${word.slice(26)}`;
const recipientOf = ({ topics }: Event) => addressIn(topics[2]);

export const blockOf = ({ number, hash, timestamp }: Head): Block => ({
  height: number,
  hash,
  at: new Date(Number(timestamp) * 1000),
});
