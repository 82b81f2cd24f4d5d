-- The living ones of these limited tokens, with the rest of their budgets today. The caller holds their users' balances.
create function usable_tokens(p_token bigint[], p_now timestamptz) returns batch_token[]
language plpgsql as $$
begin
  return array(
    select row(t.id, t.user_id, t.price_max, t.budget_day - coalesce(d.spent, 0), 0)::batch_token
    from user_token t
    left join user_token_day d on d.token_id = t.id and d.day = (p_now at time zone 'UTC')::date
    where t.id = any (p_token) and t.revoked_at is null and (t.expires_at is null or t.expires_at > p_now));
end $$;
