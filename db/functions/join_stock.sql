-- Puts the held lots of a batch on sale, except for its blocked sites, without writing mailboxes: any size takes a moment. Locks:
-- batch, mail_domain, stock (every row of the domains: each says whether its cursor is beyond the lot).
create function join_stock(p_batch integer) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  v_lot   held_lot%rowtype;
  v_count bigint;
  v_all   bigint := 0;
begin
  perform 1 from batch where id = p_batch for update;
  perform 1 from mail_domain where id in (select domain_id from held_lot where batch_id = p_batch) order by id for no key update;
  insert into stock (site_id, domain_id)
    select b.site_id, h.domain_id from batch_block b
    join (select distinct domain_id from held_lot where batch_id = p_batch) h on true
    where b.batch_id = p_batch order by b.site_id, h.domain_id
    on conflict do nothing;
  perform 1 from stock s where s.domain_id in (select domain_id from held_lot where batch_id = p_batch)
    order by s.site_id, s.domain_id for update;

  for v_lot in select * from held_lot where batch_id = p_batch order by domain_id, id loop
    v_count := v_lot.last_id - v_lot.first_id + 1;
    insert into lot (id, batch_id, domain_id, first_id, last_id, live) overriding system value
      values (v_lot.id, p_batch, v_lot.domain_id, v_lot.first_id, v_lot.last_id, v_count);
    -- A cursor beyond the lot does not return: the lot becomes an open run, or a blocked one for a blocked site.
    insert into stock_run (site_id, lot_id, domain_id, first_id, last_id, blocked)
      select s.site_id, v_lot.id, v_lot.domain_id, v_lot.first_id, v_lot.last_id, b.site_id is not null
      from stock s left join batch_block b on b.batch_id = p_batch and b.site_id = s.site_id
      where s.domain_id = v_lot.domain_id and (b.site_id is not null or s.lot_id > v_lot.id);
    update stock s set taken = s.taken + v_count
      from batch_block b where b.batch_id = p_batch and s.site_id = b.site_id and s.domain_id = v_lot.domain_id;
    update mail_domain set live = live + v_count where id = v_lot.domain_id;
    v_all := v_all + v_count;
  end loop;
  delete from held_lot where batch_id = p_batch;
  return v_all;
end $$;
