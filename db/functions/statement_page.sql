-- The newest p_size transfers from p_from on and below p_before, by one index scan for each side: any page costs the same. Ids grow in the order of the
-- commits, as writers lock the account first. The settings force the scans: the planner would read and sort all lines.
create function statement_page(p_account bigint, p_before bigint, p_size integer, p_from bigint default 0) returns setof transfer
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
  where id >= p_from -- Out here: with both bounds within, the planner may take the index of the ids alone.
  order by id desc limit p_size
$$;
