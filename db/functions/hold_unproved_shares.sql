-- Holds shares of investors whose letter nothing proves, or whose buyer seems to be the investor,
-- or whose batch is off sale. Nearly all letters are delivered
-- before they are authenticated: end_shares releases those.
create function hold_unproved_shares(p_shares earned_share[], p_now timestamptz) returns earned_share[]
language plpgsql as $$
declare
  proved bigint[];
begin
  if exists (select from unnest(p_shares) s where s.book = 'investor') then
    proved := array(select proved_orders(array(select s.order_id from unnest(p_shares) s where s.book = 'investor')));
    for i in 1 .. cardinality(p_shares) loop
      if p_shares[i].book = 'investor' and (p_shares[i].order_id <> all (proved)
        or is_withdrawn(p_shares[i].order_id) or shared_marks(p_shares[i].buyer_id, p_shares[i].user_id, p_now) <> '{}') then
        p_shares[i].book := 'investor.held';
      end if;
    end loop;
  end if;
  return p_shares;
end $$;
