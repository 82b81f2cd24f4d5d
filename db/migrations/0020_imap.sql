-- Mailboxes elsewhere: hosted mailboxes lie on IMAP servers of the operator, and their letters are fetched while an order lives.

create table hosted_order (
  order_id   bigint not null primary key,
  mailbox_id bigint not null
);
comment on table hosted_order is
  'Living orders at hosted mailboxes, written in the transaction of the order: who fetches letters need not look for them among all orders.';
insert into hosted_order (order_id, mailbox_id)
  select o.id, o.mailbox_id from orders o join mail_domain d on d.id = o.domain_id and d.kind = 'hosted'
  where o.status = 'pending' or o.status = 'received' and o.expires_at > now();

create table imap_host (
  id                integer generated always as identity primary key,
  host              text             not null,
  port              integer          not null,
  connections       integer          not null default 20 check (connections between 1 and 10000),
  logins_per_minute integer          not null default 600 check (logins_per_minute between 1 and 1000000),
  ca                text,
  clock_ms          integer          not null default 0,
  permits           double precision not null default 1,
  permits_at        timestamptz      not null default clock_timestamp(),
  failures          integer          not null default 0,
  refusals          integer          not null default 0,
  next_try_at       timestamptz      not null default '-infinity',
  last_error        text,
  last_error_at     timestamptz,
  unique (host, port)
);
comment on table imap_host is 'An IMAP server that the operator has registered for one mail domain or several, and how it fares.';
comment on column imap_host.connections is 'How many connections all processes together may have open to it.';
comment on column imap_host.ca is 'Certificates (PEM) that its own must come from, instead of the known authorities. They are public.';
comment on column imap_host.clock_ms is 'By how much its clock is ahead of ours, as letters have shown that were seen to arrive.';
comment on column imap_host.permits is 'Logins that may be made now; they grow with time, up to those of ten seconds.';
comment on column imap_host.failures is 'How often in a row it could not be reached; it rests until next_try_at.';
comment on column imap_host.refusals is 'How many mailboxes in a row had their password refused: when all have, it is the server that is wrong.';

create table imap_mailbox (
  mailbox_id  bigint      not null primary key,
  host_id     integer     not null references imap_host (id),
  since       timestamptz,
  is_pending  boolean     not null,
  turn_at     timestamptz not null,
  worker      text,
  leased_at   timestamptz,
  lease_until timestamptz,
  must_leave  boolean     not null default false,
  failures    integer     not null default 0,
  refusals    integer     not null default 0,
  next_try_at timestamptz not null default '-infinity',
  last_error  text,
  ended_at    timestamptz
);
comment on table imap_mailbox is 'Hosted mailboxes whose letters are fetched, or were lately, and which process does it.';
comment on column imap_mailbox.since is 'When the oldest of its living orders was placed: nothing older is fetched. Null when no order lives, and nothing is fetched.';
comment on column imap_mailbox.is_pending is 'Whether one of the orders still waits for its first letter.';
comment on column imap_mailbox.turn_at is 'When its last turn ended: who waits longest is next.';
comment on column imap_mailbox.lease_until is 'Until when the process may have a connection for it; renewed while it lives, over when it has died.';
comment on column imap_mailbox.must_leave is 'Others wait for the connection.';
create index imap_mailbox_wanted on imap_mailbox (host_id) where since is not null;
create index imap_mailbox_ended on imap_mailbox (ended_at) where since is null;

create table imap_worker (
  worker  text        not null primary key,
  seen_at timestamptz not null
);
comment on table imap_worker is 'Processes that fetch letters: the connections to a host are shared out among them.';

create table imap_folder (
  mailbox_id   bigint      not null references imap_mailbox (mailbox_id) on delete cascade,
  folder       text        not null,
  uid_validity bigint      not null,
  last_uid     bigint      not null,
  checked_at   timestamptz not null,
  primary key (mailbox_id, folder)
);
comment on table imap_folder is 'Up to where a folder of a mailbox was read, written together with the letters.';
comment on column imap_folder.checked_at is 'Everything with a higher UID came later than this.';

create table imap_seen (
  mailbox_id bigint      not null references imap_mailbox (mailbox_id) on delete cascade,
  digest     bytea       not null,
  seen_at    timestamptz not null default clock_timestamp(),
  primary key (mailbox_id, digest)
);
comment on table imap_seen is
  'Letters that were fetched, by the SHA-256 of their bytes, for two days: one that is moved, or gets a new number with all others '
  '(a new UIDVALIDITY), is not taken twice. Written in the transaction that keeps the letter.';
create index imap_seen_at on imap_seen (seen_at);

-- A letter's time is when it came to its server, which may be some time before it is fetched.
select add_letter_partitions(clock_timestamp() - interval '2 days', clock_timestamp());
