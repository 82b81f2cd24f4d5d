-- The catalogue: what is on sale (mail domains), and for which sites letters are told apart.

create type domain_kind as enum (
  'own',    -- its MX is our own reception
  'hosted'  -- its mailboxes lie on an IMAP server that the operator has registered
);

create table mail_domain (
  id        integer generated always as identity primary key,
  name      text        not null unique check (name = lower(name)),
  kind      domain_kind not null default 'own',
  price     bigint      not null check (price > 0),
  live      bigint      not null default 0 check (live >= 0),
  enabled   boolean     not null default true,
  imap_host text,
  imap_port integer     check (imap_port between 1 and 65535),
  imap_tls  text        check (imap_tls in ('implicit', 'starttls', 'none')),
  check ((imap_host is null) = (imap_port is null) and (imap_host is null) = (imap_tls is null))
) with (fillfactor = 60);
comment on table mail_domain is 'A mail domain on sale ("mail type" on the pages), with the price of one address.';
comment on column mail_domain.live is
  'How many of its mailboxes are not dead; changed in the transaction that adds, kills or revives them, so that availability is never counted.';

create table domain_group (
  name      text    not null check (name ~ '^[a-z0-9_-]{1,32}$'),
  domain_id integer not null references mail_domain (id) on delete cascade,
  primary key (name, domain_id)
);
comment on table domain_group is 'Names of the operator that stand for several mail domains; an order takes them like a domain.';

create table site (
  id      integer generated always as identity primary key,
  name    text    not null unique check (name = lower(name)),
  blocked boolean not null default false
);
comment on table site is 'A target site by its registrable domain. Made at its first order; orders and stock know it by its number.';
comment on column site.blocked is 'The operator does not serve this site: neither availability nor orders.';

create table site_alias (
  alias   text    primary key check (alias = lower(alias)),
  site_id integer not null references site (id) on delete cascade
);
comment on table site_alias is 'Other names under which a site may be asked for: short names, and domains that became another.';

create table site_sender (
  site_id integer not null references site (id) on delete cascade,
  domain  text    not null check (domain = lower(domain)),
  primary key (site_id, domain)
);
comment on table site_sender is 'Registrable domains that send letters for a site beside its own name.';

-- The site that takes a letter from any sender.
insert into site (name) values ('any');

-- The short names of the home page (spec B §2), and the sites that are known to write from another domain than their own.
insert into site (name) values
  ('google.com'), ('instagram.com'), ('discord.com'), ('zoom.us'), ('x.com'), ('reddit.com'), ('facebook.com'),
  ('telegram.org'), ('tiktok.com'), ('steampowered.com');

insert into site_alias (alias, site_id)
  select a.alias, s.id
  from (values
    ('google', 'google.com'), ('gmail.com', 'google.com'), ('youtube', 'google.com'), ('youtube.com', 'google.com'),
    ('instagram', 'instagram.com'), ('discord', 'discord.com'), ('discordapp.com', 'discord.com'),
    ('zoom', 'zoom.us'), ('zoom.com', 'zoom.us'),
    ('x', 'x.com'), ('twitter', 'x.com'), ('twitter.com', 'x.com'),
    ('reddit', 'reddit.com'), ('facebook', 'facebook.com'), ('fb.com', 'facebook.com'),
    ('telegram', 'telegram.org'), ('tiktok', 'tiktok.com'), ('steam', 'steampowered.com')
  ) as a (alias, name) join site s on s.name = a.name;

insert into site_sender (site_id, domain)
  select s.id, d.domain
  from (values
    ('google.com', 'youtube.com'), ('discord.com', 'discordapp.com'), ('x.com', 'twitter.com'),
    ('zoom.us', 'zoom.com'), ('reddit.com', 'redditmail.com'), ('facebook.com', 'facebookmail.com'),
    ('instagram.com', 'facebookmail.com'), ('tiktok.com', 'tiktokv.com')
  ) as d (name, domain) join site s on s.name = d.name;
