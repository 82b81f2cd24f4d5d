// Reads the chain from a cursor: the last block, and the last one that was final then.
import { least } from "../../../platform/bigints.ts";
import { isDust } from "../../payments.terms.ts";
import { heightBefore } from "../height.ts";
import type { Token } from "../identity.ts";
import type { Block, ChainTransfer, Reading, Watched } from "../network.ts";
import { type Node, NodeTrouble } from "../nodes/nodes.ts";
import * as tron from "./tron.node.ts";

// Twenty blocks: a pause at the change of producers is far shorter.
const staleSeconds = 60;
// Whole blocks are up to 0.4 MB each; a node would give a hundred.
const blocksAtOnce = 10n;
const blocksInReading = 200n;
// A node's limits for one search.
const addressesAtOnce = 1000;
const searchedAtOnce = 4000n;
// Nodes behind one address differ by a block or two.
const lagMax = 3n;

export interface Place {
  readonly height: bigint;
  readonly id: string;
  readonly solid: bigint;
  /** Transactions that no node could tell: each waits alone. */
  readonly unread: readonly Unread[];
}

export interface Unread {
  readonly txid: string;
  readonly height: bigint;
}
export interface Opened {
  /** Contracts as 20 bytes, like addresses. */
  readonly tokens: readonly Token[];
  readonly chainId: bigint;
  readonly clock: () => Date;
}
interface Stretch {
  readonly last: tron.Header;
  readonly isFork: boolean;
  /** Empty when no payment waits for TRX. */
  readonly blocks: readonly tron.Body[];
}

/** What a node reported, and what it could not read. */
export interface Done {
  readonly tip: tron.Header;
  readonly unread: readonly Unread[];
  /** The whole reading, with what became of the unread ones. */
  reading(left: Left): Reading;
}

export interface Left {
  readonly transfers: readonly ChainTransfer[];
  readonly unread: readonly Unread[];
}

export const nothingLeft: Left = { transfers: [], unread: [] };

/** Reads on from a place. */
export async function read(
  opened: Opened,
  node: Node,
  { place, again, watched }: { place: Place | undefined; again: boolean; watched: Watched },
): Promise<Done> {
  const tip = await freshTip(opened, node);
  const solid = (await tron.tip(node, "walletsolidity")).height;
  const before = place?.unread ?? [];
  const done = (
    at: Omit<Place, "unread">,
    found: Partial<Reading> = {},
    more: readonly Unread[] = [],
  ): Done => ({
    tip,
    unread: [...before, ...more],
    reading: ({ transfers, unread }) => ({
      tip: blockOf(tip),
      ...found,
      cursor: writePlace({ ...at, unread }),
      transfers: [...(found.transfers ?? []), ...transfers],
    }),
  });
  if (!place) return done(placeAt(tip, solid));
  // TRX needs whole blocks, read only while a payment is open. Tokens are searched as long as an address is watched.
  const open = await watched("open");
  const ours = await watched();
  if (ours.size === 0) return done(placeAt(tip, solid));
  if (tip.height <= place.height) return done(place);

  const stretch = open.size > 0 ? await whole(node, place, tip, again) : await bare(node, place, tip);
  if (!stretch) return done(place);
  const { last, isFork, blocks } = stretch;
  const paid = blocks.flatMap((block) => paymentsIn(block, ours));
  const range = { from: place.solid + 1n, to: last.height };
  const sent = await tokensIn(opened, node, { ours, blocks, range });
  const behind = tip.height - last.height;
  const found = {
    transfers: [...paid, ...sent.transfers],
    ...(isFork ? { reorganisedAbove: place.solid } : {}),
    ...(behind > lagMax ? { behind } : {}),
  };
  return done(placeAt(last, solid), found, [...unreadIn(node, blocks), ...sent.unread]);
}

// Whoever cannot tell so many transactions of one reading speaks another language.
const unreadMax = 20;

function unreadIn(node: Node, blocks: readonly tron.Body[]): Unread[] {
  const found = blocks.flatMap(({ unread, height }) => unread.map((txid) => ({ txid, height })));
  if (found.length > unreadMax) throw new NodeTrouble("its transactions cannot be read");
  for (const { txid } of found) node.warns(`it tells ${txid} without its amount and its accounts`);
  return found;
}

// A day of blocks: after that only the balance tells of it.
const unreadBlocks = 28_800n;

/** Asks again for transactions that could not be read, by another node where there is one. */
export async function readLeft(
  unread: readonly Unread[],
  tip: bigint,
  alone: (one: Unread) => Promise<readonly ChainTransfer[] | undefined>,
): Promise<Left> {
  const left: { transfers: ChainTransfer[]; unread: Unread[] } = { transfers: [], unread: [] };
  for (const one of new Map(unread.map((each) => [each.txid, each])).values()) {
    const transfers = await alone(one).catch((fault: unknown) => {
      if (!(fault instanceof NodeTrouble)) throw fault;
      return undefined;
    });
    if (transfers) left.transfers.push(...transfers);
    else if (tip - one.height < unreadBlocks) left.unread.push(one);
  }
  return left;
}

// The search tells of a transfer that these logs do not have.
const isUntold = ({ transfers, hasFailed }: tron.Executed) => transfers.length === 0 && !hasFailed;

/** What a transaction paid us; undefined while this node does not tell it. */
export async function readAlone(
  opened: Opened,
  node: Node,
  ours: ReadonlySet<string>,
  { txid }: Unread,
): Promise<ChainTransfer[] | undefined> {
  const done = await tron.executed(node, "wallet", txid);
  const head = done && (await tron.header(node, "wallet", done.height));
  if (!head) return undefined;
  const paid = await tron.payment(node, txid);
  if (!paid && isUntold(done)) return undefined;
  const body = { ...head, payments: paid ? [paid] : [], unread: [] };
  return [...paymentsIn(body, ours), ...sentBy(opened, done, { ours, block: blockOf(head), txid })];
}

async function whole(
  node: Node,
  place: Place,
  tip: tron.Header,
  again: boolean,
): Promise<Stretch | undefined> {
  let blocks = await blocksAbove(node, again ? place.solid : place.height, tip.height);
  const isFork = !blocks.some(({ id, parent }) => id === place.id || parent === place.id);
  if (isFork && blocks.length > 0 && !again) blocks = await blocksAbove(node, place.solid, tip.height);
  const last = blocks.at(-1);
  return last && { last, isFork, blocks };
}

async function bare(node: Node, place: Place, tip: tron.Header): Promise<Stretch> {
  const isFork = (await tron.header(node, "wallet", place.height))?.id !== place.id;
  const end = least(tip.height, place.solid + searchedAtOnce);
  const last = end === tip.height ? tip : await tron.header(node, "wallet", end);
  if (!last) throw new NodeTrouble(`it has no block ${end}, which is below its newest`);
  return { last, isFork, blocks: [] };
}

/** The newest block. Throws NodeTrouble when it is old. */
export async function freshTip({ clock }: Opened, node: Node): Promise<tron.Header> {
  const tip = await tron.tip(node, "wallet");
  const seconds = (clock().getTime() - tip.at.getTime()) / 1000;
  if (seconds > staleSeconds)
    throw new NodeTrouble(
      `its newest block, ${tip.height}, is ${Math.round(seconds)} seconds old`,
      undefined,
      {
        lateSeconds: seconds,
      },
    );
  node.stands(tip.height);
  return tip;
}

/** The blocks above a height, as many as a reading takes. Fewer than announced: a node behind the same address lags. */
async function blocksAbove(node: Node, height: bigint, tip: bigint): Promise<tron.Body[]> {
  const wanted = least(tip, height + blocksInReading);
  const blocks: tron.Body[] = [];
  for (let from = height + 1n; from <= wanted; from += blocksAtOnce) {
    const some = await tron.bodies(node, from, least(wanted, from + blocksAtOnce - 1n));
    if (blocks.length > 0 && some[0] && some[0].parent !== blocks.at(-1)?.id)
      throw new NodeTrouble(`it tells of two chains at ${from}`);
    blocks.push(...some);
    if (some.length < blocksAtOnce) break;
  }
  const missing = wanted - height - BigInt(blocks.length);
  if (missing > lagMax) throw new NodeTrouble(`it has ${missing} blocks less than it says`);
  return blocks;
}

function paymentsIn(block: tron.Body, ours: ReadonlySet<string>): ChainTransfer[] {
  const paid = block.payments.filter(({ to, amount }) => ours.has(to) && !isDust(amount, "trx"));
  return paid.map((one) => ({
    chain: "tron",
    txid: one.txid,
    index: "native",
    currency: "trx",
    address: one.to,
    amount: one.amount,
    from: one.from,
    block: blockOf(block),
  }));
}

/** Token transfers, from what was not final at the last reading: a lagging node reports none without an error. */
async function tokensIn(
  opened: Opened,
  node: Node,
  query: {
    ours: ReadonlySet<string>;
    blocks: readonly tron.Body[];
    range: { from: bigint; to: bigint };
  },
): Promise<Left> {
  const { tokens } = opened;
  const { ours, blocks, range } = query;
  const all = [...ours];
  const found = new Map<string, tron.Found>();
  for (let at = 0; at < all.length; at += addressesAtOnce) {
    const some = all.slice(at, at + addressesAtOnce);
    for (const { contract } of tokens)
      for (const one of await tron.search(node, contract, some, range)) found.set(one.txid, one);
  }
  const left: { transfers: ChainTransfer[]; unread: Unread[] } = { transfers: [], unread: [] };
  for (const { txid, height, blockId: hash } of found.values()) {
    const done = await tron.executed(node, "wallet", txid);
    const read = blocks.find((block) => block.height === height);
    if ((done && done.height !== height) || (read && read.id !== hash))
      throw new NodeTrouble(`it tells of two chains at ${height}`);
    const sent = done ? sentBy(opened, done, { ours, block: { height, hash, at: done.at }, txid }) : [];
    if (sent.length > 0) left.transfers.push(...sent);
    else if (!done || isUntold(done)) {
      node.warns(`it tells a transfer of ${txid}, but not what it moved`);
      left.unread.push({ txid, height });
    }
  }
  return left;
}

/**
 * What came to one address since then. Tokens alone: nodes have no index of TRX by address, and their blocks are read whole, each
 * linked to the one before. What cannot be read is left out, and stays a rise that nothing explains.
 */
export async function search(
  opened: Opened,
  node: Node,
  address: string,
  since: Date,
): Promise<readonly ChainTransfer[]> {
  const tip = await freshTip(opened, node);
  const timeOf = async (height: bigint) => (await tron.header(node, "wallet", height))?.at ?? tip.at;
  const found: ChainTransfer[] = [];
  for (let from = await heightBefore(timeOf, since, tip.height); from <= tip.height; from += searchedAtOnce) {
    const range = { from, to: least(from + searchedAtOnce - 1n, tip.height) };
    const query = { ours: new Set([address]), blocks: [], range };
    found.push(...(await tokensIn(opened, node, query)).transfers);
  }
  return found;
}

/** What a transaction moved of our tokens to our addresses. */
function sentBy(
  { tokens }: Opened,
  done: tron.Executed,
  { ours, block, txid }: { ours: ReadonlySet<string>; block: Block; txid: string },
): ChainTransfer[] {
  return done.transfers.flatMap(({ contract, ordinal, from, to: address, amount }) => {
    const token = tokens.find((one) => one.contract === contract);
    if (!token || !ours.has(address) || isDust(amount, token.currency)) return [];
    const { currency } = token;
    return [{ chain: "tron", txid, index: String(ordinal), currency, address, amount, from, block }];
  });
}
const blockOf = ({ height, id, at }: tron.Header) => ({ height, hash: id, at });

function placeAt({ height, id }: tron.Header, solid: bigint): Omit<Place, "unread"> {
  // A reading must cover all that is not final, also when the chain finalises nothing for long.
  const reach = height - blocksInReading;
  return { height, id, solid: solid < reach ? reach : least(solid, height) };
}

const writePlace = ({ height, id, solid, unread }: Place) =>
  [height, id, solid, ...unread.map((one) => `${one.txid}@${one.height}`)].join(" ");

/** Reads a cursor. */
export function readPlace(cursor: string): Place {
  const [, height, id, solid, left = ""] =
    /^(\d+) ([0-9a-f]{64}) (\d+)((?: [0-9a-f]{64}@\d+)*)$/.exec(cursor) ?? [];
  if (height === undefined || id === undefined || solid === undefined)
    throw new Error(`"${cursor}" is no place in the chain of TRON`);
  const unread = [...left.matchAll(/([0-9a-f]{64})@(\d+)/g)].map(([, txid = "", at = ""]) => ({
    txid,
    height: BigInt(at),
  }));
  return { height: BigInt(height), id, solid: BigInt(solid), unread };
}
