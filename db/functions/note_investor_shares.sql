-- Saves shares of investors; held ones are due in three days, those of a buyer who seems to be the investor, and of
-- a batch off sale, when an operator decides. Locks: batch_earning, investor_share (new rows alone).
create function note_investor_shares(p_shares earned_share[], p_now timestamptz, p_shard integer) returns void
language plpgsql as $$
begin
  with share as (
    insert into investor_share (order_id, batch_id, site_id, user_id, buyer_id, amount, earned_at, state, proved, due_at, decided_at, tied)
      select s.order_id, l.batch_id, o.site_id, s.user_id, s.buyer_id, s.amount, p_now,
             case s.book when 'investor' then 'released' else 'held' end, s.book = 'investor',
             case when s.book = 'investor.held' and not linked.tied and not is_withdrawn(s.order_id) then p_now + interval '3 days' end,
             case s.book when 'investor' then p_now end, linked.tied
      from unnest(p_shares) s
      cross join lateral (select shared_marks(s.buyer_id, s.user_id, p_now) <> '{}' as tied) linked
      join orders o on o.id = s.order_id join mailbox m on m.id = o.mailbox_id join lot l on l.id = m.lot_id
      where s.book in ('investor', 'investor.held')
      returning batch_id, amount, state
  )
  insert into batch_earning as old (batch_id, shard, amount, count, held, held_count)
    select s.batch_id, p_shard, coalesce(sum(s.amount) filter (where s.state = 'released'), 0),
           count(*) filter (where s.state = 'released'),
           coalesce(sum(s.amount) filter (where s.state = 'held'), 0), count(*) filter (where s.state = 'held')
    from share s group by s.batch_id order by s.batch_id
    on conflict (batch_id, shard) do update
      set amount = old.amount + excluded.amount, count = old.count + excluded.count,
          held = old.held + excluded.held, held_count = old.held_count + excluded.held_count;
end $$;
