-- How orders ended, counted by the hour: whether a letter came for a site at a mail domain, and how soon.

create table outcome (
  site_id   integer     not null,
  since     timestamptz not null,
  domain_id integer     not null,
  class     smallint    not null,
  shard     smallint    not null,
  count     integer     not null,
  primary key (site_id, since, domain_id, class, shard)
) with (fillfactor = 70);
comment on table outcome is
  'How many orders of a (site, domain) ended in an hour, by how long the first letter took. Added to in the transaction that ends them. '
  'An order that its buyer canceled within a minute says nothing about delivery and is not counted.';
comment on column outcome.since is
  'When the hour began (UTC); after a day the hours are folded into quarters of a day, and forgotten after eight days.';
comment on column outcome.class is 'Between which two of outcome_bounds() the seconds to the first letter were; -1: no letter came.';
comment on column outcome.shard is
  'Batches running side by side add to different rows, so that they need not wait for one another; 0 once folded.';
-- Finds what is to be folded and forgotten.
create index outcome_since on outcome (since);
