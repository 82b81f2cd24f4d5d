-- safe from 0066: adds a column without a default.
alter table payment add column credit_asked_at timestamptz;
comment on column payment.credit_asked_at is 'When the buyer asked for the credit of what came, though it is less than was asked. Null: it waits for the rest until its end.';
