-- Letters that no order got, for the operator; and letters that grow old.

create table turned_away (
  letter_id  bigint      not null,
  site_id    integer     not null,
  domain     text        not null,
  is_signer  boolean     not null default false,
  arrived_at timestamptz not null,
  primary key (letter_id, site_id, domain)
);
comment on table turned_away is
  'Letters that no order got: from which domain, and for which site an order lived at the mailbox that takes no letters from it. '
  'Written when they are judged, gone when they are given after all, and after a day. What is another buyer''s is not noted (as in missed).';
comment on column turned_away.site_id is '0: no order lived at the mailbox.';
comment on column turned_away.domain is 'The registrable domain of the From address (empty when there is none), or one that signed the letter.';
comment on column turned_away.is_signer is 'The domain signed the letter and is not that of its From address: it may count for a site, and is no sender.';
-- Groups them for the operator, and finds what waits for a domain that becomes one of the site.
create index turned_away_from on turned_away (site_id, domain, arrived_at);

insert into turned_away (letter_id, site_id, domain, arrived_at)
  select distinct l.id, o.site_id, coalesce(l.sender_domain, ''), l.arrived_at
  from letter l join missed m on m.letter_id = l.id and m.reason = 'sender' join orders o on o.id = m.order_id
  where not l.is_given and l.judged_at is not null and l.arrived_at > clock_timestamp() - interval '24 hours';

alter table site_sender add column added_at timestamptz not null default clock_timestamp();
comment on column site_sender.added_at is 'What waited for this domain is delivered by who added it; a minute later by whoever finds that some is left.';

-- What is forgotten after a day, and what is kept as long as bodies are.
drop index letter_not_given;
create index letter_not_given on letter (arrived_at) where not is_given and not is_to_postmaster;
create index letter_postmaster on letter (arrived_at) where is_to_postmaster;

-- Finds what patterns found in letters that have become too old.
create index delivery_value on delivery (delivered_at) where value is not null;

create view letter_partition as
  select parent.relname::text as parent, child.relname::text as name,
         substring(bound.text from 'FROM \(''([^'']+)''\)')::timestamptz as starts_at,
         substring(bound.text from 'TO \(''([^'']+)''\)')::timestamptz as ends_at,
         i.inhdetachpending as is_leaving
  from pg_inherits i
  join pg_class parent on parent.oid = i.inhparent
  join pg_class child on child.oid = i.inhrelid
  cross join lateral (select pg_get_expr(child.relpartbound, child.oid) as text) bound
  where i.inhparent in ('letter_raw'::regclass, 'letter_body'::regclass);
comment on view letter_partition is 'The partitions of letter_raw and letter_body, and those of them that are being detached.';

create table letters_kept (
  only_row boolean     primary key default true check (only_row),
  since    timestamptz not null default '-infinity'
);
insert into letters_kept default values;
comment on table letters_kept is 'Bodies of letters from before this time are gone, or going; of every later letter that an order got there is one.';

-- Each look-up by letter opens every partition there is, so they are few: a fifth of the time for which letters are kept
-- each. What is empty is made again when it is needed, in that size.
do $$
declare
  v_name text; v_empty boolean;
begin
  for v_name in select name from letter_partition where starts_at > clock_timestamp() + interval '1 day' loop
    execute format('select not exists (select from %I)', v_name) into v_empty;
    if v_empty then execute format('drop table %I', v_name); end if;
  end loop;
end $$;
drop function add_letter_partitions;
drop function letter_partition_start;
