-- safe from 0056
-- How sure the shop is of the code of a letter, what else may be the code, and what buyers choose.
alter table letter_body add column code_confidence text, add column code_candidates jsonb;
comment on column letter_body.code_confidence is 'sure, likely or unsure; null without a code.';
comment on column letter_body.code_candidates is
  'What may be the code, the likeliest first: [{value, pattern}], the code itself among them. Null where the code is sure.';

alter table delivery add column chosen smallint;
comment on column delivery.chosen is 'Which of the candidates the buyer chose as the code, from 1 on.';

create table code_choice (
  site_id   integer     not null references site (id) on delete cascade,
  user_id   bigint      not null references users (id) on delete cascade,
  pattern   text        not null,
  chosen_at timestamptz not null,
  primary key (site_id, user_id)
);
comment on table code_choice is
  'The form and context of what a buyer last chose as the code in a letter of the site: nothing of the letter. Later letters prefer what several buyers chose.';
create index code_choice_newest on code_choice (site_id, chosen_at desc);
create index code_choice_old on code_choice (chosen_at);
