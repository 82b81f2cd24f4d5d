-- safe from 0066: adds a table, and columns that may be missing.
-- A code that a stranger asked for voided the one that the owner had just got. Now those asked for from other networks live on.

alter table user_code
  add column network bytea,
  add column at_home boolean not null default false,
  add column link_hash bytea;
comment on table user_code is 'The newest code of a user for each purpose; a used one is deleted, with those before it (user_code_earlier).';
comment on column user_code.network is 'Keyed hash of the network address that asked for it; null for codes from before 0080.';
comment on column user_code.at_home is 'Whether the account was used from there: such a code is not pushed out by those of strangers.';
comment on column user_code.link_hash is 'Keyed hash of the letters in the link of the same mail.';

create table user_code_earlier (
  user_id    bigint       not null references users (id) on delete cascade,
  purpose    code_purpose not null,
  network    bytea        not null,
  at_home    boolean      not null,
  code_hash  bytea        not null,
  link_hash  bytea,
  expires_at timestamptz  not null,
  primary key (user_id, purpose, network)
);
comment on table user_code_earlier is 'Codes from before the newest, asked for from other networks: they live to their own end.';
create index user_code_earlier_end on user_code_earlier (expires_at);
