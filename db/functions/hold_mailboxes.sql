-- Moves the session's staged table brought (domain_id, local_part, secret) into a batch, one held lot a domain, without repeated and
-- existing mailboxes; answers how many by domain. Locks: batch, mailbox_counter (importers wait for one another, orders do not).
create function hold_mailboxes(p_batch integer) returns table (domain_id integer, held integer, brought integer)
language plpgsql
set work_mem = '64MB'
-- With old statistics of a small domain the planner would choose any of these for millions.
set enable_seqscan = off
set enable_hashjoin = off
set enable_nestloop = off
as $$
#variable_conflict use_column
declare
  v_domain integer;
  v_first  bigint;
  v_held   integer;
  v_found  integer;
  v_tagged bigint;
  v_same   integer;
  v_there  bigint;
  v_lot    integer;
begin
  perform 1 from batch where id = p_batch for update;
  if not found then
    raise exception 'there is no batch %', p_batch;
  end if;
  select next_id into v_first from mailbox_counter for update;
  for v_domain, v_found, v_tagged in
    select b.domain_id, count(*), count(*) filter (where strpos(b.local_part, '+') > 1)
    from brought b group by b.domain_id order by b.domain_id
  loop
    v_same := 0;
    if v_tagged > 0 or exists (select from mailbox m where m.domain_id = v_domain and strpos(m.local_part, '+') > 1) then
      v_same := leave_tagged(v_domain);
      select count(*) into v_found from brought b where b.domain_id = v_domain;
    end if;
    -- The lot's id. The stock's cursors may be beyond it by then: see join_stock.
    v_lot := nextval(pg_get_serial_sequence('lot', 'id'));
    select coalesce(sum(l.last_id - l.first_id + 1), 0) into v_there from (
      select first_id, last_id from lot where domain_id = v_domain
      union all select first_id, last_id from held_lot where domain_id = v_domain) l;
    execute format(
      $insert$
        insert into mailbox (id, lot_id, domain_id, local_part, secret)
        select $1 + row_number() over () - 1, $2, $3, e.local_part, e.secret
        from (
          -- In the order of the index that is read and written; of a repeated mailbox the last line, as they were written.
          select distinct on (b.local_part) b.local_part, b.secret from brought b where b.domain_id = $3
          order by b.local_part, b.ctid desc) e
        where %s
      $insert$,
      case
        -- Few beside many: each is looked up.
        when v_found < v_there / 16
        then '(select true from mailbox m where m.domain_id = $3 and m.local_part = e.local_part) is null'
        -- Many: one merge of both costs a fifth of looking each up.
        else 'not exists (select from mailbox m where m.domain_id = $3 and m.local_part = e.local_part)'
      end) using v_first, v_lot, v_domain;
    get diagnostics v_held = row_count;
    if v_held > 0 then
      insert into held_lot (id, batch_id, domain_id, first_id, last_id) values (v_lot, p_batch, v_domain, v_first, v_first + v_held - 1);
      v_first := v_first + v_held;
    end if;
    domain_id := v_domain;
    held := v_held;
    brought := v_same + case when v_held = v_found then v_found
                        else (select count(distinct b.local_part) from brought b where b.domain_id = v_domain) end;
    return next;
  end loop;
  update mailbox_counter set next_id = v_first;
end $$;
