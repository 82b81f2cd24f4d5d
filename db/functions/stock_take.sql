-- Takes up to p_count mailboxes: fresh, then unblocked, then returned ones. The caller holds the stock row. From the end of a run for
-- `any`, so that it shares a mailbox with another site's order only when nearly all of the run is sold.
create function stock_take(p_site integer, p_domain integer, p_count integer) returns bigint[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_stock stock%rowtype;
  v_way   integer := case when exists (select from site where id = p_site and name = 'any') then -1 else 1 end;
  v_got   bigint[] := '{}';
  v_more  bigint[];
  v_need  integer;
  v_first bigint;
  v_last  bigint;
  v_lot   lot%rowtype;
  v_run   stock_run%rowtype;
begin
  select * into strict v_stock from stock where site_id = p_site and domain_id = p_domain for update;
  loop
    v_need := p_count - cardinality(v_got);
    exit when v_need = 0;

    -- The next living mailboxes of the run, whatever dead ones lie between. Dead ones are kept: they may come back to life.
    if v_stock.next_id <= v_stock.end_id then
      v_more := case v_way
        when 1 then array(
          select m.id from mailbox m
          where m.id between v_stock.next_id and v_stock.end_id and not m.dead order by m.id limit v_need)
        else array(
          select m.id from mailbox m
          where m.id between v_stock.next_id and v_stock.end_id and not m.dead order by m.id desc limit v_need) end;
      v_first := case when v_way = 1 or cardinality(v_more) < v_need then v_stock.next_id else v_more[v_need] end;
      v_last := case when v_way = -1 or cardinality(v_more) < v_need then v_stock.end_id else v_more[v_need] end;
      insert into returned (site_id, domain_id, lot_id, mailbox_id, hidden)
        select p_site, p_domain, m.lot_id, m.id, hidden_for(dead => true) from mailbox m
        where m.id between v_first and v_last and m.dead;
      v_got := v_got || v_more;
      if v_way = 1 then v_stock.next_id := v_last + 1; else v_stock.end_id := v_first - 1; end if;
      continue;
    end if;

    -- The next lot that may serve the site.
    select l.* into v_lot from lot l
      where l.domain_id = p_domain and l.id > v_stock.lot_id
        and not exists (select 1 from stock_run r where r.site_id = p_site and r.lot_id = l.id)
      order by l.id limit 1;
    if found then
      v_stock.lot_id := v_lot.id;
      if exists (select 1 from batch b where b.id = v_lot.batch_id and b.withdrawn_at is not null) then
        -- Passed by: an open run once its batch is back on sale.
        insert into stock_run (site_id, lot_id, domain_id, first_id, last_id, blocked)
          values (p_site, v_lot.id, p_domain, v_lot.first_id, v_lot.last_id, true);
        continue;
      end if;
      v_stock.next_id := v_lot.first_id;
      v_stock.end_id := v_lot.last_id;
      continue;
    end if;

    -- A run that was unblocked after the cursor had passed it.
    delete from stock_run where (site_id, lot_id) = (
        select r.site_id, r.lot_id from stock_run r
        where r.site_id = p_site and r.domain_id = p_domain and not r.blocked and r.lot_id <= v_stock.lot_id
        order by r.lot_id limit 1)
      returning * into v_run;
    if found then
      v_stock.next_id := v_run.first_id;
      v_stock.end_id := v_run.last_id;
      continue;
    end if;

    -- Returned mailboxes.
    with oldest as (
      select r.mailbox_id from returned r
      where r.site_id = p_site and r.domain_id = p_domain and r.hidden = 0
      order by r.at, r.mailbox_id limit v_need
    ), gone as (
      delete from returned r using oldest where r.site_id = p_site and r.mailbox_id = oldest.mailbox_id
      returning r.mailbox_id
    )
    select array_agg(mailbox_id) into v_more from gone;
    exit when v_more is null;
    v_got := v_got || v_more;
  end loop;

  update stock
    set next_id = v_stock.next_id, end_id = v_stock.end_id, lot_id = v_stock.lot_id, taken = taken + cardinality(v_got)
    where site_id = p_site and domain_id = p_domain;
  return v_got;
end $$;
