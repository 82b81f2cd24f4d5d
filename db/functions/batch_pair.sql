-- A site and a mail domain that a call of place_orders wants, and how much of the pair's stock it takes.
create type batch_pair as (
  site_id    integer,
  domain_id  integer,
  refusal    text,        -- why nobody gets one: site, domain, new pair
  domain     text,
  price      bigint,
  expires_at timestamptz,
  is_hosted  boolean,
  from_end   boolean,     -- the run is walked from its end (stock_take says why)
  next_id    bigint,      -- the run of mailboxes in use, from here
  end_id     bigint,      -- to here
  available  bigint,      -- how many there are to take
  taken      integer
);
