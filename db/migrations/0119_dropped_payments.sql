-- safe from 0066: adds a column without a default.
alter table payment add column dropped_at timestamptz;
comment on column payment.dropped_at is
  'When the buyer said that he will not pay it. Lists alone read it: its address is watched and reconciled as any other, and what comes is credited.';
