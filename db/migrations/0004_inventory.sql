-- The stock: which mailboxes there are, and which of them a site can still have.
-- A mailbox is sold once for each site. Nothing that was sold is ever looked at again: for each (site, domain) a cursor
-- walks through the domain's lots, and what is given back waits in its own table.

create table batch (
  id          integer generated always as identity primary key,
  investor_id bigint,
  share_ppm   integer     not null default 0 check (share_ppm between 0 and 900000),
  title       text        not null default '',
  created_at  timestamptz not null default clock_timestamp()
);
comment on table batch is 'Mailboxes that came into the shop together, from one owner, under one set of terms.';
comment on column batch.investor_id is 'The user who owns them; null when they are the shop''s own.';
comment on column batch.share_ppm is
  'The owner''s part of each price, in millionths. At most 90 %: two partners may take 5 % each.';

create table batch_block (
  batch_id integer not null references batch (id),
  site_id  integer not null,
  primary key (batch_id, site_id)
);
comment on table batch_block is 'Sites that a batch must not serve, as its owner asked.';

create table lot (
  id        integer generated always as identity primary key,
  batch_id  integer not null references batch (id),
  domain_id integer not null references mail_domain (id),
  first_id  bigint  not null,
  last_id   bigint  not null,
  live      bigint  not null,
  unique (domain_id, id)
);
create index lot_batch on lot (batch_id);
comment on table lot is
  'A run of mailboxes of one batch in one domain, with ids first_id to last_id without a gap, so that a cursor can walk it by counting.';
comment on column lot.live is 'How many of them are not dead.';

create table mailbox (
  id         bigint  not null primary key,
  lot_id     integer not null,
  domain_id  integer not null,
  dead       boolean not null default false,
  local_part text    not null,
  secret     bytea
);
comment on table mailbox is 'One address. Its id has no gap to its neighbours in the lot.';
comment on column mailbox.local_part is 'What stands before the @, in lower case.';
comment on column mailbox.secret is 'The sealed password of a hosted mailbox; null for our own domains.';
-- Finds the mailbox of an address at RCPT, and keeps an address from being there twice.
create unique index mailbox_address on mailbox (domain_id, local_part);

create table mailbox_counter (
  only_row boolean primary key default true check (only_row),
  next_id  bigint  not null
);
insert into mailbox_counter (next_id) values (1);
comment on table mailbox_counter is
  'The next free mailbox id. A row and not a sequence: who adds a lot locks it, so that the ids of a lot have no gap.';

create table stock (
  site_id   integer not null,
  domain_id integer not null,
  taken     bigint  not null default 0 check (taken >= 0),
  next_id   bigint  not null default 1,
  end_id    bigint  not null default 0,
  lot_id    integer not null default 0,
  primary key (site_id, domain_id)
) with (fillfactor = 40);
comment on table stock is
  'The cursor and the exact counter of one (site, domain). It is made by the first order of its pair. Available = mail_domain.live - taken.';
comment on column stock.taken is 'Living mailboxes of the domain that this site can not have now: sold to it, or in a lot that must not serve it.';
comment on column stock.next_id is 'Mailboxes next_id to end_id are a run that nobody had for this site.';
comment on column stock.lot_id is 'Lots of the domain up to this one are behind the cursor.';

create table stock_run (
  site_id   integer not null,
  lot_id    integer not null,
  domain_id integer not null,
  first_id  bigint  not null,
  last_id   bigint  not null,
  blocked   boolean not null,
  primary key (site_id, lot_id)
);
create index stock_run_open on stock_run (site_id, domain_id, lot_id) where not blocked;
comment on table stock_run is
  'A fresh run that the cursor does not reach by itself: of a lot that must not serve the site, or of one that may again after the cursor had passed it.';

create table returned (
  site_id    integer     not null,
  domain_id  integer     not null,
  lot_id     integer     not null,
  mailbox_id bigint      not null,
  hidden     smallint    not null default 0,
  at         timestamptz not null default clock_timestamp(),
  primary key (site_id, mailbox_id)
);
comment on table returned is 'Mailboxes that a site had and gave back without a letter: they are sold again, the oldest first.';
comment on column returned.hidden is 'Why it can not be sold now: 1 its batch must not serve this site, 2 the mailbox is dead, 3 both; 0 it can.';
create index returned_next on returned (site_id, domain_id, at, mailbox_id) where hidden = 0;
create index returned_mailbox on returned (mailbox_id);
