import { z } from "zod/mini";
import { all, maybe, type Sql, type Tx } from "../../platform/db/db.ts";
import type { Quote } from "./rates.agree.ts";

const QuoteRow = z.object({
  coin: z.string(),
  source: z.string(),
  price: z.bigint(),
  inUsdt: z.boolean(),
  quotedAt: z.date(),
});
const PointRow = z.object({ coin: z.string(), at: z.date(), usd: z.bigint() });
const HoldRow = z.object({ coin: z.string(), since: z.date(), fromUsd: z.bigint(), toUsd: z.bigint() });
export type HoldRow = z.infer<typeof HoldRow>;
const SourceRow = z.object({
  source: z.string(),
  failures: z.int(),
  restsUntil: z.nullable(z.date()),
  answeredAt: z.nullable(z.date()),
  trouble: z.nullable(z.string()),
  troubleAt: z.nullable(z.date()),
});
export type SourceRow = z.infer<typeof SourceRow>;

export const selectQuotes = (sql: Sql) =>
  all(
    QuoteRow,
    sql`select coin, source, price, in_usdt as "inUsdt", told_at as "quotedAt" from rate_quote order by coin, source`,
  );

/** Keeps a quote unless a newer one is stored. */
export const keepQuote = (tx: Tx, quote: Quote) =>
  tx`insert into rate_quote as q (coin, source, price, in_usdt, told_at)
     values (${quote.coin}, ${quote.source}, ${quote.price}, ${quote.inUsdt}, ${quote.quotedAt})
     on conflict (coin, source) do update
       set price = excluded.price, in_usdt = excluded.in_usdt, told_at = excluded.told_at
       where excluded.told_at >= q.told_at`;

export const selectPoints = (sql: Sql, since: Date) =>
  all(PointRow, sql`select coin, at, usd from rate_point where at >= ${since} order by at`);

export const insertPoint = (tx: Tx, point: { coin: string; at: Date; usd: bigint }) =>
  tx`insert into rate_point (coin, at, usd) values (${point.coin}, ${point.at}, ${point.usd}) on conflict do nothing`;

export const deletePoints = (sql: Sql, before: Date) => sql`delete from rate_point where at < ${before}`;

export const deletePointsOf = (tx: Tx, coin: string) => tx`delete from rate_point where coin = ${coin}`;

export const selectHolds = (sql: Sql) =>
  all(HoldRow, sql`select coin, since, from_usd as "fromUsd", to_usd as "toUsd" from rate_hold`);

export const insertHold = (tx: Tx, hold: HoldRow) =>
  tx`insert into rate_hold (coin, since, from_usd, to_usd)
     values (${hold.coin}, ${hold.since}, ${hold.fromUsd}, ${hold.toUsd}) on conflict do nothing`;

export const deleteHold = (tx: Tx, coin: string) =>
  maybe(
    HoldRow,
    tx`delete from rate_hold where coin = ${coin} returning coin, since, from_usd as "fromUsd", to_usd as "toUsd"`,
  );

export const selectSources = (sql: Sql) =>
  all(
    SourceRow,
    sql`select source, failures, rests_until as "restsUntil", answered_at as "answeredAt", trouble, trouble_at as "troubleAt"
        from rate_source`,
  );

export const setAnswered = (tx: Tx, source: string, at: Date) =>
  tx`insert into rate_source (source, answered_at) values (${source}, ${at})
     on conflict (source) do update set failures = 0, rests_until = null, answered_at = excluded.answered_at`;

export const setFailed = (
  tx: Tx,
  failed: { source: string; failures: number; restsUntil: Date; trouble: string; at: Date },
) =>
  tx`insert into rate_source (source, failures, rests_until, trouble, trouble_at)
     values (${failed.source}, ${failed.failures}, ${failed.restsUntil}, ${failed.trouble}, ${failed.at})
     on conflict (source) do update
       set failures = excluded.failures, rests_until = excluded.rests_until, trouble = excluded.trouble,
           trouble_at = excluded.trouble_at`;
