import { terms } from "../../src/server/payments/payments.terms.ts";
import type { CurrencyId } from "../../src/contract/currencies.ts";
import { NodeTrouble } from "../../src/server/payments/networks/nodes/nodes.ts";
import type {
  Block,
  ChainTransfer,
  Network,
  Verification,
} from "../../src/server/payments/networks/network.ts";

export interface FakeChain extends Network {
  pay(address: string, amount: bigint, currency?: CurrencyId, from?: string): string;
  /** The same in a transaction of this id. */
  payAs(txid: string, address: string, amount: bigint, currency?: CurrencyId): void;
  mine(blocks?: number): void;
  forget(blocks: number): void;
  /** What `verify` says of a transaction instead of the truth. */
  lies: Map<string, bigint | "gone" | "young" | "trouble">;
  verified: string[];
  classes: ReadonlySet<string>[];
  isDown: boolean;
  /** While true the node hides transfers from who reads on, but knows balances. */
  isBlind: boolean;
  /** While true the node hides transfers from who searches for one address. */
  isMute: boolean;
  balancesAsked: string[];
  /** What was moved out of an address, whatever coin. */
  swept: Map<string, bigint>;
}

/** Opens a chain for one currency; `confirmations` blocks on top make a transfer final. */
export function openFakeChain(
  currency: CurrencyId,
  clock: () => Date,
  { confirmations = 2 }: { confirmations?: number } = {},
): FakeChain {
  const name = terms[currency].chain;
  const kept = openBlocks(clock);
  let serial = 0;
  const answer = () => {
    if (chain.isDown) throw new NodeTrouble("the node does not answer");
  };
  const chain: FakeChain = {
    name,
    currencies: [currency],
    family: `fake ${name}`,
    isSandbox: false,
    pollSeconds: 1,
    confirmations,
    ...wellBehaved(),
    mine: kept.mine,
    forget: kept.forget,
    // No two families show the same address.
    address: (_currency, index) =>
      Promise.resolve({
        address: name === "ethereum" ? `Fake${index}` : `Fake${index} of ${name}`,
        canonical: `fake${index}`,
      }),
    transfers: async (since, watched) => {
      answer();
      chain.classes = [await watched("open"), await watched("week"), await watched("month")];
      const ours = await watched();
      const found = kept.since(BigInt(since ?? 0)).filter(({ address }) => ours.has(address));
      const tip = kept.tip();
      const reading = { cursor: String(tip.height), tip, transfers: chain.isBlind ? [] : found };
      const changed = kept.changedAbove();
      return changed === undefined ? reading : { ...reading, reorganisedAbove: changed };
    },
    verify: (transfer, { blocks }) => {
      answer();
      chain.verified.push(transfer.txid);
      const { txid, address } = transfer;
      const found = kept.since(0n).find((one) => one.txid === txid && one.address === address);
      return Promise.resolve(said(found && kept.tip().height - found.block.height, found, chain, blocks));
    },
    paid: (txid, to) => {
      answer();
      if (chain.lies.get(txid) === "trouble") throw new NodeTrouble("it keeps back the transaction");
      if (kept.isWaiting(txid)) return Promise.resolve("pending");
      const found = kept.since(0n).filter((one) => one.txid === txid);
      const isThere = found.length > 0 && chain.lies.get(txid) !== "gone";
      return Promise.resolve(isThere ? found.filter(({ address }) => address === to) : "unknown");
    },
    balancesAtOnce: 500,
    balances: (asked, addresses) => {
      answer();
      chain.balancesAsked.push(...addresses);
      const all = kept.since(0n).filter(({ currency: paid }) => paid === asked);
      const came = (address: string) =>
        all.filter((one) => one.address === address).reduce((sum, { amount }) => sum + amount, 0n);
      return Promise.resolve(addresses.map((address) => came(address) - (chain.swept.get(address) ?? 0n)));
    },
    search: (address) => {
      answer();
      const found = kept.since(0n).filter((one) => one.address === address);
      return Promise.resolve(chain.isMute ? [] : found);
    },
    used: (addresses) => {
      answer();
      return Promise.resolve(kept.seen(addresses));
    },
    payAs: (txid, address, amount, paid = currency) =>
      kept.add({ chain: name, txid, index: "native", currency: paid, address, amount }),
    pay: (address, amount, paid = currency, from) => {
      const txid = `tx${serial++}`;
      const sender = from === undefined ? {} : { from };
      kept.add({ chain: name, txid, index: "native", currency: paid, address, amount, ...sender });
      return txid;
    },
  };
  return chain;
}

const wellBehaved = (): Pick<
  FakeChain,
  "lies" | "classes" | "verified" | "isDown" | "isBlind" | "isMute" | "balancesAsked" | "swept"
> => ({
  lies: new Map(),
  classes: [],
  verified: [],
  isDown: false,
  isBlind: false,
  isMute: false,
  balancesAsked: [],
  swept: new Map(),
});

function said(
  depth: bigint | undefined,
  found: ChainTransfer | undefined,
  { lies }: FakeChain,
  wanted: number,
): Verification {
  const lie = found && lies.get(found.txid);
  if (lie === "trouble") throw new NodeTrouble("it keeps back the transaction");
  if (!found || depth === undefined || lie === "gone") return { found: false };
  const now = Number(depth);
  if (lie === "young") return { found: true, amount: found.amount, isFinal: false };
  return { found: true, amount: lie ?? found.amount, isFinal: now >= wanted, depth: { now, wanted } };
}

type Unmined = Omit<ChainTransfer, "block">;

function openBlocks(clock: () => Date) {
  let blocks: (Block & { transfers: readonly Unmined[] })[] = [];
  let waiting: Unmined[] = [];
  let changed: bigint | undefined;
  let serial = 0;
  const tip = (): Block => blocks.at(-1) ?? { height: 0n, hash: "0", at: clock() };
  return {
    tip,
    changedAbove: () => changed,
    isWaiting: (txid: string) => waiting.some((one) => one.txid === txid),
    add: (transfer: Unmined) => void waiting.push(transfer),
    seen: (addresses: readonly string[]) => {
      const paid = new Set(blocks.flatMap((block) => block.transfers.map(({ address }) => address)));
      return new Set(addresses.filter((address) => paid.has(address)));
    },
    since: (height: bigint) => {
      const from = changed !== undefined && changed < height ? changed : height;
      const above = blocks.filter((block) => block.height > from);
      return above.flatMap((block) => block.transfers.map((one) => ({ ...one, block })));
    },
    mine: (count = 1) => {
      for (let made = 0; made < count; made++) {
        const height = tip().height + 1n;
        blocks.push({ height, hash: `${height}/${serial++}`, at: clock(), transfers: waiting });
        waiting = [];
      }
    },
    forget: (count: number) => {
      blocks = blocks.slice(0, -count);
      const { height } = tip();
      changed = changed === undefined || height < changed ? height : changed;
    },
  };
}
