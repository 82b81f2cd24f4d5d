// A chain in memory for tests: it makes blocks when told, confirms by depth, forgets blocks, and can be out of order.
import { terms } from "../payments.terms.ts";
import type { CurrencyId } from "../../../contract/currencies.ts";
import type { Block, ChainTransfer, Network } from "./network.ts";

/** The test's hands on the chain. */
export interface FakeChain extends Network {
  /** A transaction of the next block. Answers its id. */
  pay(address: string, amount: bigint, currency?: CurrencyId): string;
  mine(blocks?: number): void;
  /** The last blocks never were; their transactions are gone. */
  forget(blocks: number): void;
  /** While true every question is answered by a fault. */
  isDown: boolean;
  /** While true the node does not show transfers, but still knows balances. */
  isBlind: boolean;
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
    if (chain.isDown) throw new Error("the node does not answer");
  };
  const chain: FakeChain = {
    name,
    currencies: [currency],
    family: `fake ${name}`,
    isSandbox: false,
    pollSeconds: 1,
    isDown: false,
    isBlind: false,
    mine: kept.mine,
    forget: kept.forget,
    address: (_currency, index) => Promise.resolve({ address: `Fake${index}`, canonical: `fake${index}` }),
    transfers: async (since, watched) => {
      answer();
      const ours = await watched();
      const found = kept.since(BigInt(since ?? 0)).filter(({ address }) => ours.has(address));
      const tip = kept.tip();
      const reading = { cursor: String(tip.height), tip, transfers: chain.isBlind ? [] : found };
      const changed = kept.changedAbove();
      return changed === undefined ? reading : { ...reading, reorganisedAbove: changed };
    },
    verify: (transfer) => {
      answer();
      const found = kept.since(0n).find((one) => one.txid === transfer.txid);
      if (!found) return Promise.resolve({ found: false });
      const isFinal = kept.tip().height - found.block.height >= BigInt(confirmations);
      return Promise.resolve({ found: true, amount: found.amount, isFinal });
    },
    balance: (asked, address) => {
      answer();
      const theirs = kept.since(0n).filter((one) => one.address === address && one.currency === asked);
      return Promise.resolve(theirs.reduce((sum, { amount }) => sum + amount, 0n));
    },
    pay: (address, amount, paid = currency) => {
      const txid = `tx${serial++}`;
      kept.add({ chain: name, txid, index: "native", currency: paid, address, amount });
      return txid;
    },
  };
  return chain;
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
    add: (transfer: Unmined) => void waiting.push(transfer),
    /** Transfers above a height; what was forgotten is read again. */
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
