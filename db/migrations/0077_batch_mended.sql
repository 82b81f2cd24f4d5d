-- safe from 0066: adds columns and a table that may be missing.
-- A refused batch of which nothing opened can be mended: the operator frees its addresses, once in thirty days.
alter table investor_batch
  add column tried integer,
  add column opened integer,
  add column said text,
  add column second_look_at timestamptz,
  add column freed_at timestamptz;
comment on column investor_batch.tried is 'How many of its mailboxes were tried before the decision, and how many opened; for the operator alone. Null for batches of before.';
comment on column investor_batch.said is 'What the mail server said last to a log-in that it did not let in.';
comment on column investor_batch.second_look_at is 'When those are tried once more that the server refused after it had let others in.';
comment on column investor_batch.freed_at is 'When the operator freed its addresses: the batch has no mailboxes any more.';

alter table batch_sample add column tried_at timestamptz;
comment on column batch_sample.tried_at is 'In which order they were tried: a server that refuses only the last ones may have a limit.';

create table freed_address (
  domain_id  integer     not null,
  local_part text        not null,
  freed_at   timestamptz not null,
  primary key (domain_id, local_part)
);
comment on table freed_address is
  'Addresses that the operator freed: each may be brought once more. Refused again they rest for thirty days.';
