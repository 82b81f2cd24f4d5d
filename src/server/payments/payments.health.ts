// The health of the chains. One process watches them, so their health is kept in the database for the others.
import type { Network, Reading } from "./networks/network.ts";
import { type NodeHealth, NodeTrouble } from "./networks/nodes/nodes.ts";
import * as rows from "./payments.health.sql.ts";
import type { ChainName } from "./payments.terms.ts";
import type { Watch } from "./payments.crediting.ts";

export interface ChainHealth {
  readonly chain: ChainName;
  readonly height: bigint | undefined;
  /** Seconds since the node's newest block was made: it grows while polls fail. */
  readonly lagSeconds: number | undefined;
  readonly behind: bigint;
  readonly lookedAt: Date | undefined;
  readonly failures: bigint;
  readonly failingSince: Date | undefined;
  readonly error: { readonly text: string; readonly at: Date } | undefined;
  readonly nodes: readonly rows.NodeRow[];
}

export async function noteReading(
  { db, clock, log, lateChains }: Watch,
  network: Network,
  reading: Reading,
): Promise<void> {
  lateChains.delete(network.name);
  const { height, at: tipAt } = reading.tip;
  const at = clock();
  const { name: chain } = network;
  const poll = { chain, height, tipAt, behind: reading.behind ?? 0n, at, nodes: nodesOf(network) };
  const { failingSince } = await rows.noteWell(db, poll);
  if (failingSince) log.info({ chain, failingSince }, "a chain can be read again");
}

/** Logs a failed poll once until the next success. Throws faults of our own. */
export async function noteFailure(watch: Watch, network: Network, fault: unknown): Promise<void> {
  const { db, clock, log } = watch;
  const at = clock();
  const isTheirs = fault instanceof NodeTrouble;
  const error = isTheirs
    ? fault.message + clockDoubt(watch, network, fault)
    : "it failed in the shop itself: the log says why";
  const poll = { chain: network.name, error, at, nodes: nodesOf(network) };
  const { failingSince } = await rows.noteTrouble(db, poll);
  if (!isTheirs) throw fault;
  if (failingSince.getTime() === at.getTime())
    log.error({ chain: network.name, why: error }, "a chain cannot be read; nothing expires until it can");
}

// Blocks come at other paces, so chains that are late for one reason are so by a few seconds or minutes more or less.
const alikeSeconds = 60;

/** Nodes of several chains that are late alike are rarely all wrong. */
function clockDoubt({ lateChains }: Watch, { name }: Network, { lateSeconds }: NodeTrouble): string {
  if (lateSeconds === undefined) lateChains.delete(name);
  else lateChains.set(name, lateSeconds);
  if (lateSeconds === undefined) return "";
  const alike = [...lateChains.values()].filter((late) => Math.abs(late - lateSeconds) <= alikeSeconds);
  return alike.length > 1 ? ", or this machine's clock is wrong: other chains are late alike" : "";
}

const nodesOf = (network: Network): rows.NodeRow[] => network.health?.().map(nodeRow) ?? [];

function nodeRow({ name, isInUse, height, answeredAt, trouble }: NodeHealth): rows.NodeRow {
  return {
    name,
    isInUse,
    height: height === undefined ? null : Number(height),
    answeredAt: answeredAt?.toISOString() ?? null,
    trouble: trouble?.text ?? null,
    troubleAt: trouble?.at.toISOString() ?? null,
  };
}

export async function chainHealth({ db, clock }: Pick<Watch, "db" | "clock">): Promise<ChainHealth[]> {
  const now = clock();
  return (await rows.selectHealth(db)).map((row) => ({
    chain: row.chain,
    height: row.height ?? undefined,
    lagSeconds: row.tipAt ? Math.max(0, Math.round((now.getTime() - row.tipAt.getTime()) / 1000)) : undefined,
    behind: row.behind,
    lookedAt: row.lookedAt ?? undefined,
    failures: row.failures,
    failingSince: row.failingSince ?? undefined,
    error: row.error !== null && row.errorAt ? { text: row.error, at: row.errorAt } : undefined,
    nodes: row.nodes,
  }));
}
