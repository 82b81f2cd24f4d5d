-- What was found when something outside of the shop was tried, so that the page of the first run can say it without trying again.

create table setup_check (
  what       text        not null check (what in ('dns', 'letter')),
  domain     text        not null,
  is_right   boolean     not null,
  checked_at timestamptz not null,
  primary key (what, domain)
);
comment on table setup_check is
  'The last look at the records of a domain (dns), and the last test letter to its postmaster (letter), by an administrator.';
