// Reads the chain's own coin. A block lists what transactions send; what contracts send shows only in balances.
import type { CurrencyId } from "../../../../contract/currencies.ts";
import type { EvmChain } from "./evm.chains.ts";
import { type Mark, markOf, type Rise } from "./evm.cursor.ts";
import {
  balanceCallsFor,
  balancesAt,
  bodiesOf,
  type Body,
  changed,
  type Head,
  headAt,
  type Moment,
  type Receipt,
  receiptsOf,
  type Transaction,
  transactionsAt,
} from "./evm.rpc.ts";
import { blockOf } from "./evm.tokens.ts";
import type { ChainTransfer } from "../network.ts";
import { type Node, NodeTrouble } from "../nodes/nodes.ts";

export interface Balances {
  readonly hash: string;
  readonly of: ReadonlyMap<string, bigint>;
}

export interface Found {
  readonly transfers: readonly ChainTransfer[];
  readonly rises: readonly Rise[];
}

/** Transactions that paid our addresses in the blocks `first` to `last`, read whole. */
export async function coinTransfers(
  node: Node,
  query: { chain: EvmChain; ours: ReadonlySet<string>; first: bigint; last: Head },
): Promise<ChainTransfer[]> {
  const { chain, ours, first, last } = query;
  if (ours.size === 0 || first > last.number) return [];
  const bodies = await bodiesOf(node, first, last.number);
  if (bodies.at(-1)?.hash !== last.hash) throw changed();
  const found: ChainTransfer[] = [];
  for (const body of bodies) found.push(...(await paidIn(node, chain, body, ours)).transfers);
  return found;
}

/** After how many blocks to compare so many balances again, within the calls that a block may cost. */
export function comparedEach(chain: EvmChain, addresses: number): bigint {
  const blocks = Math.ceil(balanceCallsFor(addresses) / chain.balanceCalls);
  return BigInt(Math.min(Math.max(blocks, 1), comparedEachMax));
}

// Nodes without an archive know the balances of the last 128 blocks.
const comparedEachMax = 64;

/** Explains rises of our balances between two blocks. Throws NodeTrouble that `isForgotten` when the node forgot the first. */
export async function risen(
  node: Node,
  query: { chain: EvmChain; ours: ReadonlySet<string>; from: Mark; last: Head; known: Balances | undefined },
): Promise<Found & { balances: Balances }> {
  const { chain, ours, from, last, known } = query;
  const addresses = [...ours];
  const kept = known?.hash === from.hash ? known.of : new Map<string, bigint>();
  const news = addresses.filter((address) => !kept.has(address));
  const before = new Map([...kept, ...(await balanceMap(node, news, from))]);
  const after = await balanceMap(node, addresses, markOf(last));
  const [low, high] = [
    { mark: from, of: before },
    { mark: markOf(last), of: after },
  ];
  const places = await risesBetween(node, low, high, addresses);
  const transfers: ChainTransfer[] = [];
  const rises: Rise[] = [];
  for (const place of places) {
    const explained = await explain(node, chain, place);
    transfers.push(...explained.transfers);
    rises.push(...explained.rises);
  }
  return { transfers, rises, balances: { hash: last.hash, of: after } };
}

async function balanceMap(node: Node, addresses: readonly string[], moment: Moment) {
  const balances = addresses.length > 0 ? await balancesAt(node, addresses, moment) : [];
  return new Map(addresses.map((address, place) => [address, balances[place] ?? 0n]));
}

interface Point {
  readonly mark: Mark;
  readonly of: ReadonlyMap<string, bigint>;
}

interface RiseBlock {
  readonly height: bigint;
  readonly rose: ReadonlyMap<string, bigint>;
}

/** Finds the block of each change by bisection. */
async function risesBetween(
  node: Node,
  low: Point,
  high: Point,
  addresses: readonly string[],
): Promise<RiseBlock[]> {
  const differ = addresses.filter((address) => low.of.get(address) !== high.of.get(address));
  if (differ.length === 0) return [];
  const changeOf = (address: string) => (high.of.get(address) ?? 0n) - (low.of.get(address) ?? 0n);
  if (high.mark.height - low.mark.height === 1n) {
    const rose = differ.filter((address) => changeOf(address) > 0n);
    const place = { height: high.mark.height, rose: new Map(rose.map((one) => [one, changeOf(one)])) };
    return rose.length > 0 ? [place] : [];
  }
  const head = await headAt(node, (low.mark.height + high.mark.height) / 2n);
  const middle = { mark: markOf(head), of: await balanceMap(node, differ, markOf(head)) };
  const first = await risesBetween(node, low, middle, differ);
  return [...first, ...(await risesBetween(node, middle, high, differ))];
}

async function explain(node: Node, chain: EvmChain, { height, rose }: RiseBlock): Promise<Found> {
  const [body] = await bodiesOf(node, height, height);
  if (!body) throw new Error("one block was asked for");
  const { transfers, spent } = await paidIn(node, chain, body, new Set(rose.keys()));
  const { at, hash } = blockOf(body);
  const rises = [...rose].flatMap(([address, change]) => {
    const theirs = transfers.filter((transfer) => transfer.address === address);
    const paid = theirs.reduce((sum, { amount }) => sum + amount, 0n);
    const amount = change + (spent.get(address) ?? 0n) - paid;
    return amount > 0n ? [{ height, hash, at: at.getTime(), address, amount }] : [];
  });
  return { transfers, rises };
}

async function paidIn(node: Node, chain: EvmChain, body: Body, ours: ReadonlySet<string>) {
  const touching = transactionsAt(body, ours).filter(
    ({ from, to, value }) => ours.has(from) || (to && value > 0n && ours.has(to)),
  );
  const receipts =
    touching.length > 0
      ? await receiptsOf(
          node,
          touching.map(({ hash }) => hash),
        )
      : [];
  const transfers: ChainTransfer[] = [];
  const spent = new Map<string, bigint>();
  for (const [place, transaction] of touching.entries()) {
    const receipt = receipts[place];
    if (!receipt || receipt.blockHash !== body.hash) throw changed();
    const { from, to } = transaction;
    const amount = coinMoved(receipt, transaction);
    if (ours.has(from)) spent.set(from, (spent.get(from) ?? 0n) + feeOf(receipt) + amount);
    if (to && amount > 0n && ours.has(to)) transfers.push(paidBy(chain, transaction, body));
  }
  return { transfers, spent };
}

const coinOf = (chain: EvmChain): { chain: EvmChain["name"]; currency: CurrencyId } => ({
  chain: chain.name,
  currency: chain.coin,
});

/** What a transaction that succeeded pays with its own value. */
export const paidBy = (
  chain: EvmChain,
  { hash, from, to, value }: Transaction,
  head: Head,
): ChainTransfer => ({
  ...coinOf(chain),
  txid: hash,
  index: "native",
  address: to ?? "",
  amount: value,
  from,
  block: blockOf(head),
});

const feeOf = ({ gasUsed, effectiveGasPrice }: Receipt) => gasUsed * (effectiveGasPrice ?? 0n);

export const coinMoved = ({ status }: Receipt, { value }: { value: bigint }) => (status === 1n ? value : 0n);

// What nodes say of a state that is gone. Their codes tell nothing: a rate limit has the same ones.
const goneWords =
  /missing trie node|\bprun(ed|ing)\b|\barchiv(e|al)\b|\bhistor(y|ic|ical) (state|data|block)|(state|data) (\S+ )?(is |are )?(not|no longer|un)\s?available|no state available|state (already )?(gone|removed|discarded)/i;
const limitWords = /\b(rate|limit(s|ed)?|quota|capacity|credits?|throttled|too many|busy|time(d)? ?out)\b/i;

/** Whether a node says that it no longer has an old state. Any other refusal is an outage: the blocks stay to be compared. */
export const isForgotten = (fault: unknown) =>
  fault instanceof NodeTrouble &&
  fault.code !== undefined &&
  goneWords.test(fault.message) &&
  !limitWords.test(fault.message);

const riseIndex = /^balance (0x[0-9a-f]{40})$/;

/** A final payment by a contract, named by block and address: it has no transaction of its own. */
export const riseTransfer = (chain: EvmChain, rise: Rise): ChainTransfer => ({
  ...coinOf(chain),
  txid: rise.hash,
  index: `balance ${rise.address}`,
  address: rise.address,
  amount: rise.amount,
  block: { height: rise.height, hash: rise.hash, at: new Date(rise.at) },
});

export const isRise = ({ index }: Pick<ChainTransfer, "index">) => riseIndex.test(index);
