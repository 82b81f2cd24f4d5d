-- Takes a batch off sale for a reason (batch.withdrawn_for), or puts it back (null): sold mailboxes stay sold, dead ones dead. Held
-- shares of its orders wait for the operator meanwhile. Answers whether its sale changed. Locks: batch, investor_share, mail_domain,
-- stock (every row of the domains: each may sell one of its mailboxes or counts it as taken).
create function set_withdrawn(p_batch integer, p_for text) returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_off  boolean := p_for is not null;
  v_sign integer := case when v_off then -1 else 1 end;
  v_was  boolean;
  v_lot  lot%rowtype;
begin
  select withdrawn_at is not null into strict v_was from batch where id = p_batch for update;
  update batch set withdrawn_for = p_for,
      withdrawn_at = case when not v_off then null else coalesce(withdrawn_at, clock_timestamp()) end
    where id = p_batch;
  if v_was = v_off then return false; end if;

  -- What waits for the operator for another reason is decided anew when it is due.
  update investor_share s set due_at = case when not v_off then s.earned_at + interval '3 days' end
    from (select order_id from investor_share
          where batch_id = p_batch and state = 'held' and (due_at is not null) = v_off and (v_off or not tied and complaint is distinct from 'review')
          order by order_id for update) t
    where s.order_id = t.order_id;

  perform 1 from mail_domain where id in (select domain_id from lot where batch_id = p_batch) order by id for no key update;
  perform 1 from stock s where s.domain_id in (select domain_id from lot where batch_id = p_batch)
    order by s.site_id, s.domain_id for update;
  for v_lot in select * from lot where batch_id = p_batch order by domain_id, id loop
    if v_off then
      -- Cursors leave the lot: the rest is a run that they do not reach. Those before it make one when they come (stock_take).
      insert into stock_run (site_id, lot_id, domain_id, first_id, last_id, blocked)
        select s.site_id, v_lot.id, v_lot.domain_id, s.next_id, s.end_id, true from stock s
        where s.domain_id = v_lot.domain_id and s.next_id <= s.end_id and s.next_id between v_lot.first_id and v_lot.last_id;
      update stock set next_id = 1, end_id = 0
        where domain_id = v_lot.domain_id and next_id <= end_id and next_id between v_lot.first_id and v_lot.last_id;
    end if;
    update stock_run r set blocked = v_off or exists (select from batch_block b where b.batch_id = p_batch and b.site_id = r.site_id)
      from stock s where s.domain_id = v_lot.domain_id and r.site_id = s.site_id and r.lot_id = v_lot.id;
    update returned set hidden = case when v_off then hidden | hidden_for(withdrawn => true) else hidden & ~hidden_for(withdrawn => true) end
      where mailbox_id between v_lot.first_id and v_lot.last_id;
    -- Its living mailboxes count as taken where they are sold or blocked.
    update stock s set taken = s.taken + v_sign * t.count
      from (
        select b.site_id, v_lot.live as count from batch_block b where b.batch_id = p_batch
        union all
        select o.site_id, count(*)
        from orders o join mailbox m on m.id = o.mailbox_id and not m.dead
        where o.mailbox_id between v_lot.first_id and v_lot.last_id and o.status in ('pending', 'received') and o.reorder_of is null
          and not exists (select from batch_block b where b.batch_id = p_batch and b.site_id = o.site_id)
        group by o.site_id) t
      where s.site_id = t.site_id and s.domain_id = v_lot.domain_id;
    update mail_domain set live = live + v_sign * v_lot.live where id = v_lot.domain_id;
  end loop;
  return true;
end $$;
