-- Letters: what came in over SMTP, whom it was for, and which orders it was given to.

create table letter (
  id            bigint generated always as identity primary key,
  arrived_at    timestamptz not null default clock_timestamp(),
  judged_at     timestamptz,
  is_given      boolean     not null default false,
  size_bytes    integer     not null,
  mail_from     text        not null,
  raw           bytea       not null,
  sender        text,
  sender_domain text,
  subject       text,
  html          text,
  text          text,
  code          text,
  link          text
);
comment on table letter is
  'One row for each letter that was answered 250: it is written before the answer, and judged (parsed, matched, given to orders) right after it.';
comment on column letter.arrived_at is 'The clock of the database, which also stamps orders: a letter fits only orders that are older than it.';
comment on column letter.judged_at is 'Null until it was decided which orders get it. Who sets it also gives it to them, in one transaction, so that it happens once.';
comment on column letter.is_given is 'Whether an order got it when it was judged or later. One that nobody got is shown to nobody and forgotten after a day.';
comment on column letter.mail_from is 'The sender of the envelope (MAIL FROM); empty for the null sender.';
comment on column letter.sender is 'The From of the letter, as people read it. This column and all below are null until it is judged.';
comment on column letter.sender_domain is 'The registrable domain of the From address.';
comment on column letter.html is 'Kept, as text, code and link are, only of a letter that an order got: of the others nobody reads more than the headers.';
comment on column letter.text is 'The letter as a person reads it: rendered from the HTML where there is some.';

-- Finds what a process left unjudged when it died; nearly always empty.
create index letter_unjudged on letter (arrived_at) where judged_at is null;
-- Finds what is to be forgotten, without a look at what is kept.
create index letter_not_given on letter (arrived_at) where not is_given;

create table recipient (
  letter_id  bigint not null references letter (id) on delete cascade,
  mailbox_id bigint not null,
  primary key (letter_id, mailbox_id)
);
comment on table recipient is 'The mailboxes that one letter was sent to (RCPT TO). No foreign key to mailbox: reception locks nothing that orders lock.';
create index recipient_mailbox on recipient (mailbox_id);

create table delivery (
  order_id     bigint      not null,
  letter_id    bigint      not null references letter (id),
  value        text,
  delivered_at timestamptz not null default clock_timestamp(),
  primary key (order_id, letter_id)
);
comment on table delivery is 'A letter that was given to an order.';
comment on column delivery.value is 'What the pattern of the order found in the text: its first group, or the whole match.';
create index delivery_letter on delivery (letter_id);
