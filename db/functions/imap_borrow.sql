-- Reserves a connection for one check, if one is free and half of the logins remain; false: not now. Locks: imap_mailbox, imap_host.
create function imap_borrow(p_mailbox bigint, p_worker text, p_lease interval) returns boolean
language plpgsql as $$
declare
  v_at timestamptz;
  h imap_host;
  v_most double precision;
  v_permits double precision;
begin
  perform pg_advisory_xact_lock(hashtextextended('imap look', 0));
  v_at := clock_timestamp();
  select i.* into h from mailbox m
    join mail_domain d on d.id = m.domain_id and d.kind = 'hosted'
    join imap_host i on i.host = d.imap_host and i.port = d.imap_port
    where m.id = p_mailbox and m.secret is not null;
  if not found or h.next_try_at > v_at then
    return false;
  end if;
  if exists (select from imap_mailbox w where w.mailbox_id = p_mailbox and w.lease_until > v_at)
     or (select count(*) from imap_mailbox w where w.host_id = h.id and w.lease_until > v_at) >= h.connections then
    return false;
  end if;
  v_most := greatest(1, h.logins_per_minute / 6.0);
  v_permits := least(v_most, h.permits + extract(epoch from v_at - h.permits_at) * h.logins_per_minute / 60.0);
  if v_permits < least(v_most, 1 + v_most / 2) then
    return false;
  end if;
  update imap_host set permits = v_permits - 1, permits_at = v_at where id = h.id;
  -- No order wants it: counts as one about to end while it is lent.
  insert into imap_mailbox as old (mailbox_id, host_id, is_pending, turn_at, worker, leased_at, lease_until, ended_at)
    values (p_mailbox, h.id, false, v_at, p_worker, v_at, v_at + p_lease, v_at + p_lease)
    on conflict (mailbox_id) do update
      set worker = p_worker, leased_at = v_at, lease_until = v_at + p_lease,
          ended_at = case when old.since is null then v_at + p_lease end;
  return true;
end $$;
