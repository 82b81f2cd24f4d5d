-- What an investor earns by a letter that nothing proves is held: an investor knows the passwords of the mailboxes and can put any
-- letter into them. Released when a signature proves the letter, after three days of usual results, or by the operator.

alter table account
  drop constraint account_book,
  add constraint account_book check (
    user_id is null or book in ('balance', 'referrals', 'soft', 'investor', 'referrals.held', 'soft.held', 'investor.held'));

alter table letter
  add column dkim_addressed text[],
  add column dated_at timestamptz;
comment on column letter.dkim_addressed is
  'Of dkim_domains, those whose signature covers To and Date, where To names a mailbox that got the letter. A signed letter to another '
  'mailbox, copied here by who owns this one, is not among them.';
comment on column letter.dated_at is 'The date that the letter says. Null until it was authenticated, and where it says none.';

create table investor_share (
  order_id      bigint      primary key,
  batch_id      integer     not null,
  site_id       integer     not null,
  user_id       bigint      not null,
  buyer_id      bigint      not null,
  amount        bigint      not null check (amount > 0),
  earned_at     timestamptz not null,
  state         text        not null check (state in ('held', 'released', 'refused', 'refunded')),
  proved        boolean     not null,
  due_at        timestamptz check (due_at is null or state = 'held'),
  decided_at    timestamptz check ((decided_at is null) = (state = 'held')),
  complained_at timestamptz,
  complaint     text        check (complaint in ('review', 'refunded', 'rejected')),
  check ((complained_at is null) = (complaint is null)),
  check ((complaint is not distinct from 'refunded') = (state = 'refunded'))
);
comment on table investor_share is 'What an investor earns by an order, from its first letter on. Orders of before this table have no row.';
comment on column investor_share.user_id is 'The investor.';
comment on column investor_share.state is
  'held: in the book investor.held. released: the investor''s. refused: the shop''s. refunded: the buyer got the whole price back.';
comment on column investor_share.proved is 'A letter of the order proves by its signature to be from the site.';
comment on column investor_share.due_at is 'When a job decides about it; null while it waits for the operator, and once it is decided.';
comment on column investor_share.complaint is
  'The buyer said "not from the site". review: the operator decides. refunded: the price went back. rejected: the operator did not agree.';
create index investor_share_due on investor_share (due_at) where due_at is not null;
create index investor_share_held on investor_share (batch_id, site_id) include (amount, due_at, earned_at) where state = 'held';
create index investor_share_operator on investor_share (batch_id, site_id) where state = 'held' and due_at is null;
create index investor_share_batch on investor_share (batch_id, site_id, earned_at);
create index investor_share_complained on investor_share (buyer_id, complained_at) where complained_at is not null;
create index investor_share_complaint on investor_share (order_id) where complaint is not null;
create index investor_share_blamed on investor_share (batch_id, complained_at) where complained_at is not null;
create index investor_share_review on investor_share (order_id) where complaint = 'review';

create table share_refusal (
  batch_id   integer     not null,
  site_id    integer     not null,
  refused_at timestamptz not null,
  primary key (batch_id, site_id)
);
comment on table share_refusal is
  'Batches whose letters of a site the operator does not believe: a share that nothing proves becomes the shop''s after its three days.';

create table site_proof (
  site_id integer  not null,
  day     date     not null,
  shard   smallint not null,
  letters integer  not null,
  proved  integer  not null,
  primary key (site_id, day, shard)
);
comment on table site_proof is
  'How many first letters of orders came to the shop''s own mailboxes for a site on a day (UTC), and how many a signature proved. '
  'Counted when a letter was authenticated; a month is kept.';

alter table batch_earning
  add column held bigint not null default 0,
  add column held_count integer not null default 0;
comment on column batch_earning.held is 'What is held now, and of how many orders; only the sum of all shards says something.';
