-- safe from 0066: adds columns with defaults.
alter table buyer
  add column open_max    integer,
  add column open_max_at timestamptz;
comment on column buyer.open_max is 'How many paid orders may be open at once, as counted at open_max_at; null: not counted yet.';
comment on column buyer.open_max_at is 'The count holds for ten minutes, and until it is reached (open_orders_left).';
