-- safe from 0066: adds a table alone.
create table skipped_domain (
  user_id    bigint      not null,
  site_id    integer     not null references site (id),
  domain_id  integer     not null references mail_domain (id),
  expires_at timestamptz not null,
  primary key (user_id, site_id, domain_id)
);
create index skipped_domain_expires on skipped_domain (expires_at);
comment on table skipped_domain is
  'Mail domains that a buyer''s orders for a site pass over where they name several, until expires_at.';
