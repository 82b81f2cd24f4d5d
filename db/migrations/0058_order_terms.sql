-- safe from 0057: adds tables alone.
-- What a buyer finds an order by, in one index that begins with the buyer: ten million orders are searched like ten.
create table order_term (
  user_id bigint  not null,
  term    text    not null collate "C",
  number  integer not null,
  code_at timestamptz,
  primary key (user_id, term, number)
);
create index order_term_code on order_term (code_at) where code_at is not null;
comment on table order_term is
  'What a buyer finds an order by: the part of its address before the @, and of its letters the words of the subject and the code, in small letters.';
comment on column order_term.number is 'orders.number: the order.';
comment on column order_term.code_at is 'Of codes alone: when it was delivered. A code is forgotten with the letter that had it.';

create table order_term_fill (
  only_row boolean primary key default true check (only_row),
  next_id  bigint not null default 0,
  last_id  bigint
);
insert into order_term_fill default values;
comment on table order_term_fill is
  'Orders from before order_term get their terms by a job. next_id: where it goes on; last_id: the last one to fill, null before the first turn.';
