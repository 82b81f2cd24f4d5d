// What money waits for until it is credited: by chain, and by the dollars at stake. Pure: no clock, no database.
import type { CurrencyId } from "../../contract/currencies.ts";
import { type Usd, usd } from "../platform/money.ts";
import { type ChainName, currencyOf, worth } from "./payments.terms.ts";

interface Step {
  /** From so many dollars on. */
  readonly from: Usd;
  /** How deep its block must be, itself included. */
  readonly blocks: number;
  /** The chain itself must call the block final, which it usually does after so many. */
  readonly finalAfter?: number;
}

interface Finality {
  /** From one block to the next. Undefined: another program decides, and nothing is promised. */
  readonly blockSeconds?: number;
  /** A coin counts as so many dollars at least: a rate that is wrong or has fallen lets no more coins through a step. */
  readonly leastRate?: Usd;
  readonly steps: readonly [Step, ...Step[]];
}

const any = usd("0");

/** The rules. A chain with several steps says its `leastRate`; on Litecoin no block is ever called final. */
export const finality = {
  // Final are the blocks of an epoch two epochs later, each of 32 blocks.
  ethereum: {
    blockSeconds: 12,
    leastRate: usd("2500"),
    steps: [
      { from: any, blocks: 12 },
      { from: usd("1000"), blocks: 12, finalAfter: 80 },
    ],
  },
  bsc: { blockSeconds: 0.45, steps: [{ from: any, blocks: 15, finalAfter: 2 }] },
  // Nineteen of the twenty-seven producers have built upon a solidified block.
  tron: { blockSeconds: 3, steps: [{ from: any, blocks: 19, finalAfter: 19 }] },
  // The index holds only what is final; the seconds are those until it has a block.
  ton: { blockSeconds: 5, steps: [{ from: any, blocks: 0, finalAfter: 2 }] },
  // Who rewrites three blocks gives up their rewards, many times this sum.
  litecoin: {
    blockSeconds: 150,
    leastRate: usd("100"),
    steps: [
      { from: any, blocks: 3 },
      { from: usd("100"), blocks: 6 },
    ],
  },
  // The store's own settings say when a payment is settled.
  btcpay: { steps: [{ from: any, blocks: 0, finalAfter: 0 }] },
  sandbox: { steps: [{ from: any, blocks: 0, finalAfter: 0 }] },
} as const satisfies Readonly<Record<ChainName, Finality>>;

const rules: Readonly<Record<ChainName, Finality>> = finality;

/** A network: its chain, and what the settings say instead of the rules. */
interface Watched {
  readonly name: ChainName;
  readonly confirmations?: number | undefined;
  readonly pollSeconds: number;
}

/** What a transfer waits for: so many blocks, and that its chain calls its block final. */
export interface Need {
  readonly blocks: number;
  readonly final: boolean;
}

/** By the dollars at stake; unknown ones need the most. */
export function needOf(network: Watched, stake: Usd | undefined): Need {
  const { blocks, finalAfter } = stepOf(network, stake);
  return { blocks, final: finalAfter !== undefined };
}

/** How long it usually takes from a transfer to its credit; undefined where nothing can be said. */
export function secondsOf(network: Watched, stake: Usd): number | undefined {
  return secondsAt(network, stepOf(network, stake));
}

/** From how many dollars on, asked for at a rate, it takes longer than the least sum. */
export function longerFrom(
  network: Watched,
  currency: CurrencyId,
  rate: Usd | undefined,
): { from: Usd; seconds: number }[] {
  if (network.confirmations !== undefined) return [];
  const least = leastRateOf(network.name, currency);
  return rules[network.name].steps.slice(1).flatMap((step) => {
    const seconds = secondsAt(network, step);
    const isCheap = rate !== undefined && rate < least;
    // Sums to pay are rounded up, so the step begins with the whole dollar.
    const from = isCheap ? (step.from * rate) / least / usd("1") : step.from / usd("1");
    return seconds === undefined ? [] : [{ from: usd(String(from)), seconds }];
  });
}

/** What is lost if a chain takes back the coins that came to a payment: their dollars at its locked rate, or more. */
export function stakeOf(
  name: ChainName,
  payment: { readonly currency: string; readonly usd: bigint; readonly due: bigint },
  came: bigint,
): Usd {
  const currency = payment.currency as CurrencyId;
  const [locked, least] = [
    (payment.usd * came) / payment.due,
    worth(came, leastRateOf(name, currency), currency),
  ];
  return (locked > least ? locked : least) as Usd;
}

function stepOf({ name, confirmations }: Watched, stake: Usd | undefined): Step {
  if (confirmations !== undefined) return { from: any, blocks: confirmations };
  const { steps } = rules[name];
  return steps.findLast(({ from }) => stake === undefined || stake >= from) ?? steps[0];
}

function secondsAt({ name, pollSeconds }: Watched, { blocks, finalAfter = 0 }: Step): number | undefined {
  const { blockSeconds } = rules[name];
  return blockSeconds && Math.ceil(Math.max(blocks, finalAfter) * blockSeconds) + pollSeconds;
}

function leastRateOf(name: ChainName, currency: CurrencyId): Usd {
  const isToken = currencyOf(currency)?.contract !== undefined;
  return isToken ? usd("1") : (rules[name].leastRate ?? any);
}
