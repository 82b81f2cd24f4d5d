// Rates of public sources: the job "rates" asks, and the database keeps the quotes for all processes.
import { currencies } from "../../../contract/currencies.ts";
import * as journal from "../../journal/journal.ts";
import * as clocks from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { attempt, type Db, type Tx } from "../../platform/db/db.ts";
import type { Log } from "../../platform/log.ts";
import { showUsd } from "../../platform/money.ts";
import type { Network } from "../networks/network.ts";
import type { NodeTrouble } from "../networks/nodes/nodes.ts";
import { fixedRates, type Rates, type RateView, sandboxRates } from "./rates.ts";
import { type Agreed, agree, type Coin, jumpOf, type Point, type Quote, rateFrom } from "./rates.agree.ts";
import { openSources, type Source, type SourceAnswer } from "./rates.sources.ts";
import * as rows from "./rates.sql.ts";

/** The rates of the settings. The sandbox has fixed ones, so that it works offline. */
export function openRates(given: {
  readonly db: Db;
  readonly config: Config["rates"];
  readonly networks: readonly Network[];
  readonly log: Log;
}): Rates {
  const { db, config, networks, log } = given;
  const table = config.source === "fixed" ? config.usd : {};
  if (networks.some((network) => network.isSandbox)) return sandboxRates(table);
  const sold = currencies.filter(({ id }) => networks.some((network) => network.currencies.includes(id)));
  if (config.source === "fixed" || sold.length === 0) return fixedRates(table);
  return openLiveRates({ db, sources: openSources(config.urls), coins: sold.map(({ coin }) => coin), log });
}

interface Opened {
  readonly db: Db;
  readonly sources: readonly Source[];
  /** The coins on sale; USDT is always asked too, because a venue counts in it. */
  readonly coins: readonly Coin[];
  readonly log: Log;
  readonly clock?: () => Date;
}

const restMinSeconds = 30;
const restMaxSeconds = 300;
const pointsKeptSeconds = 60 * 60;

interface View {
  readonly quotes: readonly Quote[];
  readonly points: readonly (Point & { readonly coin: string })[];
  readonly holds: readonly rows.HoldRow[];
}

export function openLiveRates(opened: Opened): Rates {
  const { db, sources, log, clock = clocks.now } = opened;
  const coins = [...new Set<Coin>([...opened.coins, "USDT"])];
  const names = new Set<string>(sources.map(({ name }) => name));
  const look = () => viewOf(db, names, clock());
  return {
    isLive: true,
    rateOf: async (id) => {
      const coin = currencies.find((currency) => currency.id === id)?.coin;
      if (coin === undefined) return undefined;
      const { usd, quotes } = agreedOf(coin, await look(), clock());
      return usd === undefined ? undefined : { usd, source: sourceText(quotes) };
    },
    poll: (signal) => poll({ db, sources, coins, names, log, clock }, signal),
    list: async () => {
      const [view, known] = [await look(), await rows.selectSources(db)];
      return {
        rates: coins.map((coin) => rateView(coin, view, clock())),
        sources: sources.map(({ name }) => {
          const row = known.find(({ source }) => source === name);
          const { answeredAt = null, restsUntil = null, trouble = null, troubleAt = null } = row ?? {};
          return { name, answeredAt, restsUntil, trouble, troubleAt };
        }),
      };
    },
    release: async (coin, by) => {
      const held = await attempt(db, async (tx) => {
        const hold = await rows.deleteHold(tx, coin);
        if (!hold) return "not held";
        // The old price is no measure any more: the next poll begins a new history.
        await rows.deletePointsOf(tx, coin);
        const before = { from: showUsd(hold.fromUsd), to: showUsd(hold.toUsd), since: hold.since };
        await journal.note(tx, { by, did: "rates release", about: `rate ${coin}`, before });
        return hold;
      });
      return held === "not held" ? held : "released";
    },
  };
}

async function viewOf(db: Db | Tx, names: ReadonlySet<string>, now: Date): Promise<View> {
  // Holds are read last: old quotes with new holds only refuse, which is safe.
  const quotes = (await rows.selectQuotes(db)) as Quote[];
  const points = await rows.selectPoints(db, clocks.secondsAfter(now, -pointsKeptSeconds));
  const holds = await rows.selectHolds(db);
  return { quotes: quotes.filter(({ source }) => names.has(source)), points, holds };
}

function agreedOf(coin: Coin, { quotes, points, holds }: View, now: Date): Agreed {
  const isHeld = holds.some((hold) => hold.coin === coin);
  const history = { points: points.filter((point) => point.coin === coin), isHeld };
  return rateFrom(coin, quotes, history, now);
}

function sourceText(quotes: Agreed["quotes"]): string {
  return quotes
    .filter(({ use }) => use === "used")
    .map(({ source, usd }) => `${source} ${showUsd(usd ?? 0n)}`)
    .join(", ");
}

function rateView(coin: Coin, view: View, now: Date): RateView {
  const { usd, why, quotes } = agreedOf(coin, view, now);
  const hold = view.holds.find((one) => one.coin === coin);
  const shown = quotes.map(({ source, usd: price, quotedAt, use }) => ({
    source,
    usd: price,
    quotedAt,
    use,
  }));
  const held = hold && { since: hold.since, from: hold.fromUsd, to: hold.toUsd };
  return { coin, usd, why, held, quotes: shown };
}

interface Polling {
  readonly db: Db;
  readonly sources: readonly Source[];
  readonly coins: readonly Coin[];
  readonly names: ReadonlySet<string>;
  readonly log: Log;
  readonly clock: () => Date;
}

async function poll({ db, sources, coins, names, log, clock }: Polling, signal: AbortSignal): Promise<void> {
  const known = new Map((await rows.selectSources(db)).map((row) => [row.source, row]));
  const awake = sources.filter(({ name }) => {
    const restsUntil = known.get(name)?.restsUntil;
    return !restsUntil || restsUntil <= clock();
  });
  const answers = await Promise.all(
    awake.map(async (source) => ({ source, answer: await source.ask(coins, signal) })),
  ).catch((fault: unknown) => {
    // The shop stops; the next start asks again.
    if (signal.aborted) return undefined;
    throw fault;
  });
  if (!answers) return;
  const jumps = await attempt(db, async (tx) => {
    const now = clock();
    for (const quote of answers.flatMap(({ answer }) => answer.quotes)) await rows.keepQuote(tx, quote);
    for (const { source, answer } of answers)
      await note(tx, source.name, answer, known.get(source.name), now);
    await rows.deletePoints(tx, clocks.secondsAfter(now, -pointsKeptSeconds));
    return follow(tx, coins, await viewOf(tx, names, now), now);
  });
  for (const { source, answer } of answers)
    if (answer.trouble)
      log.warn({ source: source.name, trouble: answer.trouble.message }, "a source of rates fails");
  for (const { coin, fromUsd, toUsd } of jumps)
    log.error(
      { coin, from: showUsd(fromUsd), to: showUsd(toUsd) },
      `the rate of ${coin} has jumped: it is not sold until "rates release ${coin.toLowerCase()}"`,
    );
}

async function note(
  tx: Tx,
  source: string,
  { trouble }: SourceAnswer,
  known: rows.SourceRow | undefined,
  now: Date,
): Promise<void> {
  if (!trouble) return void (await rows.setAnswered(tx, source, now));
  const failures = (known?.failures ?? 0) + 1;
  const restsUntil = clocks.secondsAfter(now, restSeconds(trouble, failures));
  await rows.setFailed(tx, { source, failures, restsUntil, trouble: trouble.message, at: now });
}

/** At least as long as the source asks for, and longer with each failure. */
function restSeconds({ restMilliseconds = 0 }: NodeTrouble, failures: number): number {
  const longer = Math.min(restMinSeconds * 2 ** (failures - 1), restMaxSeconds);
  return Math.max(longer, restMilliseconds / 1000);
}

async function follow(tx: Tx, coins: readonly Coin[], view: View, now: Date): Promise<rows.HoldRow[]> {
  const jumps: rows.HoldRow[] = [];
  for (const coin of coins) {
    const { usd } = agree(coin, view.quotes, now);
    if (usd === undefined || view.holds.some((hold) => hold.coin === coin)) continue;
    const points = view.points.filter((point) => point.coin === coin);
    const from = jumpOf(usd, points, now);
    if (from) jumps.push({ coin, since: now, fromUsd: from.usd, toUsd: usd });
    else await rows.insertPoint(tx, { coin, at: now, usd });
  }
  for (const jump of jumps) await rows.insertHold(tx, jump);
  return jumps;
}
