-- safe from 0072: adds tables.
-- Several logins may open one mailbox: it is sold once.

create table box_mark (
  mailbox_id   bigint      not null,
  folder       text        not null,
  uid_validity bigint      not null,
  uid          bigint      not null,
  mark         bytea       not null,
  is_personal  boolean     not null,
  seen_at      timestamptz not null default clock_timestamp(),
  primary key (mailbox_id, folder, uid_validity, uid)
);
create index box_mark_mark on box_mark (mark);
create index box_mark_seen on box_mark (seen_at);
comment on table box_mark is
  'What hosted mailboxes are told apart by, as SHA-256: letters of theirs (number, time, Message-ID, To), and under the uid 0 what the server calls the folder (MAILBOXID of RFC 8474).';
comment on column box_mark.is_personal is 'One is enough: no other box has it. Of others three are needed, as a provider may put the same letters into all.';

create table same_box (
  mailbox_id bigint      not null primary key,
  first_id   bigint      not null,
  found_at   timestamptz not null default clock_timestamp()
);
create index same_box_found on same_box (found_at);
comment on table same_box is 'Mailboxes that open the box of another one, which came first: out of sale with their password, so that open orders live to their end.';

comment on column mailbox.dead is
  'Out of sale. One with a secret may come back: its log-in was refused (imap_refused). Or it opens the box of another one (same_box).';
