-- Saves the shares of partners that wait for the investor's share of their order.
create function note_waiting_shares(p_shares earned_share[]) returns void
language sql as $$
  insert into partner_share_held (order_id, book, user_id, buyer_id, amount)
    select s.order_id, split_part(s.book, '.', 1), s.user_id, s.buyer_id, s.amount
    from unnest(p_shares) s
    where s.book in ('referrals.held', 'soft.held')
      and exists (select from unnest(p_shares) i where i.order_id = s.order_id and i.book = 'investor.held');
$$;
