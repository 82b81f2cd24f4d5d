-- Adds a lot of mailboxes to a batch, without existing and repeated ones; answers how many. p_secret: sealed passwords, or null.
-- Locks: batch, mailbox_counter (importers wait for one another, orders do not), mail_domain, stock.
create function add_stock(p_batch integer, p_domain integer, p_local_part text[], p_secret bytea[]) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_first bigint;
  v_count integer;
  v_lot   integer;
begin
  perform 1 from batch where id = p_batch and withdrawn_at is null for update;
  if not found then
    raise exception 'there is no batch % on sale', p_batch;
  end if;
  select next_id into v_first from mailbox_counter for update;

  -- 1. The mailboxes, with ids without a gap.
  insert into lot (batch_id, domain_id, first_id, last_id, live) values (p_batch, p_domain, v_first, v_first - 1, 0)
    returning id into v_lot;
  insert into mailbox (id, lot_id, domain_id, local_part, secret)
    select v_first + row_number() over (order by new.place) - 1, v_lot, p_domain, new.local_part, p_secret[new.place]
    from (select t.local_part, min(t.place) as place
          from unnest(p_local_part) with ordinality as t (local_part, place) group by t.local_part) new
    where not exists (select 1 from mailbox m where m.domain_id = p_domain and m.local_part = new.local_part);
  get diagnostics v_count = row_count;
  if v_count = 0 then
    delete from lot where id = v_lot;
    return 0;
  end if;
  update lot set last_id = v_first + v_count - 1, live = v_count where id = v_lot;
  update mailbox_counter set next_id = v_first + v_count;

  -- 2. The short part, the only one that locks rows that orders need.
  perform 1 from mail_domain where id = p_domain for no key update;
  -- For blocked sites of the batch the lot starts blocked.
  insert into stock (site_id, domain_id)
    select b.site_id, p_domain from batch_block b where b.batch_id = p_batch order by b.site_id
    on conflict do nothing;
  perform 1 from stock s
    where s.domain_id = p_domain and s.site_id in (select b.site_id from batch_block b where b.batch_id = p_batch)
    order by s.site_id for update;
  insert into stock_run (site_id, lot_id, domain_id, first_id, last_id, blocked)
    select b.site_id, v_lot, p_domain, v_first, v_first + v_count - 1, true from batch_block b where b.batch_id = p_batch;
  update stock s set taken = s.taken + v_count
    from batch_block b where b.batch_id = p_batch and s.site_id = b.site_id and s.domain_id = p_domain;
  update mail_domain set live = live + v_count where id = p_domain;
  return v_count;
end $$;
