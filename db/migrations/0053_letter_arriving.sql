-- Letters that came and are not stored yet: the orders of their mailboxes do not expire meanwhile.

create table letter_arriving (
  letter     uuid        not null,
  mailbox_id bigint      not null,
  until      timestamptz not null,
  primary key (letter, mailbox_id)
);
comment on table letter_arriving is
  'Only letters that cannot be stored at once (they are long, or many come) have rows: they may wait for minutes, and came in time when they arrived in time.';
comment on column letter_arriving.letter is 'A name that the process which has the letter made up.';
comment on column letter_arriving.until is 'When the row counts no more, should its process die with the letter: its sender was not told 250 and tries again.';

create index letter_arriving_mailbox on letter_arriving (mailbox_id);
