import { type Tx } from "../platform/db/db.ts";

/** An accepted disputed transfer counts with the lesser of both amounts, as confirmed. */
export const setDecided = (tx: Tx, paymentId: bigint, at: Date, takes: boolean) =>
  tx`update chain_transfer
     set decided_at = ${at},
         amount = case when ${takes} and disputed > 0 then least(amount, disputed) else amount end,
         confirmed_at = case when ${takes} and alive and disputed > 0 then coalesce(confirmed_at, ${at}) else confirmed_at end
     where payment_id = ${paymentId} and decided_at is null
       and (confirmed_at is not null or disputed is not null or not alive)`;
