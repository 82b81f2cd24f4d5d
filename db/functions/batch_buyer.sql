-- A buyer of a call of place_orders or reorder_orders, and the effects of its orders.
create type batch_buyer as (
  user_id    bigint,
  account_id bigint,
  may_order  boolean, -- activated and not blocked
  balance    bigint,  -- before the call
  free_left  integer, -- how many more free orders are allowed; null until it is needed
  open_left  integer, -- how many more paid orders may be open; null: any number
  spent      bigint,
  placed     integer
);
