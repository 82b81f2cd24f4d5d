-- Moves money once for each (kind, key): top-up, bonus, adjustment, payout, release, forfeit. Answers 'ok', 'repeat' (done before),
-- or 'no balance' (nothing is done). p_count adds to the counter of the receiver's day. Locks: account, account_day.
create function move_money(
  p_debit bigint, p_credit bigint, p_amount bigint, p_kind transfer_kind, p_key text, p_reason text, p_shard integer,
  p_count integer default 1
) returns text
language plpgsql as $$
declare
  v_at timestamptz := clock_timestamp();
  v_balance bigint;
begin
  perform 1 from account where id in (p_debit, p_credit) and id >= 1000 order by id for update;

  insert into transfer (debit, credit, amount, at, kind, idempotency_key, reason)
    values (p_debit, p_credit, p_amount, v_at, p_kind, p_key, p_reason)
    on conflict (kind, idempotency_key) where idempotency_key is not null do nothing;
  if not found then
    return 'repeat';
  end if;

  -- Raising undoes the transfer, which comes first because only its unique index tells a repeat from a lack of money.
  if p_debit >= 1000 then
    select balance into strict v_balance from account where id = p_debit;
    if v_balance < p_amount then
      raise exception 'no balance' using errcode = 'MONEY';
    end if;
  end if;

  update account set balance = balance + case when id = p_credit then p_amount else -p_amount end
    where id in (p_debit, p_credit) and id >= 1000;
  update buyer b set revision = revision + 1
    from account a where a.id in (p_debit, p_credit) and a.book = 'balance' and b.user_id = a.user_id;
  perform log_events('balance', array_agg(a.user_id), p_balance => array_agg(a.balance))
    from account a where a.id in (p_debit, p_credit) and a.book = 'balance';
  perform notify_changes(array_agg(a.user_id)) from account a where a.id in (p_debit, p_credit) and a.user_id is not null;

  insert into account_day as old (account_id, day, shard, debit, credit, count)
    select a.id, (v_at at time zone 'UTC')::date, case when a.id < 1000 then p_shard else 0 end,
           case when a.id = p_debit then p_amount else 0 end, case when a.id = p_credit then p_amount else 0 end, case when a.id = p_debit and a.id >= 1000 then 0 else p_count end
    from account a where a.id in (p_debit, p_credit) and a.book <> 'balance'
    order by a.id
    on conflict (account_id, day, shard) do update
      set debit = old.debit + excluded.debit, credit = old.credit + excluded.credit, count = old.count + excluded.count;
  return 'ok';
exception
  when sqlstate 'MONEY' then
    return 'no balance';
end $$;
