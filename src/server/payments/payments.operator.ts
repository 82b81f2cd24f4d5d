// What an operator sees of chains and doubtful payments. Read-only.
import type { CurrencyId } from "../../contract/currencies.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import type { Network } from "./networks/network.ts";
import { type ChainHealth, chainHealth } from "./payments.health.ts";
import { countUndecided, selectTakings } from "./payments.health.sql.ts";
import { countUnexplained } from "./reconciling/reconcile.sql.ts";
import { selectReported } from "./payments.operator.sql.ts";
import { type ChainName, currencyOf, showCoins, terms } from "./payments.terms.ts";
import { type PaymentView, viewOf } from "./payments.views.ts";
import type { Watch } from "./payments.crediting.ts";

export interface ChainView extends Partial<ChainHealth> {
  readonly chain: ChainName;
  readonly isOnSale: boolean;
  readonly undecided: Readonly<Record<string, number>>;
  readonly credited: Usd;
  readonly takings: readonly {
    readonly currency: CurrencyId;
    readonly received: string;
    readonly credited: Usd;
  }[];
}

/** `slow`: the money does not become final. */
export type LookReason = "review" | "late" | "surplus" | "slow";

export interface ReportedPayment extends PaymentView {
  readonly reasons: readonly LookReason[];
  readonly reviewWhy: string | undefined;
}

export interface OperatorView {
  health(): Promise<ChainHealth[]>;
  chains(): Promise<ChainView[]>;
  undecided(): ReturnType<typeof countUndecided>;
  /** Rises of balances that no transfer explains, by chain. */
  unexplained(): ReturnType<typeof countUnexplained>;
  reported(size: number): Promise<ReportedPayment[]>;
}

export function openOperatorView(
  watch: Pick<Watch, "db" | "clock">,
  networks: readonly Network[],
): OperatorView {
  return {
    health: () => chainHealth(watch),
    chains: () => chainViews(watch, networks),
    undecided: () => countUndecided(watch.db),
    unexplained: () => countUnexplained(watch.db),
    reported: (size) => reportedPayments(watch, size),
  };
}

const realChains = [...new Set(Object.values(terms).map(({ chain }) => chain))];

async function chainViews(
  watch: Pick<Watch, "db" | "clock">,
  networks: readonly Network[],
): Promise<ChainView[]> {
  const [healths, counts, takings, credited] = [
    await chainHealth(watch),
    await countUndecided(watch.db),
    await selectTakings(watch.db),
    await ledger.toppedUp(watch.db),
  ];
  const known = new Set<ChainName>([
    ...realChains,
    ...networks.map(({ name }) => name),
    ...healths.map(({ chain }) => chain),
  ]);
  return [...known].map((chain) => ({
    ...healths.find((one) => one.chain === chain),
    chain,
    isOnSale: networks.some(({ name }) => name === chain),
    undecided: Object.fromEntries(
      counts.filter((one) => one.chain === chain).map(({ state, count }) => [state, count]),
    ),
    credited: credited[chain],
    takings: takings.filter((one) => one.chain === chain).map(takingOf),
  }));
}

function takingOf({
  currency: id,
  received,
  credited,
}: {
  currency: string;
  received: bigint;
  credited: bigint;
}) {
  const currency = currencyOf(id);
  if (!currency) throw new Error(`a transfer is in ${id}, which is no currency`);
  return { currency: currency.id, received: showCoins(received, currency.id), credited: credited as Usd };
}

// By then even a slow chain has confirmed transfers that came in time.
const slowSeconds = 2 * 60 * 60;
const reportedSeconds = 7 * 24 * 60 * 60;

/** Payments to look at, the newest first; late and surplus money for a week. */
async function reportedPayments(
  { db, clock }: Pick<Watch, "db" | "clock">,
  size: number,
): Promise<ReportedPayment[]> {
  const now = clock();
  const slowSince = secondsAfter(now, -slowSeconds);
  const found = await selectReported(db, { slowSince, since: secondsAfter(now, -reportedSeconds), size });
  return found.map((row) => {
    const holds: Record<LookReason, boolean> = {
      review: row.state === "review",
      late: row.isLate,
      surplus: row.isSurplus,
      slow: ["awaiting", "underpaid", "confirming"].includes(row.state) && row.expiresAt < slowSince,
    };
    const reasons = (Object.keys(holds) as LookReason[]).filter((reason) => holds[reason]);
    return { ...viewOf(row), reasons, reviewWhy: row.reviewWhy ?? undefined };
  });
}
