-- safe from 0066: adds a table that an older release does not read.
-- Adjustments of money by people of the back office: for the limit of a day, and those beyond it that wait for a second person (docs/decisions/102).
create table adjustment (
  id         bigint      generated always as identity primary key,
  asked_by   bigint      not null references users (id),
  user_id    bigint      not null references users (id),
  book       text        not null,
  amount     bigint      not null,
  reason     text        not null,
  key        text        not null,
  state      text        not null,
  asked_at   timestamptz not null,
  decided_by bigint      references users (id),
  decided_at timestamptz,
  unique (asked_by, key),
  check ((state in ('made', 'waits')) = (decided_at is null))
);
comment on table adjustment is 'What a person of the back office changed of a balance or earnings, or asked to. The operator''s command is not among them.';
comment on column adjustment.key is 'Idempotency key of the change.';
comment on column adjustment.state is 'made: within the limits; waits: beyond them, until a second person decides or seven days have passed; approved, refused.';
create index adjustment_asked on adjustment (asked_by, asked_at) where state = 'made';
create index adjustment_waits on adjustment (asked_at) where state = 'waits';
