-- Mailboxes that an investor brings: kept apart from the stock until a few of them were tried, and what they earn.

create table held_lot (
  id        integer not null primary key,
  batch_id  integer not null references batch (id),
  domain_id integer not null references mail_domain (id),
  first_id  bigint  not null,
  last_id   bigint  not null
);
create index held_lot_batch on held_lot (batch_id);
comment on table held_lot is
  'A run of mailboxes that is not on sale: its batch is being checked, or was refused. Made a lot, under the same id, it joins the stock '
  'without one of its mailboxes being written again. One that was refused stays: none of its addresses can be brought a second time.';

create table investor_batch (
  batch_id   integer     not null primary key references batch (id),
  user_id    bigint      not null,
  state      text        not null default 'stored' check (state in ('stored', 'sampling', 'review', 'active', 'refused')),
  reason     text        check (reason in ('unopened', 'personal', 'own_domain', 'unreachable', 'operator')),
  created_at timestamptz not null,
  decided_at timestamptz,
  key        text,
  taken      integer     not null,
  malformed  integer     not null,
  unknown_domain integer not null,
  duplicate_in_file integer not null,
  duplicate  integer     not null,
  recheck_id bigint      not null default 0,
  recheck_at timestamptz,
  check ((reason is not null) = (state in ('review', 'refused')))
);
create index investor_batch_user on investor_batch (user_id, batch_id);
create unique index investor_batch_key on investor_batch (user_id, key) where key is not null;
create index investor_batch_state on investor_batch (state, created_at);
create index investor_batch_recheck on investor_batch (recheck_at) where state = 'active';
comment on table investor_batch is 'A file that an investor brought, and what came of its check.';
comment on column investor_batch.created_at is 'When it was brought: whatever lies in a mailbox and is older was there before us.';
comment on column investor_batch.key is 'Names the upload: repeated under the same name it is the same batch.';
comment on column investor_batch.taken is 'How many of its mailboxes were taken; the next columns count the lines that were not.';
comment on column investor_batch.recheck_id is 'Up to which mailbox it was looked through again.';
comment on column investor_batch.recheck_at is 'When its next mailbox is tried again.';

create table batch_sample (
  batch_id    integer     not null references investor_batch (batch_id),
  mailbox_id  bigint      not null,
  opened      boolean,
  tries       integer     not null default 0,
  next_try_at timestamptz not null default '-infinity',
  primary key (batch_id, mailbox_id)
);
comment on table batch_sample is
  'The mailboxes of a batch that are tried. Deleted with the decision: nobody can tell afterwards which of them opened.';

create table investor_flag (
  user_id    bigint      not null,
  batch_id   integer     not null references investor_batch (batch_id),
  flagged_at timestamptz not null,
  seen_at    timestamptz,
  primary key (user_id, batch_id)
);
comment on table investor_flag is 'Investors whose batch was refused by its check, for the operator to look at. Until he did, they bring no more.';

create table investor_terms (
  user_id   bigint  not null primary key,
  share_ppm integer not null check (share_ppm between 0 and 900000)
);
comment on table investor_terms is 'The part of each price that an investor gets for batches that he brings from now on, if it is not the usual 30 %.';

create table batch_earning (
  batch_id integer  not null references batch (id),
  shard    smallint not null,
  amount   bigint   not null,
  count    integer  not null,
  primary key (batch_id, shard)
);
comment on table batch_earning is 'What the mailboxes of a batch have earned for their owner, written together with the transfers. Sharded like account_day.';
insert into batch_earning (batch_id, shard, amount, count)
  select l.batch_id, 0, sum(t.amount), count(*)
  from transfer t join orders o on o.id = t.order_id join mailbox m on m.id = o.mailbox_id join lot l on l.id = m.lot_id
  where t.kind = 'investor' group by l.batch_id;
