-- Locks the stock of pairs; answers a row for each, in their order, with the run in use. Locks: stock, in ascending order.
create function lock_pairs(p_site integer[], p_domain integer[], p_now timestamptz, p_ttl interval) returns batch_pair[]
language plpgsql as $$
declare
  pairs   batch_pair[];
  sites   integer[];
  domains integer[];
begin
  select array_agg(row(t.*)::batch_pair), array_agg(t.site_id), array_agg(t.domain_id)
    into pairs, sites, domains
    from (select s.site_id, s.domain_id, pair_refusal(site, d) as refusal, d.name as domain,
                 -- The row says it alone, unless the price depends on the site or the time.
                 case when d.asks_from <= p_now then price_of(s.site_id, d.id, p_now) else d.price end as price,
                 order_deadline(p_now, p_ttl, d.kind) as expires_at, d.kind = 'hosted' as is_hosted, site.name = 'any' as from_end,
                 s.next_id, s.end_id, s.end_id - s.next_id + 1 as available, 0 as taken
          from unnest(p_site, p_domain) as t (site_id, domain_id)
          join stock s on s.site_id = t.site_id and s.domain_id = t.domain_id
          join mail_domain d on d.id = s.domain_id
          join site on site.id = s.site_id
          order by s.site_id, s.domain_id for update of s) t;
  if sites = p_site and domains = p_domain then
    return pairs;
  end if;

  -- Only locked pairs: one that was opened since is still new here.
  return array(
    select row(t.site_id, t.domain_id, coalesce(pair_refusal(site, d), case when k.site_id is null then 'new pair' end),
               d.name, d.price, order_deadline(p_now, p_ttl, d.kind), d.kind = 'hosted',
               k.from_end, k.next_id, k.end_id, k.available, 0)::batch_pair
    from unnest(p_site, p_domain) with ordinality as t (site_id, domain_id, place)
    left join unnest(pairs) k on k.site_id = t.site_id and k.domain_id = t.domain_id
    left join mail_domain d on d.id = t.domain_id
    left join site on site.id = t.site_id
    order by t.place);
end $$;
