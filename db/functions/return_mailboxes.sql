-- Returns mailboxes to the stock; dead and blocked ones, and those off sale, are hidden, and were not counted as taken. The caller holds the stock rows.
create function return_mailboxes(p_first orders[], p_now timestamptz) returns void
language plpgsql as $$
#variable_conflict use_column
begin
  with back as (
    insert into returned (site_id, domain_id, lot_id, mailbox_id, at, hidden)
      select o.site_id, o.domain_id, m.lot_id, m.id, p_now,
             hidden_for(block.site_id is not null, m.dead, b.withdrawn_at is not null)
      from unnest(p_first) o
      join mailbox m on m.id = o.mailbox_id
      join lot l on l.id = m.lot_id
      join batch b on b.id = l.batch_id
      left join batch_block block on block.batch_id = l.batch_id and block.site_id = o.site_id
      returning site_id, domain_id, hidden
  )
  update stock s set taken = s.taken - t.count
    from (select site_id, domain_id, count(*) from back where hidden = 0 group by site_id, domain_id) t
    where s.site_id = t.site_id and s.domain_id = t.domain_id;
end $$;
