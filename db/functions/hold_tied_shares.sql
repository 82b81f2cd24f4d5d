-- Holds the shares of partners linked to the buyer, or drops them after a refusal. Locks: partner_tie.
create function hold_tied_shares(p_shares earned_share[], p_now timestamptz) returns earned_share[]
language plpgsql as $$
#variable_conflict use_column
declare
  ties   partner_tie[] := find_account_links(p_shares, p_now);
  shares earned_share[];
begin
  if ties is null then
    return p_shares;
  end if;
  select array_agg(row(s.order_id, s.buyer_id, s.user_id,
                       case tie.state when 'held' then s.book || '.held' else s.book end, s.amount)::earned_share)
    into shares
    from unnest(p_shares) s
    left join unnest(ties) tie on tie.user_id = s.buyer_id and tie.partner_id = s.user_id and s.book <> 'investor'
    where tie.state is distinct from 'refused';
  update partner_tie k
    set referrals = k.referrals + t.referrals, referrals_count = k.referrals_count + t.referrals_count,
        soft = k.soft + t.soft, soft_count = k.soft_count + t.soft_count
    from (select s.buyer_id, s.user_id,
                 coalesce(sum(s.amount) filter (where s.book = 'referrals.held'), 0)::bigint as referrals,
                 count(*) filter (where s.book = 'referrals.held') as referrals_count,
                 coalesce(sum(s.amount) filter (where s.book = 'soft.held'), 0)::bigint as soft,
                 count(*) filter (where s.book = 'soft.held') as soft_count
          from unnest(shares) s where s.book like '%.held' group by s.buyer_id, s.user_id) t
    where k.user_id = t.buyer_id and k.partner_id = t.user_id;
  return shares;
end $$;
