-- Locks balances; answers a row for each user, in their order, with nulls for an unknown one. Locks: account, in ascending order.
create function lock_buyers(p_user bigint[]) returns batch_buyer[]
language plpgsql as $$
declare
  buyers batch_buyer[];
  locked bigint[];
begin
  -- After a wait the row is read again.
  select array_agg(row(t.*)::batch_buyer order by t.user_id), array_agg(t.user_id order by t.user_id)
    into buyers, locked
    from (select a.user_id, a.id as account_id, users.activated_at is not null and users.blocked_at is null as may_order, a.balance,
                 null::integer as free_left, null::integer as open_left, 0 as spent, 0 as placed
          from account a join users on users.id = a.user_id
          where a.user_id = any (p_user) and a.book = 'balance'
          order by a.id for update of a) t;
  if locked = p_user then
    return buyers;
  end if;

  -- An account is missing, a user unknown, or the list in another order.
  perform open_accounts(array_agg(users.id), array_agg('balance'::text)) from users where users.id = any (p_user);
  perform 1 from account a where a.user_id = any (p_user) and a.book = 'balance' order by a.id for update;
  return array(
    select row(t.user_id, a.id, a.id is not null and users.activated_at is not null and users.blocked_at is null, a.balance,
               null, null, 0, 0)::batch_buyer
    from unnest(p_user) with ordinality as t (user_id, place)
    left join account a on a.user_id = t.user_id and a.book = 'balance'
    left join users on users.id = t.user_id
    order by t.place);
end $$;
