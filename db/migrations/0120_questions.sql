-- safe from 0066: adds a table.
create table question (
  id          bigint      generated always as identity primary key,
  user_id     bigint      not null references users (id),
  order_id    bigint,
  payment_id  bigint,
  topic        text        not null,
  text        text        not null,
  asked_at    timestamptz not null default clock_timestamp(),
  answer      text,
  answered_at timestamptz,
  constraint question_about check (num_nonnulls(order_id, payment_id) = 1),
  constraint question_answered check ((answer is null) = (answered_at is null))
);
comment on table question is
  'What buyers ask about an order or a payment, and what the shop answers. Goes with the account; who answered stands in the journal.';
create index question_of_user on question (user_id, id);
create index question_open on question (id) where answered_at is null;
