-- A stranger could use up the five tries of a code, and its owner's right one opened nothing. Tries are counted by who makes them.

create table user_code_try (
  user_id  bigint       not null references users (id) on delete cascade,
  purpose  code_purpose not null,
  network  bytea        not null,
  tries    smallint     not null default 0,
  asked_at timestamptz,
  ends_at  timestamptz  not null,
  primary key (user_id, purpose, network)
);
comment on table user_code_try is 'How often a network address tried the living code of a user; a new code begins anew. What all try together is bounded by limits.';
comment on column user_code_try.network is 'Keyed hash of the address, or of its /64.';
comment on column user_code_try.asked_at is 'When a code was last asked for from there: it is likely its owner''s.';
create index user_code_try_end on user_code_try (ends_at);

alter table user_code drop column tries_left;

-- The ids 1, 2 and 3 see the way to the stories: they are for administrators. Everybody else begins above them. Ids that were given stay.
do $$
begin
  execute format('alter table users alter column id restart with %s', (select greatest(coalesce(max(id), 0) + 1, 1001) from users));
end $$;
