-- The announcements of the home page.

create type news_importance as enum ('normal', 'important', 'critical');

create table news (
  id         bigint          primary key generated always as identity,
  priority   integer         not null default 100 check (priority >= 0),
  importance news_importance not null default 'normal',
  position   integer         not null,
  created_at timestamptz     not null
);
comment on table news is
  'One row for each announcement. The highest priority stands first; of one priority the least position does, which is the newest as long as nobody has moved one.';

create table news_translation (
  news_id  bigint not null references news (id) on delete cascade,
  language text   not null check (language in ('en', 'ru', 'es', 'zh', 'ar', 'hi')),
  title    text   not null,
  lines    text[] not null,
  day      date   not null,
  primary key (news_id, language)
);
comment on table news_translation is
  'What an announcement says in one language; in a language that it has not it says what it does in English.';
comment on column news_translation.lines is
  'As they were written, with HTML and [links](https://…): they are made safe each time they are read for somebody.';
