-- A limited token of a call.
create type batch_token as (
  id        bigint,
  user_id   bigint,
  price_max bigint, -- null: no highest price
  budget    bigint, -- what is left of today's; null: no budget
  spent     bigint
);
