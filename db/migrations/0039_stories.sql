-- Stories: short announcements of slides, and the pictures on them.

create table story (
  id          bigint      primary key generated always as identity,
  position    integer     not null,
  is_critical boolean     not null,
  created_at  timestamptz not null
);
comment on table story is
  'One row for each story. The least position stands first, in every language; that is the newest as long as nobody has moved one.';
comment on column story.is_critical is 'Opens by itself for those who administer the shop.';

create table story_translation (
  story_id    bigint not null references story (id) on delete cascade,
  language    text   not null check (language in ('en', 'ru', 'es', 'zh', 'ar', 'hi')),
  title       text   not null,
  description text   not null,
  picture     text   not null,
  button_text text   not null,
  link        text   not null,
  slides      jsonb  not null,
  primary key (story_id, language)
);
comment on table story_translation is
  'What a story says in one language. Texts are plain ones; a picture is the name of one, empty for none.';
comment on column story_translation.slides is
  'A list in its order: title, description, text, picture (a name, or empty) and background (the name of a gradient).';

create table picture (
  name    text        primary key check (name ~ '^[0-9a-f]{32}$'),
  whole   bytea       not null,
  thumb   bytea       not null,
  width   integer     not null check (width > 0),
  height  integer     not null check (height > 0),
  used_at timestamptz not null
);
comment on table picture is
  'Pictures as they are served: WebP, drawn anew by us. The name is made of what was brought, so the same file is kept once.';
comment on column picture.thumb is 'The same, cut to the size of a thumbnail.';
comment on column picture.used_at is
  'When it was brought, or when a story that showed it was last written or deleted; one that no story shows is forgotten a day later.';
-- They are as small as they get: to pack them again is lost time.
alter table picture alter column whole set storage external, alter column thumb set storage external;

create table story_picture (
  story_id bigint not null,
  language text   not null,
  picture  text   not null references picture (name),
  primary key (story_id, language, picture),
  foreign key (story_id, language) references story_translation (story_id, language) on delete cascade
);
comment on table story_picture is 'Which pictures a story shows in a language, on itself and on its slides.';
create index story_picture_picture on story_picture (picture);

create table story_view (
  user_id   bigint      not null references users (id) on delete cascade,
  story_id  bigint      not null references story (id) on delete cascade,
  viewed_at timestamptz not null,
  primary key (user_id, story_id)
);
comment on table story_view is 'Who has viewed which story, since when.';
create index story_view_story on story_view (story_id);
