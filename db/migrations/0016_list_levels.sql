-- A far page of a list of activations costs what the first costs: what has left the list is counted on two levels.

create table buyer_span (
  user_id bigint  not null,
  span    integer not null,
  gone    integer not null default 0,
  primary key (user_id, span)
) with (fillfactor = 60);
comment on table buyer_span is
  'The level above buyer_gap: for each 65,536 orders of a buyer (span = number / 65536), how many are gone from his list of activations. '
  'Ten million orders are 153 spans of at most 256 blocks each.';

insert into buyer_span (user_id, span, gone)
  select user_id, block / 256, sum(gone) from buyer_gap group by 1, 2;

comment on table buyer_gap is
  'For each 256 orders of a buyer (block = number / 256), how many are gone from his list of activations. '
  'A far page adds up spans, then the blocks of one span, and reads at most 255 rows too many; placing an order writes nothing here.';
