-- What people with power over the shop did to money, users and stock.

create table audit_log (
  id     bigint      generated always as identity primary key,
  at     timestamptz not null default clock_timestamp(),
  by     text        not null,
  did    text        not null,
  about  text        not null,
  before jsonb,
  after  jsonb,
  reason text
);
comment on table audit_log is
  'Who did what to whom, when, and what changed by it; written in the transaction of the change itself. Only ever added to.';
comment on column audit_log.by is '"operator" for the command on the server, "user 17" for an administrator.';
comment on column audit_log.did is 'The act: "users credit", "stock add", "payments confirm" …';
comment on column audit_log.about is 'What it was done to: "user 17", "letters.test", "payment 30000000001".';
create index audit_log_about on audit_log (about, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name;
end $$;
create trigger audit_log_stands before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
