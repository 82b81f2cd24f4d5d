-- Opens missing accounts for each (user, book), with the counters of a buyer.
create function open_accounts(p_user bigint[], p_book text[]) returns void
language plpgsql as $$
begin
  insert into account (user_id, book)
    select distinct t.user_id, t.book
    from unnest(p_user, p_book) as t (user_id, book)
    where not exists (select 1 from account a where a.user_id = t.user_id and a.book = t.book)
    order by t.user_id, t.book
    on conflict do nothing;
  insert into buyer (user_id)
    select distinct t.user_id
    from unnest(p_user, p_book) as t (user_id, book)
    where t.book = 'balance' and not exists (select 1 from buyer b where b.user_id = t.user_id)
    order by t.user_id
    on conflict do nothing;
end $$;
