-- safe from 0066: adds a table, and a column that may be null.
-- Who wants to be told when the balance falls below a threshold. Only those have a row, so placing an order neither reads nor writes it.
create table low_balance (
  user_id   bigint      primary key references users (id) on delete cascade,
  threshold bigint      not null check (threshold > 0),
  is_low    boolean     not null,
  told_at   timestamptz
);
comment on table low_balance is
  'Accounts whose owners are told of a low balance. Its rows are changed by who holds the balance account of the user.';
comment on column low_balance.is_low is 'It was below when the owner set the threshold or was told, and not above since: then nobody is told again.';
comment on column low_balance.told_at is 'When the owner was told last. At most once an hour: prices that go and come back cross the threshold often.';

alter table event add column amount bigint;
comment on column event.amount is 'Of a low balance: the threshold.';
