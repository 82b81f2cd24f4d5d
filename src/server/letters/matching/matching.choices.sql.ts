import { z } from "zod/mini";
import { all, type Sql, type Tx } from "../../platform/db/db.ts";

/** So many of the newest choices of a site count; of a buyer only the last. */
const choicesCounted = 100;
/** So many buyers must agree, and so many of all that chose at the site: nobody alone turns what others read. */
const buyersMin = 3;
const shareMin = 2 / 3;

const Habit = z.object({ siteId: z.int(), pattern: z.string() });

/** What buyers of these sites agree on, where they do. */
export const selectHabits = (sql: Sql, siteIds: readonly number[]) =>
  all(
    Habit,
    sql`select site.id as "siteId", habit.pattern
        from unnest(${[...siteIds]}::integer[]) as site (id)
        cross join lateral (
          select pattern, count(*) as buyers, sum(count(*)) over () as total
          from (select pattern from code_choice where site_id = site.id
                order by chosen_at desc limit ${choicesCounted}) newest
          group by pattern) habit
        where habit.buyers >= ${buyersMin} and habit.buyers >= ${shareMin}::float8 * habit.total`,
  );

/** One row for each buyer and site: a later choice replaces it. */
export const saveChoice = (
  tx: Tx,
  { siteId, userId, pattern, at }: { siteId: number; userId: bigint; pattern: string; at: Date },
) =>
  tx`
    insert into code_choice (site_id, user_id, pattern, chosen_at) values (${siteId}, ${userId}, ${pattern}, ${at})
    on conflict (site_id, user_id) do update set pattern = excluded.pattern, chosen_at = excluded.chosen_at`;

/** Answers how many. */
export const deleteOldChoices = async (sql: Sql, days: number, size: number): Promise<number> =>
  (
    await sql`
      delete from code_choice where (site_id, user_id) in (
        select site_id, user_id from code_choice where chosen_at < clock_timestamp() - make_interval(days => ${days})
        order by chosen_at limit ${size} for update skip locked)`
  ).count;
