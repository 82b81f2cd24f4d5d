-- How a held share ends.
create type share_end as (
  order_id bigint,
  user_id  bigint, -- who earned it
  book     text,   -- referrals, soft or investor: it is in this book's .held
  gains    text,   -- the book that gets it; null: the shop
  amount   bigint
);
