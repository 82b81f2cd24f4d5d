-- The newest p_size transfers of an account with an id below p_before: one short index scan for each side, so any page costs the
-- same. Writers lock the account first, so ids grow in the order of the commits, and a page that was read never changes. The settings
-- force both index scans backwards: by its statistics the planner would read and sort all lines.
create function statement_page(p_account bigint, p_before bigint, p_size integer) returns setof transfer
language sql stable rows 50
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  select * from (
    (select * from transfer where debit = p_account and debit >= 1000 and id < p_before order by id desc limit p_size)
    union all
    (select * from transfer where credit = p_account and credit >= 1000 and id < p_before order by id desc limit p_size)
  ) t
  order by id desc limit p_size
$$;
