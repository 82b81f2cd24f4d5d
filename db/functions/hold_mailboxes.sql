-- Takes what was staged in the session's table brought (domain_id, local_part, secret) into a batch: one held lot a domain, not on sale.
-- An address that was brought twice is taken once, one that the shop has is left alone. Answers how many were taken of each domain, and
-- how many addresses there were.
-- Locks: batch, mailbox_counter (importers wait for one another, orders do not).
create function hold_mailboxes(p_batch integer) returns table (domain_id integer, held integer, brought integer)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_domain integer;
  v_first  bigint;
  v_held   integer;
  v_found  integer;
  v_lot    integer;
begin
  perform 1 from batch where id = p_batch for update;
  if not found then
    raise exception 'there is no batch %', p_batch;
  end if;
  set local work_mem = '64MB';
  -- Whatever is looked up below is looked up by an index, one row after the other: a hash join would be cheaper by itself, but hands
  -- the addresses on in no order, and the index of millions of them is then read and written all over.
  set local enable_hashjoin = off;
  set local enable_mergejoin = off;
  set local enable_seqscan = off;
  create temporary table one_each on commit drop as
    -- By bytes: the order itself means nothing, and this is the cheapest one.
    select distinct on (domain_id, local_part collate "C") domain_id, local_part, secret from brought
    order by domain_id, local_part collate "C";
  analyze one_each;
  select next_id into v_first from mailbox_counter for update;
  for v_domain, v_found in select e.domain_id, count(*) from one_each e group by e.domain_id order by e.domain_id loop
    -- The id of the lot that this becomes. The stock's cursors may be beyond it by then: join_stock sees to that.
    v_lot := nextval(pg_get_serial_sequence('lot', 'id'));
    insert into mailbox (id, lot_id, domain_id, local_part, secret)
      select v_first + row_number() over () - 1, v_lot, v_domain, e.local_part, e.secret
      from one_each e
      where e.domain_id = v_domain
        and not exists (select 1 from mailbox m where m.domain_id = v_domain and m.local_part = e.local_part);
    get diagnostics v_held = row_count;
    if v_held > 0 then
      insert into held_lot (id, batch_id, domain_id, first_id, last_id) values (v_lot, p_batch, v_domain, v_first, v_first + v_held - 1);
      v_first := v_first + v_held;
    end if;
    domain_id := v_domain;
    held := v_held;
    brought := v_found;
    return next;
  end loop;
  update mailbox_counter set next_id = v_first;
end $$;
