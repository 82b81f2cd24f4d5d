-- safe from 0066: adds a table, and a column that may be null.
-- Prices have a time, and may be those of one site alone (docs/decisions/115).
create table price (
  id        bigint      generated always as identity primary key,
  change_id bigint      not null,
  domain_id integer     not null references mail_domain (id),
  site_id   integer     references site (id),
  price     bigint      check (price > 0),
  from_at   timestamptz not null,
  made_at   timestamptz not null,
  made_by   text,
  reason    text,
  key       text,
  undone_at timestamptz
);
comment on table price is
  'Changes of prices, only ever added to. Of a site and a mail domain that price applies which began last; of two that begin together, the one with the higher id. A price of the site goes before that of all sites.';
comment on column price.change_id is 'What was changed together.';
comment on column price.site_id is 'Null: all sites without a price of their own.';
comment on column price.price is 'Null: the site has no price of its own from then on.';
comment on column price.from_at is '-infinity: the price before the first change.';
comment on column price.made_by is 'As in the journal. Null: the price before the first change, or one that a release wrote which does not know this table.';
comment on column price.key is 'Idempotency key of the change.';
comment on column price.undone_at is 'When it was taken back before its moment: it never applies.';
create index price_of_pair on price (domain_id, site_id, from_at, id);
create index price_change on price (change_id);
create index price_key on price (made_by, key) where key is not null;

alter table mail_domain add column asks_from timestamptz;
comment on column mail_domain.asks_from is
  'From this moment on the price depends on the site or the time, and is looked up in the table price (price_of); null: never. Before it the column price says it for every site.';

-- A release that does not know the table writes the column alone: that is a change as any.
create function note_price() returns trigger language plpgsql as $$
begin
  insert into price (change_id, domain_id, price, from_at, made_at)
    select nextval('price_id_seq'), new.id, new.price, clock_timestamp(), clock_timestamp()
    from (select p.price from price p
          where p.domain_id = new.id and p.site_id is null and p.undone_at is null and p.from_at <= clock_timestamp()
          order by p.from_at desc, p.id desc limit 1) last
    where last.price <> new.price;
  return null;
end $$;
create trigger mail_domain_price after update of price on mail_domain
  for each row when (new.price is distinct from old.price) execute function note_price();
