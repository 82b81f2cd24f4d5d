-- Merges the shards of an ended hour, and hours older than a day into quarters of a day. Run one at a time.
create function fold_outcomes(p_at timestamptz) returns void
language plpgsql as $$
begin
  delete from outcome where since < p_at - interval '15 days';
  with gone as (
    delete from outcome
      where since <= p_at - interval '2 hours'
        and (shard <> 0 or since <= p_at - interval '24 hours' and since <> date_bin('6 hours', since, '2000-01-01 00:00Z'))
      returning *
  )
  insert into outcome as old (site_id, since, domain_id, class, shard, count)
    select g.site_id, t.since, g.domain_id, g.class, 0, sum(g.count)
    from gone g
    cross join lateral (values (
      case when g.since <= p_at - interval '24 hours' then date_bin('6 hours', g.since, '2000-01-01 00:00Z') else g.since end)) as t (since)
    group by g.site_id, t.since, g.domain_id, g.class
    order by g.site_id, t.since, g.domain_id, g.class
    on conflict (site_id, since, domain_id, class, shard) do update set count = old.count + excluded.count;
end $$;
