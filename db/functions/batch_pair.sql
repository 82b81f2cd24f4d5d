-- A pair of site and mail domain in a call of place_orders, and the stock that it takes.
create type batch_pair as (
  site_id    integer,
  domain_id  integer,
  refusal    text,        -- site, domain or new pair, for every buyer
  domain     text,
  price      bigint,
  expires_at timestamptz,
  is_hosted  boolean,
  from_end   boolean,     -- the run is walked from its end (see stock_take)
  next_id    bigint,      -- the run of mailboxes in use, from here
  end_id     bigint,      -- to here
  available  bigint,
  taken      integer
);
