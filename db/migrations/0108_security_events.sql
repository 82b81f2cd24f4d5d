-- safe from 0066: adds a table and columns without a default.
-- What concerned the security of accounts in the last ninety days, for their owners and for the operator.
create table security_event (
  id      bigint      primary key default (random() * 140737488355327)::bigint,
  at      timestamptz not null,
  call    text        not null,
  refused text,
  user_id bigint,
  by_id   bigint,
  network text,
  program text
);
comment on table security_event is 'Sign-ins, failures and changes: what the log says, kept for ninety days. Written after the call: a crash may lose the last.';
comment on column security_event.id is 'Random: counted ones would tell how many people sign in.';
comment on column security_event.call is 'The name of the call in the contract; readers skip those that they do not know.';
comment on column security_event.refused is 'The value of its refusal; null if it was done.';
comment on column security_event.user_id is 'The account that it is about; null where there is none.';
comment on column security_event.by_id is 'Who did it, where it was another account.';
comment on column security_event.network is 'As limits count it; null for the shop''s own network.';
create index security_event_user on security_event (user_id, at, id);
create index security_event_network on security_event (network, at);
create index security_event_old on security_event (at);

alter table users add column token_used_at timestamptz;
comment on column users.token_used_at is 'When the token of the account was last used; written every five minutes at most.';
alter table user_token add column used_at timestamptz;
comment on column user_token.used_at is 'The last use; written every five minutes at most.';
