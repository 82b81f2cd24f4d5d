-- Leases mailboxes of one host within its limits and the process's part; answers how many others were asked to leave.
create function imap_lease(h imap_host, p_worker text, p_workers integer, p_lease interval, p_stay interval, p_now timestamptz) returns integer
language plpgsql as $$
#variable_conflict use_column
declare
  allowed double precision; -- logins that the host allows now
  many    record;
  leased  integer;
  leave   integer;
begin
  select count(*) filter (where w.lease_until > p_now) as open,
         count(*) filter (where w.lease_until > p_now and w.worker = p_worker) as mine,
         count(*) filter (where w.since is not null and w.lease_until > p_now is not true and w.next_try_at <= p_now) as waiting,
         count(*) filter (where w.since is not null) as wanted,
         count(*) filter (where w.must_leave and w.lease_until > p_now) as leaving
    into many
    from (
      select * from imap_mailbox where host_id = h.id and since is not null
      -- Connections about to close: their leases are not renewed.
      union all
      select * from imap_mailbox where host_id = h.id and since is null and ended_at > p_now - p_lease) w;
  if many.waiting = 0 or h.next_try_at > p_now then
    return 0;
  end if;
  allowed := least(greatest(1, h.logins_per_minute / 6.0),
                   h.permits + extract(epoch from p_now - h.permits_at) * h.logins_per_minute / 60.0);

  -- A host that could not be reached is tried by one.
  leased := greatest(0, least(h.connections - many.open, floor(allowed), many.waiting,
                              case when h.failures > 0 then 1 else many.waiting end,
                              ceil(least(h.connections, many.wanted)::numeric / p_workers) - many.mine));
  update imap_mailbox w set worker = p_worker, leased_at = p_now, lease_until = p_now + p_lease, must_leave = false
    where w.mailbox_id in (
      select n.mailbox_id from imap_mailbox n
      where n.host_id = h.id and n.since is not null and n.lease_until > p_now is not true and n.next_try_at <= p_now
      -- A mailbox with a letter waits a little for those without.
      order by n.turn_at + case when n.is_pending then interval '0' else interval '30 seconds' end, n.mailbox_id
      limit leased);
  allowed := allowed - leased;

  leave := least(floor(allowed), many.waiting - leased,
                 case when many.open + leased < h.connections or h.failures > 0 then 0 else h.connections end) - many.leaving;
  update imap_mailbox w set must_leave = true
    where w.mailbox_id in (
      select n.mailbox_id from imap_mailbox n
      where n.host_id = h.id and n.lease_until > p_now and n.leased_at < p_now - p_stay and not n.must_leave
      order by n.leased_at, n.mailbox_id limit greatest(0, leave));
  get diagnostics leave = row_count;
  update imap_host i set permits = allowed, permits_at = p_now where i.id = h.id;
  return leave;
end $$;
