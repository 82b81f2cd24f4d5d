// Gives each payment a fresh address: no index is given twice, not even after a restore of an older backup.
import type { CurrencyId } from "../../../contract/currencies.ts";
import { attempt, type Db } from "../../platform/db/db.ts";
import type { Log } from "../../platform/log.ts";
import type { Usd } from "../../platform/money.ts";
import * as journal from "../../journal/journal.ts";
import type { IssuedAddresses } from "./issued.ts";
import type { Network } from "../networks/network.ts";
import * as rows from "./indexes.sql.ts";

export interface AddressIndexes {
  /** Whether addresses of a network may be issued: false until its chains have said which are used. Waits so long. */
  isReady(network: Network, patienceSeconds: number): Promise<boolean>;
  /** A fresh address for a payment of so many dollars. The network must be ready; throws what its `address` throws. */
  take(network: Network, currency: CurrencyId, dollars: Usd): Promise<Taken>;
}

export interface Taken {
  readonly index: bigint;
  readonly address: string;
  readonly canonical: string;
}

interface Parts {
  readonly db: Db;
  readonly networks: readonly Network[];
  /** Undefined: issued addresses are not listed, so only the chains can reveal a restore. */
  readonly issued: IssuedAddresses | undefined;
  readonly log: Log;
  readonly clock: () => Date;
}

/** Wallets show the first address to their owner: what the owner sends there is not a buyer's payment. */
export const firstIndex = 1n;

/**
 * So many unpaid addresses in a row are given to accounts that never paid (payments.create.ts). A longer run would also hide later addresses
 * from the operator's wallet (docs/payments.md).
 */
export const unpaidRun = 900;

// One account may leave fifty payments unpaid, so a shorter run of unused addresses proves nothing. Each is asked about in all ways.
const gap = 60n;
// Many accounts leave longer runs: where a few calls tell a hundred balances, so many addresses more are asked for what they hold.
const farGap = 300n;

// After a restore the chains show paid addresses only, so more indexes were issued than they show.
const reserve = 1000n;

const askAgainMilliseconds = 15_000;
// A provider without a key allows three requests per second, and some chains are asked about each address.
const scanMilliseconds = 300_000;

export function openAddressIndexes(parts: Parts): AddressIndexes {
  const families = new Map<string, (patienceSeconds: number) => Promise<boolean>>();
  for (const { family } of parts.networks) {
    const kin = parts.networks.filter((network) => network.family === family);
    families.set(
      family,
      onceDone(() => syncIndexes(parts, family, kin), parts),
    );
  }
  return {
    isReady: async (network, patienceSeconds) =>
      network.isSandbox || (await families.get(network.family)?.(patienceSeconds)) === true,
    take: async (network, currency, dollars) => {
      const { index } = await rows.takeIndex(parts.db, network.family);
      const place = await network.address(currency, index, dollars);
      if (!network.isSandbox)
        await parts.issued?.note({
          at: parts.clock(),
          family: network.family,
          index,
          address: place.address,
        });
      return { index, ...place };
    },
  };
}

/** Skips so many indexes of each family, after a restore. Returns where each counter stands now. */
export async function skipIndexes(
  db: Db,
  families: readonly string[],
  count: bigint,
  by: string,
): Promise<{ family: string; next: bigint }[]> {
  return attempt(db, async (tx) => {
    const skipped: { family: string; next: bigint }[] = [];
    for (const family of families) {
      const before = (await rows.selectNext(tx, family))?.next ?? firstIndex;
      const { next } = await rows.raiseNext(tx, family, before + count);
      await journal.note(tx, {
        by,
        did: "wallets skip",
        about: family,
        before: { next: before },
        after: { next },
      });
      skipped.push({ family, next });
    }
    return skipped;
  });
}

function onceDone(
  work: () => Promise<void>,
  { log, clock }: Parts,
): (patienceSeconds: number) => Promise<boolean> {
  let isDone = false;
  let running: Promise<void> | undefined;
  let restsUntil = 0;
  const start = async () => {
    try {
      await work();
      isDone = true;
    } catch (fault) {
      restsUntil = clock().getTime() + askAgainMilliseconds;
      log.warn(
        { err: fault },
        "the chains do not tell which addresses were used; their currencies are not on sale",
      );
    } finally {
      running = undefined;
    }
  };
  return async (patienceSeconds) => {
    if (isDone || clock().getTime() < restsUntil) return isDone;
    running ??= start();
    await withPatience(running, patienceSeconds);
    return isDone;
  };
}

function withPatience(work: Promise<void>, seconds: number): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, seconds * 1000);
    void work.finally(() => (clearTimeout(timer), done()));
  });
}

async function syncIndexes(parts: Parts, family: string, kin: readonly Network[]): Promise<void> {
  const { db, issued, log } = parts;
  if (kin.every((network) => network.isSandbox)) return;
  const signal = AbortSignal.timeout(scanMilliseconds);
  for (const network of kin) await network.check?.(signal);
  const listed = await issued?.highest(family);
  const { next } = await rows.raiseNext(db, family, listed === undefined ? firstIndex : listed + 1n);
  if (kin.every((network) => network.isElsewhere)) return;
  const used = await lastUsed(kin, next, signal);
  if (used === undefined) return;
  // Another process may have issued these indexes since.
  const now = (await rows.selectNext(db, family))?.next ?? next;
  if (used < now) return;
  const raised = await rows.raiseNext(db, family, used + 1n + reserve);
  log.warn(
    { family, from: String(now), to: String(raised.next) },
    "addresses beyond the counter were used, as after a restore: their numbers are skipped",
  );
}

/** The highest used index from `from` on; undefined when a whole gap is unused. */
async function lastUsed(
  kin: readonly Network[],
  from: bigint,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  let last: bigint | undefined;
  let at = from;
  for (;;) {
    const near = await highest(kin, { at, end: at + gap }, (network, indexes) =>
      usedOf(network, indexes, signal),
    );
    const wide = kin.filter(({ balancesAtOnce = 1 }) => balancesAtOnce >= 100);
    const found =
      near ??
      (await highest(wide, { at: at + gap, end: at + farGap }, (network, indexes) =>
        holding(network, indexes, signal),
      ));
    if (found === undefined) return last;
    last = found;
    at = found + 1n;
  }
}

async function highest(
  kin: readonly Network[],
  { at, end }: { at: bigint; end: bigint },
  find: (network: Network, indexes: bigint[]) => Promise<bigint[]>,
): Promise<bigint | undefined> {
  const indexes = Array.from({ length: Number(end - at) }, (_, step) => at + BigInt(step));
  const found = (await Promise.all(kin.map((network) => find(network, indexes)))).flat();
  return found.length === 0 ? undefined : found.reduce((one, other) => (one > other ? one : other));
}

async function usedOf(network: Network, indexes: bigint[], signal: AbortSignal): Promise<bigint[]> {
  const [first] = network.currencies;
  if (first === undefined) return [];
  const { used } = network;
  if (used) {
    const places = await Promise.all(indexes.map((index) => network.address(first, index)));
    const found = await used(
      places.map(({ canonical }) => canonical),
      signal,
    );
    return indexes.filter((_, step) => found.has(places[step]?.canonical ?? ""));
  }
  return holding(network, indexes, signal);
}

/** The indexes whose addresses hold something now. */
async function holding(network: Network, indexes: bigint[], signal: AbortSignal): Promise<bigint[]> {
  const [first] = network.currencies;
  if (first === undefined) return [];
  // All currencies of a chain come to the same address, and a thousand addresses take a second to compute.
  const places = await Promise.all(indexes.map((index) => network.address(first, index)));
  const found: bigint[] = [];
  for (const currency of network.currencies)
    for (let from = 0; from < places.length; from += network.balancesAtOnce ?? 1) {
      const some = places.slice(from, from + (network.balancesAtOnce ?? 1));
      const addresses = some.map(({ canonical }) => canonical);
      const balances = (await network.balances?.(currency, addresses, signal)) ?? [];
      found.push(...indexes.slice(from, from + some.length).filter((_, step) => (balances[step] ?? 0n) > 0n));
    }
  return found;
}
