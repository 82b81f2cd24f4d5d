-- The shares of partners, programs and investors, never of one's own order. The investor's is cut where all of them would exceed
-- the limit (share_limit). Null without shares.
create function shares_of(p_order bigint[]) returns earned_share[]
language plpgsql as $$
begin
  return (
    select array_agg(row(o.id, o.user_id, share.user_id, share.book, share.amount)::earned_share)
    from orders o
    join users on users.id = o.user_id
    -- A closed account earns nothing more; whom it invited is invited by nobody.
    left join users program on program.id = o.soft_id and program.closed_at is null
    join mailbox m on m.id = o.mailbox_id
    join lot l on l.id = m.lot_id
    join batch b on b.id = l.batch_id
    cross join lateral (
      select partner_share(o.price) * ((users.referred_by <> o.user_id) is true)::integer
           + partner_share(o.price) * ((program.id <> o.user_id) is true)::integer as amount) parts
    cross join lateral (values
      (users.referred_by, 'referrals', partner_share(o.price)),
      (program.id, 'soft', partner_share(o.price)),
      (b.investor_id, 'investor', least(o.price * b.share_ppm / 1000000, o.price * (select l.ppm from share_limit l where l.is_only) / 1000000 - parts.amount))
    ) as share (user_id, book, amount)
    where o.id = any (p_order) and share.user_id <> o.user_id and share.amount > 0);
end $$;
