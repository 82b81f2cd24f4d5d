import { z } from "zod/mini";
import { all, one, type Sql } from "../platform/db/db.ts";
import { Chain, Coins } from "./payments.sql.ts";

const Node = z.object({
  name: z.string(),
  isInUse: z.boolean(),
  height: z.nullable(z.int()),
  answeredAt: z.nullable(z.string()),
  trouble: z.nullable(z.string()),
  troubleAt: z.nullable(z.string()),
});
export type NodeRow = z.infer<typeof Node>;

const Health = z.object({
  chain: Chain,
  height: z.nullable(z.bigint()),
  tipAt: z.nullable(z.date()),
  behind: z.bigint(),
  lookedAt: z.nullable(z.date()),
  failures: z.bigint(),
  failingSince: z.nullable(z.date()),
  error: z.nullable(z.string()),
  errorAt: z.nullable(z.date()),
  nodes: z.array(Node),
});
export type HealthRow = z.infer<typeof Health>;

/** Notes a successful poll. Returns since when the polls before it had failed. */
export const noteWell = (
  sql: Sql,
  poll: { chain: string; height: bigint; tipAt: Date; behind: bigint; at: Date; nodes: readonly NodeRow[] },
) =>
  one(
    z.object({ failingSince: z.nullable(z.date()) }),
    sql`with before as (select failing_since from chain_health where chain = ${poll.chain}),
             noted as (
               insert into chain_health (chain, height, tip_at, behind, looked_at, nodes)
               values (${poll.chain}, ${poll.height}, ${poll.tipAt}, ${poll.behind}, ${poll.at}, ${JSON.stringify(poll.nodes)}::text::jsonb)
               on conflict (chain) do update
                 set height = excluded.height, tip_at = excluded.tip_at, behind = excluded.behind, looked_at = excluded.looked_at,
                     nodes = excluded.nodes, failing_since = null)
        select (select failing_since from before) as "failingSince"`,
  );

/** Notes a failed poll. Returns since when polls fail. */
export const noteTrouble = (
  sql: Sql,
  poll: { chain: string; error: string; at: Date; nodes: readonly NodeRow[] },
) =>
  one(
    z.object({ failingSince: z.date() }),
    sql`insert into chain_health as h (chain, failures, failing_since, error, error_at, nodes)
        values (${poll.chain}, 1, ${poll.at}, ${poll.error}, ${poll.at}, ${JSON.stringify(poll.nodes)}::text::jsonb)
        on conflict (chain) do update
          set failures = h.failures + 1, failing_since = coalesce(h.failing_since, excluded.failing_since),
              error = excluded.error, error_at = excluded.error_at, nodes = excluded.nodes
        returning failing_since as "failingSince"`,
  );

export const selectHealth = (sql: Sql) =>
  all(
    Health,
    sql`select chain, height, tip_at as "tipAt", behind, looked_at as "lookedAt", failures, failing_since as "failingSince",
               error, error_at as "errorAt", nodes
        from chain_health order by chain`,
  );

export const countUndecided = (sql: Sql) =>
  all(
    z.object({ chain: Chain, state: z.string(), count: z.int() }),
    sql`select chain, state::text, count(*)::integer as count from payment
        where state in ('awaiting', 'underpaid', 'confirming', 'review') group by chain, state`,
  );

export const selectTakings = (sql: Sql) =>
  all(
    z.object({ chain: Chain, currency: z.string(), received: Coins, credited: z.bigint() }),
    sql`select chain, currency, sum(amount)::text as received, coalesce(sum(usd), 0)::bigint as credited
        from chain_transfer where alive and confirmed_at is not null group by chain, currency order by chain, currency`,
  );
