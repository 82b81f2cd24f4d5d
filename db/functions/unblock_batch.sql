-- Sells a batch for a site again. Locks: batch, stock.
create function unblock_batch(p_batch integer, p_site integer) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_lot     lot%rowtype;
  v_on_sale boolean;
begin
  select withdrawn_at is null into v_on_sale from batch where id = p_batch for update;
  perform 1 from stock where site_id = p_site and domain_id in (select domain_id from lot where batch_id = p_batch)
    order by domain_id for update;
  delete from batch_block where batch_id = p_batch and site_id = p_site;
  if not found then return; end if;

  for v_lot in select * from lot where batch_id = p_batch order by domain_id, id loop
    -- A lot ahead of the cursor returns to the chain; one behind it stays as an open run.
    delete from stock_run r using stock s
      where r.site_id = p_site and r.lot_id = v_lot.id
        and s.site_id = p_site and s.domain_id = v_lot.domain_id and v_lot.id > s.lot_id;
    update stock_run set blocked = not v_on_sale where site_id = p_site and lot_id = v_lot.id;
    update returned set hidden = hidden & ~hidden_for(blocked => true)
      where site_id = p_site and mailbox_id between v_lot.first_id and v_lot.last_id;
    update stock set taken = taken - (v_lot.live - lot_used(p_site, v_lot.id))
      where v_on_sale and site_id = p_site and domain_id = v_lot.domain_id;
  end loop;
end $$;
