-- Outcomes by mail domain in the 24 hours and the 7 days before p_at. The median is interpolated; null without a letter.
create function outcomes(p_site integer, p_at timestamptz) returns table (
  domain_id integer, day_orders bigint, day_received bigint, day_seconds real, week_orders bigint, week_received bigint, week_seconds real
)
language sql stable
set enable_seqscan = off
as $$
  with bounds as (
    -- Times beyond the last bound count as the last bound.
    select b.place - 1 as class, b.low, lead(b.low, 1, b.low) over (order by b.place) as high
    from unnest(0::real || outcome_bounds()) with ordinality as b (low, place)
  ), counted as (
    select o.domain_id, o.class, sum(o.count) filter (where o.since > p_at - interval '24 hours') as day, sum(o.count) as week
    from outcome o
    where o.site_id = p_site and o.since > p_at - interval '7 days'
    group by o.domain_id, o.class
  ), spans as (
    select c.domain_id, c.class, t.span, t.count
    from counted c cross join lateral (values ('day', c.day), ('week', c.week)) as t (span, count)
    where t.count > 0
  ), summed as (
    select c.*, sum(c.count) filter (where c.class >= 0) over (partition by c.domain_id, c.span order by c.class) as upto,
           sum(c.count) filter (where c.class >= 0) over (partition by c.domain_id, c.span) as received,
           sum(c.count) over (partition by c.domain_id, c.span) as orders
    from spans c
  ), median as (
    select distinct on (s.domain_id, s.span) s.domain_id, s.span, s.orders, coalesce(s.received, 0) as received,
           b.low + (b.high - b.low) * (s.received / 2.0 - (s.upto - s.count)) / s.count as seconds
    from summed s left join bounds b on b.class = s.class
    -- The class with the median; the only row where no letter came.
    where s.upto >= s.received / 2.0 or s.received is null
    order by s.domain_id, s.span, s.class
  )
  select m.domain_id,
         coalesce(sum(m.orders) filter (where m.span = 'day'), 0)::bigint, coalesce(sum(m.received) filter (where m.span = 'day'), 0)::bigint,
         max(m.seconds) filter (where m.span = 'day')::real,
         sum(m.orders) filter (where m.span = 'week')::bigint, sum(m.received) filter (where m.span = 'week')::bigint,
         max(m.seconds) filter (where m.span = 'week')::real
  from median m group by m.domain_id
$$;
