-- Counts shares in held books to the ties of their buyers and partners. The caller holds the ties.
create function add_to_ties(p_shares earned_share[]) returns void
language sql as $$
  update partner_tie k
    set referrals = k.referrals + t.referrals, referrals_count = k.referrals_count + t.referrals_count,
        soft = k.soft + t.soft, soft_count = k.soft_count + t.soft_count
    from (select s.buyer_id, s.user_id,
                 coalesce(sum(s.amount) filter (where s.book = 'referrals.held'), 0)::bigint as referrals,
                 count(*) filter (where s.book = 'referrals.held') as referrals_count,
                 coalesce(sum(s.amount) filter (where s.book = 'soft.held'), 0)::bigint as soft,
                 count(*) filter (where s.book = 'soft.held') as soft_count
          from unnest(p_shares) s group by s.buyer_id, s.user_id) t
    where k.user_id = t.buyer_id and k.partner_id = t.user_id;
$$;
