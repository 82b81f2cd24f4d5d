-- safe from 0066: adds columns and a table.
-- The key of a shop changes while it runs (docs/decisions/100).
alter table shop_key
  add column before bytea,
  add column changed_at timestamptz;
comment on column shop_key.before is 'The mark of the key before, until nothing that can be sealed anew is sealed with it. A start without that key is refused until then.';
comment on column shop_key.changed_at is 'When the key took the place of another one. Null: it is the first.';

alter table user_token add column key_id integer;
comment on column user_token.key_id is 'By which key the token is hashed: nobody but its program has it, so it is hashed anew when it comes. Null: by the key of before this column.';

alter table user_session add column key_id integer;
comment on column user_session.key_id is 'As of user_token: a session is hashed anew when its token comes.';

create table key_pass (
  name     text   primary key,
  last_id  bigint not null default 0,
  total    bigint not null,
  seen     bigint not null default 0,
  renewed  bigint not null default 0,
  lost     bigint not null default 0,
  ended_at timestamptz
);
comment on table key_pass is 'How far the secrets of each column are sealed anew with the key that took the place of another. Empty while no key changes.';
comment on column key_pass.renewed is 'What this pass found sealed with the key before; the key before is no longer needed after a pass that found nothing.';
comment on column key_pass.lost is 'What neither key opens: an earlier key was lost.';
