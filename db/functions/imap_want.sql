-- Updates the wanted hosted mailboxes: of waiting orders, and of received ones that still live. A refused one is out of sale, and
-- keeps its password and its order. Locks: hosted_order, imap_mailbox.
create function imap_want(p_now timestamptz) returns void
language plpgsql as $$
#variable_conflict use_column
declare
  wanted_ids bigint[];
begin
  delete from hosted_order t using orders o
    where o.id = t.order_id and o.status <> 'pending' and not (o.status = 'received' and o.expires_at > p_now);
  with wanted as (
    select t.mailbox_id, i.id as host_id, min(o.created_at) as since, bool_or(o.status = 'pending') as is_pending
    from hosted_order t
    join orders o on o.id = t.order_id
    join mailbox m on m.id = t.mailbox_id and m.secret is not null
    join mail_domain d on d.id = m.domain_id and d.kind = 'hosted'
    join imap_host i on i.host = d.imap_host and i.port = d.imap_port
    group by t.mailbox_id, i.id
  ), made as (
    -- A new one goes before those with a turn in the last minute, and behind those who waited longer.
    insert into imap_mailbox as old (mailbox_id, host_id, since, is_pending, turn_at)
      select mailbox_id, host_id, since, is_pending, p_now - interval '1 minute' from wanted
      on conflict (mailbox_id) do update
        set host_id = excluded.host_id, since = excluded.since, is_pending = excluded.is_pending, ended_at = null,
            turn_at = case when old.since is null then excluded.turn_at else old.turn_at end,
            failures = case when old.since is null then 0 else old.failures end,
            refusals = case when old.since is null then 0 else old.refusals end,
            next_try_at = case when old.since is null then '-infinity' else old.next_try_at end
        where (old.host_id, old.since, old.is_pending) is distinct from (excluded.host_id, excluded.since, excluded.is_pending)
  )
  select coalesce(array_agg(mailbox_id), '{}') into wanted_ids from wanted;
  update imap_mailbox set since = null, ended_at = p_now where since is not null and mailbox_id <> all (wanted_ids);
end $$;
