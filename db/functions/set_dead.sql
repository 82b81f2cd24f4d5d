-- Marks mailboxes dead or living; answers how many changed. Pending orders of dead ones expire; passwords of dead hosted ones are
-- wiped, unless p_wipe is false: then they may come back. Locks: mail_domain, stock (every row of the domains: each may sell one of them or counts it as taken).
create function set_dead(p_mailbox bigint[], p_dead boolean, p_wipe boolean default true) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_changed bigint[];
  v_on_sale bigint[];
  v_sign integer := case when p_dead then -1 else 1 end;
begin
  perform 1 from mail_domain where id in (select domain_id from mailbox where id = any (p_mailbox)) order by id for no key update;
  perform 1 from stock s where s.domain_id in (select distinct domain_id from mailbox where id = any (p_mailbox))
    order by s.site_id, s.domain_id for update;
  with changed as (
    update mailbox set dead = p_dead, secret = case when p_dead and p_wipe then null else secret end
      where id = any (p_mailbox) and dead <> p_dead returning id
  )
  select array_agg(id) into v_changed from changed;
  if v_changed is null then return 0; end if;

  v_on_sale := array(
    select m.id from mailbox m join lot l on l.id = m.lot_id join batch b on b.id = l.batch_id
    where m.id = any (v_changed) and b.withdrawn_at is null);
  update returned set hidden = case when p_dead then hidden | hidden_for(dead => true) else hidden & ~hidden_for(dead => true) end
    where mailbox_id = any (v_changed);
  -- Only living mailboxes on sale count as taken: those that a site has, and those of lots blocked for it.
  update stock s set taken = s.taken + v_sign * t.count
    from (
      select site_id, domain_id, count(*) from (
        select o.site_id, m.domain_id, m.id
          from mailbox m
          join orders o on o.mailbox_id = m.id and o.status in ('pending', 'received') and o.reorder_of is null
          where m.id = any (v_on_sale)
        union
        select b.site_id, m.domain_id, m.id
          from mailbox m join lot l on l.id = m.lot_id join batch_block b on b.batch_id = l.batch_id
          where m.id = any (v_on_sale)) used
      group by site_id, domain_id) t
    where s.site_id = t.site_id and s.domain_id = t.domain_id;
  update lot l set live = l.live + v_sign * t.count
    from (select lot_id, count(*) from mailbox where id = any (v_changed) group by lot_id) t where l.id = t.lot_id;
  update mail_domain d set live = d.live + v_sign * t.count
    from (select domain_id, count(*) from mailbox where id = any (v_on_sale) group by domain_id) t where d.id = t.domain_id;
  return cardinality(v_changed);
end $$;
