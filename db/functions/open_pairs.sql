-- Creates missing stock rows of pairs that are on sale. Locks: mail_domain (share), stock.
create function open_pairs(p_site integer[], p_domain integer[]) returns void
language plpgsql as $$
begin
  perform 1 from mail_domain where id = any (p_domain) order by id for share;
  insert into stock (site_id, domain_id)
    select distinct site.id, d.id
    from unnest(p_site, p_domain) as t (site_id, domain_id)
    join site on site.id = t.site_id and not site.blocked
    join mail_domain d on d.id = t.domain_id and d.enabled
      and (case when d.is_sandbox then d.id end) is not distinct from site.sandbox_domain_id
    order by site.id, d.id
    on conflict do nothing;
end $$;
