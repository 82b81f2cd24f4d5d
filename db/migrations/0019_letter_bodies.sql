-- Bodies of letters apart from what is known about them: written once, never changed, and dropped a partition at a time
-- when they are too old. What is known about a letter stays narrow, so that judging it rewrites a short row.

create table letter_raw (
  letter_id  bigint      not null,
  arrived_at timestamptz not null,
  raw        bytea       not null,
  primary key (letter_id, arrived_at)
) partition by range (arrived_at);
comment on table letter_raw is 'The bytes of a letter as they came, written before its sender is told 250. No foreign key: partitions are dropped whole.';

create table letter_body (
  letter_id   bigint      not null,
  arrived_at  timestamptz not null,
  html        text,
  text        text,
  code        text,
  link        text,
  attachments jsonb       not null default '[]',
  primary key (letter_id, arrived_at)
) partition by range (arrived_at);
comment on table letter_body is 'What is read of a letter that an order got: of the others nobody reads more than the headers. Written when it is judged.';
comment on column letter_body.html is 'As it came, with the pictures that it carries put in their places.';
comment on column letter_body.text is 'The letter as a person reads it: rendered from the HTML where there is some.';
comment on column letter_body.attachments is 'What was attached: [{name, type, size}], sizes in bytes. The files themselves are not kept apart.';

-- Fast and nearly as small as the default; a server that was built without it keeps the default.
do $$ begin
  alter table letter_raw alter column raw set compression lz4;
  alter table letter_body alter column html set compression lz4;
  alter table letter_body alter column text set compression lz4;
exception when feature_not_supported then null;
end $$;

-- Three days a partition: a month is few enough of them that a query over all costs next to nothing.
create function letter_partition_start(p_at timestamptz) returns timestamptz
language sql immutable parallel safe
return date_bin(interval '72 hours', p_at, timestamptz '2026-01-01 00:00:00Z');

create function add_letter_partitions(p_from timestamptz, p_until timestamptz) returns integer
language plpgsql as $$
declare
  v_table text; v_start timestamptz; v_name text; v_added integer := 0;
begin
  for v_table, v_start in
    select t, s from unnest(array['letter_raw', 'letter_body']) as t,
      generate_series(letter_partition_start(p_from), p_until, interval '72 hours') as s
  loop
    v_name := v_table || '_' || to_char(v_start at time zone 'UTC', 'YYYYMMDD');
    if to_regclass(v_name) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
                     v_name, v_table, v_start, v_start + interval '72 hours');
      v_added := v_added + 1;
    end if;
  end loop;
  return v_added;
end $$;

select add_letter_partitions(coalesce(min(arrived_at), clock_timestamp()), clock_timestamp() + interval '30 days') from letter;

insert into letter_raw (letter_id, arrived_at, raw) select id, arrived_at, raw from letter;
insert into letter_body (letter_id, arrived_at, html, text, code, link)
  select id, arrived_at, html, text, code, link from letter where is_given;

alter table letter
  drop column raw, drop column html, drop column text, drop column code, drop column link,
  add column is_to_postmaster boolean not null default false,
  add column remote inet,
  add column helo text not null default '';
comment on table letter is
  'What is known about each letter that was answered 250: written before the answer, and judged (parsed, matched, given to orders) right after it.';
comment on column letter.is_to_postmaster is 'It was for postmaster@ or abuse@ of one of our domains: operators read it, and no order.';
comment on column letter.remote is 'Who brought it; null for letters that did not come by SMTP.';
comment on column letter.helo is 'How who brought it greeted.';
