-- One ask of a call of place_orders or reorder_orders, its order and its answer.
create type batch_ask as (
  place      integer,     -- among the asks of the call, from 1
  buyer      integer,     -- its place in the list of buyers
  pair       integer,     -- its place in the list of pairs; null for a reorder
  token      integer,     -- its place in the list of tokens; 0 for an ended token, null without one
  code       text,        -- null while undecided
  site_id    integer,
  domain_id  integer,
  mailbox_id bigint,
  reorder_of bigint,
  price      bigint,
  expires_at timestamptz,
  is_hosted  boolean,
  order_id   bigint,
  address    text,        -- only of a repeat: that of the existing order
  nth        integer,     -- among its buyer's new orders, from 1
  price_max  bigint       -- the highest price that it pays; null: any
);
