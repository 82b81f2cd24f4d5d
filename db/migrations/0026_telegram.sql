-- The Telegram bot: the links by which accounts are confirmed, and the chats that speak for one.

create table user_link (
  token_hash bytea       primary key,
  user_id    bigint      not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  used_by    bigint
);
comment on table user_link is
  'Links that a page has shown to confirm an account by the bot: each is good for one messaging account, and for some minutes.';
comment on column user_link.token_hash is 'Keyed hash; the link itself is known to who asked for it alone.';
comment on column user_link.used_by is
  'The messaging account that used it: whoever comes with it again is told so, and Telegram may tell us the same message twice.';
create index user_link_old on user_link (expires_at);

create table bot_chat (
  chat_id  bigint primary key,
  user_id  bigint unique references users (id) on delete set null,
  language text   not null
);
comment on table bot_chat is 'One row for each person who has written to the bot; a private chat has the number of the messaging account.';
comment on column bot_chat.user_id is
  'The account that this chat speaks for; null before it was confirmed and after it was unlinked. Who has confirmed an account stays in users.telegram_id.';
comment on column bot_chat.language is 'In which the bot writes: the one of the person''s Telegram until he chooses another.';
