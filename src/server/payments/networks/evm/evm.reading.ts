import { least, most } from "../../../platform/bigints.ts";
import type { EvmChain } from "./evm.chains.ts";
import {
  type Balances,
  coinMoved,
  coinTransfers,
  comparedEach,
  isForgotten,
  paidBy,
  risen,
  riseTransfer,
} from "./evm.coins.ts";
import {
  type Cursor,
  lastOf,
  type Mark,
  markOf,
  marked,
  readCursor,
  type Rise,
  type Unread,
  writeCursor,
} from "./evm.cursor.ts";
import { type Head, headAt, headsAt, newestHead, receiptsOf, transactionOf } from "./evm.rpc.ts";
import { blockOf, type Read, tokenTransfers, transfersIn } from "./evm.tokens.ts";
import { finality } from "../../payments.finality.ts";
import type { Token } from "../identity.ts";
import type { ChainTransfer, Reading, Watched } from "../network.ts";
import { type Node, NodeTrouble } from "../nodes/nodes.ts";

export interface ReadingParts {
  readonly chain: EvmChain;
  /** Contracts in lower case. */
  readonly tokens: readonly Token[];
  /** Of the smallest sums. A payment by a contract is reported once it is so deep. */
  readonly leastDepth: number;
  readonly staleSeconds: number | undefined;
  readonly clock: () => Date;
  readonly remarks: Remarks;
}

/** Logs a lasting matter once; after `over` it is logged again. */
export interface Remarks {
  once(matter: string, detail: object, text: string): void;
  over(matter: string): void;
}

// After an outage the chain is read in pieces of so many blocks, each stored before the next.
const pieceBlocks = 256n;

// A node behind the address may lag by a block or two and answer for newer blocks as if they were empty.
const lagBlocks = 2;

export const lagOf = ({ leastDepth }: ReadingParts) => BigInt(Math.min(lagBlocks, leastDepth - 1));

// A first reading looks back this far: a payment may have been made since the shop started.
const firstSeconds = 3600;

/** What a reading leaves for the next one. Valid only if that one starts at this cursor. */
export interface Memory {
  readonly cursor: string;
  readonly balances: Balances | undefined;
  /** Token events already reported, in the blocks that will be searched again. */
  readonly reported: ReadonlySet<string>;
}

/** Reads on from a cursor; returns the transfers and what to remember. */
export async function read(
  node: Node,
  parts: ReadingParts,
  options: {
    since: string | null;
    watched: Watched;
    memory: Memory | undefined;
    /** Transfers that a node did not find any more. */
    doubted: readonly Unread[];
    /** Works with another node, where there is one. */
    other: <Outcome>(work: (node: Node) => Promise<Outcome>) => Promise<Outcome>;
  },
): Promise<{ reading: Reading; memory: Memory }> {
  const tip = await freshTip(node, parts);
  const { since, watched } = options;
  const start = since === null ? await begin(node, parts, tip, watched) : await resume(node, since, tip);
  const { cursor, reorganisedAbove } = start;
  const from = lastOf(cursor);
  const end = most(tip.number - lagOf(parts), 0n);
  const to = least(end, from.height + pieceBlocks);
  const ours = await watched();
  // If another reading was stored in between, or this one was not, its reports may be lost.
  const { balances, reported } = options.memory?.cursor === since ? options.memory : nothing;
  const piece = { cursor, from, tip, ours, balances, reported };
  const news =
    to > from.height
      ? await readPiece(node, parts, { ...piece, last: await headAt(node, to) })
      : { ...piece, transfers: [] };
  const settled = await creditRises(node, parts, news.cursor.waiting, tip);
  const left = [...news.cursor.unread, ...options.doubted];
  const late = await readUnread(options.other, parts, { ours, tip, left });
  const next = writeCursor({ ...news.cursor, waiting: settled.waiting, unread: late.unread });
  const reading: Reading = {
    cursor: next,
    tip: blockOf(tip),
    transfers: [...news.transfers, ...settled.transfers, ...late.transfers],
    ...(reorganisedAbove === undefined ? {} : { reorganisedAbove }),
    ...(to < end ? { behind: end - to } : {}),
  };
  return { reading, memory: { cursor: next, balances: news.balances, reported: news.reported } };
}

const nothing: Pick<Memory, "balances" | "reported"> = { balances: undefined, reported: new Set() };

/** The newest block. Throws NodeTrouble where the node stands still. */
export async function freshTip(node: Node, { staleSeconds, clock }: ReadingParts): Promise<Head> {
  const tip = await newestHead(node);
  node.stands(tip.number);
  const ageSeconds = clock().getTime() / 1000 - Number(tip.timestamp);
  if (staleSeconds !== undefined && ageSeconds > staleSeconds)
    throw new NodeTrouble(
      `it stands still: its newest block, ${tip.number}, is ${Math.floor(ageSeconds)} seconds old`,
      undefined,
      { lateSeconds: ageSeconds },
    );
  return tip;
}

interface Start {
  readonly cursor: Cursor;
  readonly reorganisedAbove?: bigint;
}

async function begin(node: Node, parts: ReadingParts, tip: Head, watched: Watched): Promise<Start> {
  const isAwaited = (await watched()).size > 0;
  const back = isAwaited
    ? BigInt(Math.ceil(firstSeconds / finality[parts.chain.name].blockSeconds))
    : lagOf(parts);
  const mark = markOf(await headAt(node, most(tip.number - back, 0n)));
  return { cursor: { read: [mark], compared: mark, waiting: [], unread: [] } };
}

async function resume(node: Node, since: string, tip: Head): Promise<Start> {
  const cursor = readCursor(since);
  const last = lastOf(cursor);
  const reachable = cursor.read.filter(({ height }) => height <= tip.number);
  const newest = reachable.at(-1);
  if (newest && (await headAt(node, newest.height)).hash === newest.hash) {
    if (newest.height === last.height) return { cursor };
    throw new NodeTrouble(`it lags behind: it has ${tip.number} blocks, but ${last.height} were read`);
  }
  const heads = await headsAt(
    node,
    reachable.map(({ height }) => height),
  );
  const place = reachable.findLastIndex(({ hash }, at) => heads[at]?.hash === hash);
  const fork = reachable[place] ?? markOf(await headAt(node, beforeAll(cursor, tip)));
  const stillCompared = cursor.compared.height <= fork.height;
  const compared = stillCompared ? cursor.compared : fork;
  const waiting = cursor.waiting.filter(({ height }) => height <= fork.height);
  const marks = place < 0 ? [fork] : reachable.slice(0, place + 1);
  const { unread } = cursor;
  return { cursor: { read: marks, compared, waiting, unread }, reorganisedAbove: fork.height };
}

const beforeAll = ({ read: [oldest] }: Cursor, tip: Head) =>
  most(least(oldest?.height ?? 0n, tip.number) - pieceBlocks, 0n);

interface Piece {
  readonly cursor: Cursor;
  readonly from: Mark;
  readonly last: Head;
  readonly tip: Head;
  readonly ours: ReadonlySet<string>;
  readonly balances: Balances | undefined;
  readonly reported: ReadonlySet<string>;
}

async function readPiece(node: Node, parts: ReadingParts, piece: Piece) {
  const { chain, tokens } = parts;
  const { cursor, from, last, ours, reported } = piece;
  const next = from.height + 1n;
  const direct = chain.readsBlocks ? await coinTransfers(node, { chain, ours, first: next, last }) : [];
  const compared = await compare(node, parts, piece);
  // The last blocks are searched again: the node that answered may have lagged.
  const first = most(next - chain.overlap, 0n);
  const sent = await tokenTransfers(node, { chain, tokens, ours, first, last, reported });
  return {
    cursor: {
      read: marked(cursor.read, markOf(last)),
      compared: compared.compared,
      waiting: withoutTwice([...cursor.waiting, ...compared.rises]),
      unread: [...cursor.unread, ...sent.unread],
    },
    transfers: [...direct, ...compared.transfers, ...sent.transfers],
    balances: compared.balances,
    reported: sent.reported,
  };
}

/** Compares balances when due; reads whole blocks where the node has forgotten the first ones. */
async function compare(
  node: Node,
  { chain, remarks }: ReadingParts,
  { cursor, last, tip, ours, balances }: Piece,
) {
  const from = cursor.compared;
  const nothingNew = { transfers: [] as readonly ChainTransfer[], rises: [] as readonly Rise[] };
  if (ours.size === 0) return { ...nothingNew, compared: markOf(last), balances: undefined };
  const isSoon = last.number - from.height < comparedEach(chain, ours.size);
  if (isSoon && tip.number - last.number <= BigInt(lagBlocks))
    return { ...nothingNew, compared: from, balances };
  try {
    const found = await risen(node, { chain, ours, from, last, known: balances });
    remarks.over("forgotten");
    return { ...found, compared: markOf(last) };
  } catch (fault) {
    if (!isForgotten(fault)) throw fault;
    remarks.once(
      "forgotten",
      { node: node.name, from: String(from.height), why: (fault as NodeTrouble).message },
      "a node no longer has the balances of these blocks; they are read whole, which shows no payment by a contract",
    );
    const first = from.height + 1n;
    const transfers = chain.readsBlocks ? [] : await coinTransfers(node, { chain, ours, first, last });
    return { ...nothingNew, transfers, compared: markOf(last), balances: undefined };
  }
}

async function creditRises(
  node: Node,
  { chain, leastDepth }: ReadingParts,
  waiting: readonly Rise[],
  tip: Head,
) {
  const isRipe = ({ height }: Rise) => tip.number - height + 1n >= BigInt(leastDepth);
  const ripe = waiting.filter(isRipe);
  const heads =
    ripe.length > 0
      ? await headsAt(
          node,
          ripe.map(({ height }) => height),
        )
      : [];
  const stayed = ripe.filter(({ hash }, place) => heads[place]?.hash === hash);
  return {
    transfers: stayed.map((rise) => riseTransfer(chain, rise)),
    waiting: waiting.filter((rise) => !isRipe(rise)),
  };
}

/** Asks again for transactions that could not be read. One whose block was replaced is found again by its new block. */
async function readUnread(
  other: <Outcome>(work: (node: Node) => Promise<Outcome>) => Promise<Outcome>,
  parts: ReadingParts,
  options: { ours: ReadonlySet<string>; tip: Head; left: readonly Unread[] },
): Promise<Read> {
  const read: Read = { transfers: [], unread: [] };
  for (const one of new Map(options.left.map((unread) => [unread.txid, unread])).values()) {
    const transfers = await other((node) => readAlone(node, parts, options.ours, one)).catch(
      (fault: unknown) => {
        if (!(fault instanceof NodeTrouble)) throw fault;
        return undefined;
      },
    );
    if (transfers) {
      read.transfers.push(...transfers);
      parts.remarks.over(`unread ${one.txid}`);
      continue;
    }
    const { blockSeconds } = finality[parts.chain.name];
    const isOld = Number(options.tip.number - one.height) * blockSeconds > unreadSeconds;
    if (!isOld) read.unread.push(one);
    parts.remarks.once(
      `${isOld ? "lost" : "unread"} ${one.txid}`,
      { transaction: one.txid, height: String(one.height) },
      isOld
        ? "no node could tell a transaction that pays us for a day; look at it yourself"
        : "a transaction that pays us cannot be read; it waits until a node can tell it",
    );
  }
  return read;
}

// After a day only the balance tells of it.
const unreadSeconds = 24 * 60 * 60;

/** What a transaction paid us; undefined while this node does not tell all of it. */
async function readAlone(
  node: Node,
  { chain, tokens }: ReadingParts,
  ours: ReadonlySet<string>,
  { txid, height, hash, moves }: Unread,
): Promise<ChainTransfer[] | undefined> {
  const [receipt] = await receiptsOf(node, [txid]);
  const head = await headAt(node, receipt?.blockNumber ?? height);
  if (!receipt) return head.hash === hash ? undefined : [];
  if (head.hash !== receipt.blockHash) return undefined;
  const sent = transfersIn(receipt, head, { chain, tokens, ours });
  const transaction = await transactionOf(node, txid);
  const isPaid = transaction && coinMoved(receipt, transaction) > 0n && ours.has(transaction.to ?? "");
  const found = isPaid ? [...sent, paidBy(chain, transaction, head)] : sent;
  return found.length < moves ? undefined : found;
}

function withoutTwice(rises: readonly Rise[]): Rise[] {
  return [...new Map(rises.map((rise) => [`${rise.hash} ${rise.address}`, rise])).values()];
}
