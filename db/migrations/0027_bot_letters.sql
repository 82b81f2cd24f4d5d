-- Letters that the bot owes to chats.

alter table bot_chat
  add column told_up_to bigint not null default 0,
  add column blocked_at timestamptz;
comment on column bot_chat.told_up_to is 'The letters of all events of its user up to this id are owed, were sent, or came while nobody wanted them.';
comment on column bot_chat.blocked_at is 'Since when the person has blocked the bot: nothing is sent until he comes back.';

create table bot_letter (
  chat_id    bigint      not null references bot_chat (chat_id) on delete cascade,
  letter_id  bigint      not null,
  user_id    bigint      not null,
  order_id   bigint      not null,
  created_at timestamptz not null,
  due_at     timestamptz,
  tries      smallint    not null default 0,
  sent_at    timestamptz,
  failure    text,
  primary key (chat_id, letter_id)
);
comment on table bot_letter is 'A letter on its way to a chat, or there. A row is taken before it is sent and comes back only when certainly nothing was: no letter is told twice.';
comment on column bot_letter.due_at is 'When it is sent, or tried again. Null when there is nothing left to do, and while it is being sent.';
comment on column bot_letter.failure is 'What the last failed try said; with due_at null it was the last one.';
create index bot_letter_due on bot_letter (due_at) where due_at is not null;
create index bot_letter_old on bot_letter (created_at);
