-- A share of an order that gets its first letter.
create type earned_share as (
  order_id bigint,
  buyer_id bigint,
  user_id  bigint, -- who earns
  book     text,   -- referrals, soft or investor; with .held while held
  amount   bigint
);
