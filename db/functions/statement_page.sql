-- The newest p_size transfers of a person's account with an id below p_before, the newest first: two short index scans, one
-- for each side, so a far page costs what the first costs.
-- Ids of one account grow in the order of the commits, because who writes a transfer of a person holds the account first:
-- a page that was read once is never added to, and a running balance can go on from it.
-- The settings leave the planner nothing but to walk both indexes backwards: it takes every account for one with few lines,
-- and would read them all to sort them.
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
