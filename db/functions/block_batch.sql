-- Stops selling a batch for a site; sold mailboxes stay sold. Locks: batch, mail_domain (share), stock.
create function block_batch(p_batch integer, p_site integer) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_lot   lot%rowtype;
  v_stock stock%rowtype;
  v_used  bigint;
  v_on_sale boolean;
begin
  select withdrawn_at is null into v_on_sale from batch where id = p_batch for update;
  insert into batch_block (batch_id, site_id) values (p_batch, p_site) on conflict do nothing;
  if not found then return; end if;
  perform 1 from mail_domain where id in (select domain_id from lot where batch_id = p_batch) order by id for share;
  insert into stock (site_id, domain_id)
    select distinct p_site, domain_id from lot where batch_id = p_batch order by 2
    on conflict do nothing;
  perform 1 from stock where site_id = p_site and domain_id in (select domain_id from lot where batch_id = p_batch)
    order by domain_id for update;

  for v_lot in select * from lot where batch_id = p_batch order by domain_id, id loop
    select * into v_stock from stock where site_id = p_site and domain_id = v_lot.domain_id;
    v_used := null;
    if exists (select 1 from stock_run where site_id = p_site and lot_id = v_lot.id) then
      -- An unblocked run that is not used up.
      update stock_run set blocked = true where site_id = p_site and lot_id = v_lot.id;
    elsif v_lot.id > v_stock.lot_id then
      -- The cursor has not reached this lot: it will skip it.
      insert into stock_run (site_id, lot_id, domain_id, first_id, last_id, blocked)
        values (p_site, v_lot.id, v_lot.domain_id, v_lot.first_id, v_lot.last_id, true);
      v_used := 0;
    end if;
    if v_stock.next_id <= v_stock.end_id and v_stock.next_id between v_lot.first_id and v_lot.last_id then
      -- The cursor is in this lot: blocks the rest of it.
      insert into stock_run (site_id, lot_id, domain_id, first_id, last_id, blocked)
        values (p_site, v_lot.id, v_lot.domain_id, v_stock.next_id, v_stock.end_id, true);
      update stock set next_id = 1, end_id = 0 where site_id = p_site and domain_id = v_lot.domain_id;
    end if;
    update returned set hidden = hidden | hidden_for(blocked => true)
      where site_id = p_site and mailbox_id between v_lot.first_id and v_lot.last_id;
    update stock set taken = taken + v_lot.live - coalesce(v_used, lot_used(p_site, v_lot.id))
      where v_on_sale and site_id = p_site and domain_id = v_lot.domain_id;
  end loop;
end $$;
