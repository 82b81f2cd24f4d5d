-- Forgets outcomes that no answer counts any more, and folds the hours that are over for a day into quarters of a day, so that a
-- week is read from few rows. Only one at a time may run; it touches no hour that is still counted into.
create function fold_outcomes(p_at timestamptz) returns void
language plpgsql as $$
begin
  delete from outcome where since < p_at - interval '8 days';
  with gone as (
    delete from outcome
      where since <= p_at - interval '24 hours' and (shard <> 0 or since <> date_bin('6 hours', since, '2000-01-01 00:00Z'))
      returning *
  )
  insert into outcome as old (site_id, since, domain_id, class, shard, count)
    select g.site_id, date_bin('6 hours', g.since, '2000-01-01 00:00Z'), g.domain_id, g.class, 0, sum(g.count)
    from gone g
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (site_id, since, domain_id, class, shard) do update set count = old.count + excluded.count;
end $$;
