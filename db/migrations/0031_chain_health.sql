-- How each chain is doing, as its watcher saw it last: the operator's command, /metrics and every other process read it here.

create table chain_health (
  chain         text        primary key,
  height        bigint,
  tip_at        timestamptz,
  behind        bigint      not null default 0 check (behind >= 0),
  looked_at     timestamptz,
  failures      bigint      not null default 0,
  failing_since timestamptz,
  error         text,
  error_at      timestamptz,
  nodes         jsonb       not null default '[]'
) with (fillfactor = 50);
comment on table chain_health is
  'One row for each chain that was ever watched, written at each look. It holds host names and no address of a node: these hold keys.';
comment on column chain_health.height is 'The newest block by the node that answered last.';
comment on column chain_health.tip_at is 'When that block was made, by its own time.';
comment on column chain_health.behind is 'How many blocks up to there are still to be read.';
comment on column chain_health.looked_at is 'The last look that succeeded.';
comment on column chain_health.failures is 'How many looks have failed since the shop began.';
comment on column chain_health.failing_since is 'The first of the looks that have failed since the last one that succeeded; null while all is well.';
comment on column chain_health.error is 'What the last failed look said, also when that is over.';

-- Payments that are not decided, counted by chain and state.
create index payment_undecided on payment (chain, state) where state in ('awaiting', 'underpaid', 'confirming', 'review');

-- What was reported to the operator: money that came late, and more of it than was asked for.
create index payment_event_reported on payment_event (at, payment_id) where detail ? 'isLate' or detail ? 'isSurplus';
