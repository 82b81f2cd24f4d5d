// The rounds over all addresses: open payments each hour, those of the last month each day, all each week, and by command.
import { secondsAfter } from "../../platform/clock.ts";
import type { Network } from "../networks/network.ts";
import { NodeTrouble } from "../networks/nodes/nodes.ts";
import type { Watch } from "../payments.crediting.ts";
import { type ChainName, watchDays } from "../payments.terms.ts";
import { compare, isReconciled } from "./reconcile.ts";
import * as rows from "./reconcile.sql.ts";

/** What a run over the addresses of a chain has counted. */
export interface Reconciled {
  readonly chain: ChainName;
  readonly addresses: bigint;
  /** Balances: an address has one in each currency of its chain. */
  readonly asked: bigint;
  readonly explained: bigint;
  readonly unexplained: bigint;
  /** Why the run ended early. */
  readonly trouble: string | undefined;
}

const hour = 60 * 60;
const day = 24 * hour;
const everySeconds: Readonly<Record<Exclude<rows.RoundName, "command">, number>> = {
  open: hour,
  month: day,
  all: 7 * day,
};

/** Seconds between the turns of the job. */
export const turnSeconds = 60;

// Where each address costs calls: 10 a minute are 100,000 a week, within what providers give for free.
const leastAtOnce = 10;

/** One turn of the job: rises that wait, then a part of each round that is due. Nothing while the chain is not read to its end. */
export async function takeTurn(watch: Watch, network: Network, signal: AbortSignal): Promise<void> {
  const reading = await rows.selectReading(watch.db, network.name);
  if (!reading?.isRead) return;
  await compare(watch, network, await rows.selectUnexplained(watch.db, network.name), signal);
  for (const round of ["open", "month", "all"] as const) {
    const known = await rows.selectRound(watch.db, network.name, round);
    const isUnderWay = known !== undefined && known.afterId !== null;
    const wasDown = reading.failedAt !== null && known !== undefined && reading.failedAt > known.beganAt;
    const isDue = !known || watch.clock() >= secondsAfter(known.beganAt, everySeconds[round]);
    if (!isUnderWay && !isDue && !(wasDown && round !== "all")) continue;
    if (!isUnderWay) await rows.beginRound(watch.db, network.name, round, watch.clock());
    const seenAt = isUnderWay ? known.beforeAt : (known?.beganAt ?? null);
    let after = known?.afterId ?? 0n;
    let isWhole = false;
    while (!isWhole && !signal.aborted) {
      const part = await lookOn(watch, network, { round, after, seenAt }, signal);
      isWhole = part.after === null || round !== "open";
      after = part.after ?? after;
    }
  }
}

/** Compares all addresses now, chain by chain. Trouble of its nodes ends the run of a chain and is part of its result. */
export async function reconcileNow(watch: Watch, networks: readonly Network[]): Promise<Reconciled[]> {
  const ran: Reconciled[] = [];
  for (const network of networks.filter(isReconciled))
    ran.push(await lookAtAll(watch, network, new AbortController().signal));
  return ran;
}

async function lookAtAll(watch: Watch, network: Network, signal: AbortSignal): Promise<Reconciled> {
  await rows.beginRound(watch.db, network.name, "command", watch.clock());
  let counted: rows.Count = { addresses: 0n, asked: 0n };
  let trouble: string | undefined;
  try {
    for (let after: bigint | null = 0n; after !== null;) {
      const part: Part = await lookOn(watch, network, { round: "command", after, seenAt: null }, signal);
      [after, counted] = [part.after, part.counted];
    }
  } catch (fault) {
    if (!(fault instanceof NodeTrouble)) throw fault;
    trouble = fault.message;
  }
  const { addresses, asked } = counted;
  const counts = await rows.countUnexplained(watch.db);
  const unexplained = BigInt(counts.find(({ chain }) => chain === network.name)?.count ?? 0);
  return { chain: network.name, addresses, asked, explained: asked - unexplained, unexplained, trouble };
}

interface Part {
  readonly after: bigint | null;
  readonly counted: rows.Count;
}

async function lookOn(
  watch: Watch,
  network: Network,
  { round, after, seenAt }: { round: rows.RoundName; after: bigint; seenAt: Date | null },
  signal: AbortSignal,
): Promise<Part> {
  const { db, clock } = watch;
  const size = Math.max(network.balancesAtOnce ?? 1, leastAtOnce);
  const month = secondsAfter(clock(), -watchDays * day);
  const those = await rows.selectAddresses(db, network.family, { round, after, month, size });
  const { asked } = await compare(watch, network, those, signal, seenAt);
  const next = those.length < size ? null : (those.at(-1)?.id ?? null);
  const count = { addresses: BigInt(those.length), asked: BigInt(asked) };
  return {
    after: next,
    counted: await rows.noteRound(db, network.name, { round, after: next, at: clock(), count }),
  };
}
