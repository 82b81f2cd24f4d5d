-- Holds the shares of partners linked to the buyer, or drops them after a refusal. Those of orders whose investor's share is held
-- wait with it (partner_share_held), and are compared again when that ends. Locks: partner_tie.
create function hold_tied_shares(p_shares earned_share[], p_now timestamptz) returns earned_share[]
language plpgsql as $$
#variable_conflict use_column
declare
  ties    partner_tie[] := find_account_links(p_shares, p_now);
  waiting bigint[] := array(select s.order_id from unnest(p_shares) s where s.book = 'investor.held');
  shares  earned_share[];
begin
  if ties is null and waiting = '{}' then
    return p_shares;
  end if;
  select array_agg(row(s.order_id, s.buyer_id, s.user_id,
                       case when s.book not like 'investor%' and (tie.state = 'held' or s.order_id = any (waiting))
                         then s.book || '.held' else s.book end, s.amount)::earned_share)
    into shares
    from unnest(p_shares) s
    left join unnest(ties) tie on tie.user_id = s.buyer_id and tie.partner_id = s.user_id and s.book not like 'investor%'
    where tie.state is distinct from 'refused';
  perform add_to_ties(array(select s from unnest(shares) s where s.book in ('referrals.held', 'soft.held') and s.order_id <> all (waiting)));
  return shares;
end $$;
