-- What came to an account and left it by its transfers from p_from on and below p_to. Reads all of them.
create function statement_sums(p_account bigint, p_from bigint, p_to bigint) returns table (credit bigint, debit bigint)
language sql stable rows 1
set enable_seqscan = off
as $$
  select
    coalesce((select sum(amount) from transfer where credit = p_account and credit >= 1000 and id >= p_from and id < p_to), 0)::bigint,
    coalesce((select sum(amount) from transfer where debit = p_account and debit >= 1000 and id >= p_from and id < p_to), 0)::bigint
$$;
