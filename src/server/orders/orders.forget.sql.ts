import { z } from "zod/mini";
import { all, type Tx } from "../platform/db/db.ts";

/** Letters of a buyer that no other buyer got, as far as their bodies are kept. */
export const selectOwnLetters = (tx: Tx, userId: bigint) =>
  all(
    z.object({ letterId: z.bigint(), arrivedAt: z.date() }),
    tx`select distinct l.id as "letterId", l.arrived_at as "arrivedAt"
       from orders o join delivery d on d.order_id = o.id join letter l on l.id = d.letter_id
       where o.user_id = ${userId}
         and not exists (select from delivery e join orders p on p.id = e.order_id
                         where e.letter_id = l.id and p.user_id <> ${userId})
       order by l.id`,
  );

/** What a buyer looked for, passed over and noted, what was found, and by what the orders are found. */
export const deleteFindings = async (tx: Tx, userId: bigint): Promise<void> => {
  await tx`update orders set subject = null, regex = null, note = null
           where user_id = ${userId} and (subject is not null or regex is not null or note is not null)`;
  await tx`update delivery d set value = null from orders o
           where o.id = d.order_id and o.user_id = ${userId} and d.value is not null`;
  await tx`delete from order_term where user_id = ${userId}`;
  await tx`delete from skipped_domain where user_id = ${userId}`;
};
