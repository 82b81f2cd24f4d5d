// Reads the chain from a cursor: the last height, with the last hashes, which reveal a replaced block on any node.
import { least, most } from "../../../platform/bigints.ts";
import { type Output, type Source, unitsOf } from "./litecoin.source.ts";
import type { Block, ChainTransfer, Reading } from "../network.ts";
import { NodeTrouble } from "../nodes/nodes.ts";

const blocksMax = 50n;

// Half an hour of blocks: a deeper reorganisation is read again from further down.
const rememberedMax = 12;
const deep = 100n;

// A payment may have been made and mined before the first reading.
const beforeFirst = 2n;

// Limits of the mempool per reading: a transfer that is not read there is found in its block.
const askedMax = 100;
const waitingMax = 20_000;

export type ReadOn = (
  source: Source,
  tip: Block,
  since: string | null,
  watched: () => Promise<ReadonlySet<string>>,
) => Promise<Reading>;

export function openReading(): ReadOn {
  const readPool = openPool();
  return async (source, tip, since, watched) => {
    const start = await startOf(source, tip, since);
    const end = least(tip.height, start.read.height + blocksMax);
    const hashes = start.read.height < end ? await source.hashes(start.read.height + 1n, end) : [];
    // A node behind the last reading would show mined transactions as waiting.
    const pool = start.isPast || end < tip.height ? undefined : await source.mempool();
    const ours = await watched();
    const transfers: ChainTransfer[] = [];
    const read = await readBlocks(source, start.read, hashes, (output, block) => {
      if (ours.has(output.script)) transfers.push(transferOf(output, block));
    });
    const mined = new Set(transfers.map(({ txid }) => txid));
    for (const outputs of pool ? await readPool(source, pool) : [])
      for (const output of outputs)
        if (ours.has(output.script) && !mined.has(output.txid)) transfers.push(transferOf(output, null));
    return {
      cursor: showCursor(read),
      tip,
      transfers,
      ...(start.reorganisedAbove === undefined ? {} : { reorganisedAbove: start.reorganisedAbove }),
      ...(read.height < tip.height ? { behind: tip.height - read.height } : {}),
    };
  };
}

interface Read {
  readonly height: bigint;
  readonly hashes: readonly string[];
}

interface Start {
  readonly read: Read;
  readonly reorganisedAbove?: bigint;
  readonly isPast?: boolean;
}

async function startOf(source: Source, tip: Block, since: string | null): Promise<Start> {
  if (since === null) return { read: await readAt(source, most(tip.height - beforeFirst, 0n)) };
  const before = parseCursor(since);
  const lowest = before.height - BigInt(before.hashes.length - 1);
  const highest = least(before.height, tip.height);
  if (highest < lowest)
    throw new NodeTrouble(
      `it is at block ${tip.height}, but blocks up to ${before.height} were read already`,
    );
  const now = (await source.hashes(lowest, highest)).toReversed();
  const unknown = before.height - highest;
  const same = now.findIndex((hash, place) => hash === before.hashes[Number(unknown) + place]);
  if (same === 0) return unknown === 0n ? { read: before } : { read: before, isPast: true };
  const height = same > 0 ? highest - BigInt(same) : most(lowest - deep, 0n);
  const read = same > 0 ? { height, hashes: now.slice(same) } : await readAt(source, height);
  return { read, reorganisedAbove: height };
}

async function readAt(source: Source, height: bigint): Promise<Read> {
  return { height, hashes: await source.hashes(height, height) };
}

/** Reads as far as blocks follow each other: if the chain changes meanwhile, the next reading does the rest. */
async function readBlocks(
  source: Source,
  from: Read,
  hashes: readonly string[],
  see: (output: Output, block: Block) => void,
): Promise<Read> {
  let { height } = from;
  const read = [...from.hashes];
  for (const hash of hashes) {
    const { block, previous, outputs } = await source.block(hash);
    if (previous !== read[0] || block.height !== height + 1n) break;
    for (const output of outputs) see(output, block);
    height = block.height;
    read.unshift(hash);
  }
  return { height, hashes: read.slice(0, rememberedMax) };
}

function openPool(): (source: Source, pool: readonly string[]) => Promise<Iterable<Output[]>> {
  const known = new Map<string, Output[]>();
  let before = new Set<string>();
  return async (source, pool) => {
    const now = new Set(pool);
    for (const txid of known.keys()) if (!now.has(txid)) known.delete(txid);
    const unknown = pool.filter((txid) => !known.has(txid));
    const newestFirst = unknown.toSorted((one, other) => Number(before.has(one)) - Number(before.has(other)));
    before = now;
    for (const txid of newestFirst.slice(0, Math.min(askedMax, waitingMax - known.size)))
      // A transaction wholly within extension blocks is unreadable, and not requested again.
      known.set(txid, (await source.waiting(txid)) ?? []);
    return known.values();
  };
}

function transferOf(output: Output, block: Block | null): ChainTransfer {
  return {
    chain: "litecoin",
    txid: output.txid,
    index: String(output.number),
    currency: "ltc",
    address: output.script,
    amount: unitsOf(output),
    block,
  };
}

const showCursor = ({ height, hashes }: Read) => [height, ...hashes].join(" ");

function parseCursor(text: string): Read {
  const [height = "", ...hashes] = text.split(" ");
  return { height: BigInt(height), hashes };
}
