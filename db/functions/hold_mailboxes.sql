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
  -- The first file of a new shop begins with no mailbox and ends with millions: what is planned for none must serve them all.
  set local enable_seqscan = off;
  select next_id into v_first from mailbox_counter for update;
  for v_domain, v_found in select b.domain_id, count(*) from brought b group by b.domain_id order by b.domain_id loop
    -- The id of the lot that this becomes. The stock's cursors may be beyond it by then: join_stock sees to that.
    v_lot := nextval(pg_get_serial_sequence('lot', 'id'));
    insert into mailbox (id, lot_id, domain_id, local_part, secret)
      select v_first + row_number() over () - 1, v_lot, v_domain, e.local_part, e.secret
      from (
        -- By bytes: the order itself means nothing, and this is the cheapest one.
        select distinct on (b.local_part collate "C") b.local_part, b.secret from brought b
        where b.domain_id = v_domain
        order by b.local_part collate "C") e
      -- A value and not a join: a join in another order would read and write the index of millions of addresses all over, and by
      -- figures of yesterday, when the domain had no mailbox, it would be held against all of them for each line.
      where (select true from mailbox m where m.domain_id = v_domain and m.local_part = e.local_part) is null;
    get diagnostics v_held = row_count;
    if v_held > 0 then
      insert into held_lot (id, batch_id, domain_id, first_id, last_id) values (v_lot, p_batch, v_domain, v_first, v_first + v_held - 1);
      v_first := v_first + v_held;
    end if;
    domain_id := v_domain;
    held := v_held;
    -- Mostly each line is taken, and so is its address.
    brought := case when v_held = v_found then v_found
               else (select count(distinct b.local_part collate "C") from brought b where b.domain_id = v_domain) end;
    return next;
  end loop;
  update mailbox_counter set next_id = v_first;
end $$;
