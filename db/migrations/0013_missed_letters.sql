-- Letters that came for an order while it lived and did not fit it, for its timeline and for its buyer, who may want one anyway.

create type missed_reason as enum (
  'sender',   -- from another site: nothing of it is told but that it came
  'subject',  -- of the site, without the subject word
  'regex'     -- of the site, with no match of the pattern
);

create table missed (
  order_id   bigint        not null,
  letter_id  bigint        not null,
  arrived_at timestamptz   not null,
  reason     missed_reason not null,
  primary key (order_id, letter_id)
);
comment on table missed is
  'Why a letter to the mailbox of a living order did not fit it, written when the letter was judged. '
  'A letter that is another buyer''s is not noted. At most a hundred of each kind for an order.';
comment on column missed.letter_id is
  'No foreign key: a letter that nobody got is forgotten after a day; that one came, and when, is remembered.';
