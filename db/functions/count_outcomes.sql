-- Counts orders that ended just now, without cancels within a minute, which say nothing about delivery, and sandbox orders (price 0).
-- The time is that of the letter's arrival, however late it was matched. Locks: outcome.
create function count_outcomes(p_order bigint[], p_at timestamptz, p_shard integer) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  insert into outcome as old (site_id, since, domain_id, class, shard, count)
    select o.site_id, date_trunc('hour', p_at, 'UTC'), o.domain_id,
           case when o.status = 'received' then width_bucket(
             (select extract(epoch from min(l.arrived_at) - o.created_at)::real
              from delivery d join letter l on l.id = d.letter_id where d.order_id = o.id), outcome_bounds())
           else -1 end as class,
           p_shard % 8, count(*)
    from orders o
    where o.id = any (p_order) and o.price > 0 and (o.status <> 'canceled' or p_at - o.created_at >= interval '1 minute')
    group by o.site_id, o.domain_id, class
    order by o.site_id, o.domain_id, class
    on conflict (site_id, since, domain_id, class, shard) do update set count = old.count + excluded.count;
end $$;
