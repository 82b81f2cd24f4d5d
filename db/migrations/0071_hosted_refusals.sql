-- safe from 0066: adds a table, and columns that may be missing.
-- Hosted mailboxes: a refused log-in is no death, and a letter counts as fetched by its number, not by a position.

create table imap_refused (
  mailbox_id  bigint      not null primary key,
  first_at    timestamptz not null,
  counted     integer     not null,
  counted_at  timestamptz not null,
  tries       integer     not null,
  next_try_at timestamptz not null,
  error       text
);
comment on table imap_refused is
  'Hosted mailboxes whose server called their password wrong: out of sale with their password (mailbox.dead and a secret), until a log-in, the operator, or their death.';
comment on column imap_refused.counted is
  'Refusals that count towards death: hours apart, and another mailbox of the host was opened since the one before.';
comment on column imap_refused.next_try_at is 'When it is tried again without an order.';

alter table imap_host add column opened_at timestamptz not null default '-infinity';
comment on column imap_host.opened_at is 'When a log-in there succeeded last, to the minute.';

alter table imap_folder add column next_uid bigint;
comment on column imap_folder.next_uid is
  'The UID that the next letter would get at checked_at: letters from it on came later, the others earlier. Null: the one after last_uid.';
comment on column imap_folder.last_uid is 'Up to here each letter was fetched, came before the orders, or is gone.';

alter table imap_seen add column folder text, add column uid_validity bigint, add column uid bigint;
comment on column imap_seen.uid is 'Its number in that folder where it was last met; null for letters from before 0069.';

comment on column mailbox.dead is 'Out of sale. One with a secret may come back: its log-in was refused (imap_refused).';
