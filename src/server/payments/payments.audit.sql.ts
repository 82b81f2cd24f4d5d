import { Invariant } from "../../contract/office/audit.ts";
import { all, type Sql } from "../platform/db/db.ts";

/** The invariants of payments, top-ups of transfers after one; `bad` names the first 20 violations. */
export const selectInvariants = (sql: Sql, afterTransfer: bigint) =>
  all(
    Invariant,
    sql`with broken (name, id) as (
          select 'credited', p.id::text from payment p
            where p.credited <> (select coalesce(sum(t.usd), 0) from chain_transfer t where t.payment_id = p.id)
          union all
          select 'credited once', t.chain || ':' || t.txid || ':' || t.idx
            from chain_transfer t join payment p on p.id = t.payment_id
            where t.usd > 0 and 1 <> (
              select count(*) from transfer l join account a on a.id = l.credit
              where l.kind = 'topup' and l.idempotency_key = t.chain || ':' || t.txid || ':' || t.idx
                and l.amount = t.usd and a.user_id = p.user_id and a.book = 'balance')
          union all
          select 'top-ups', l.idempotency_key from transfer l
            where l.kind = 'topup' and l.id > ${afterTransfer} and not exists (
              select 1 from chain_transfer t where l.idempotency_key = t.chain || ':' || t.txid || ':' || t.idx and t.usd = l.amount)
          union all
          select 'reconciled', b.chain || ':' || b.payment_id
            from address_balance b join payment p on p.id = b.payment_id
            where b.unexplained > 0 and b.since < b.asked_at - interval '1 hour' and p.state <> 'review'
        ), run (last) as (
          select string_agg(chain || ' ' || to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), ', ' order by chain)
          from (select chain, max(ended_at) as ended_at from reconciliation
                where round in ('all', 'command') and ended_at is not null group by chain) as one
        )
        select r.name, r.says, coalesce((select array_agg(b.id) from (select id from broken where name = r.name order by id limit 20) b), '{}') as bad
        from (values
          ('credited', 'a payment has been credited the sum of its transfers'),
          ('credited once', 'a credited transfer of a chain stands in the ledger once, for the user of its payment'),
          ('top-ups', 'a top-up in the ledger is for a transfer that a chain showed'),
          ('reconciled', 'what an address holds is explained or under review; all were compared last: '
                         || coalesce((select last from run), 'never'))
        ) as r (name, says)`,
  );
