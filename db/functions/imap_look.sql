-- Updates the wanted hosted mailboxes and the leases of a process; answers every lease. Close a connection whose mailbox is missing.
--   p_lease  how long a lease holds without being renewed
--   p_stay   how long a connection stays with its mailbox at least
-- One process at a time. Locks: hosted_order, imap_mailbox, imap_host.
create function imap_look(p_worker text, p_lease interval, p_stay interval)
returns table (mailbox_id bigint, host_id integer, must_leave boolean, since timestamptz, clock_ms integer, looked_at timestamptz,
  is_pending boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  v_at      timestamptz;
  v_workers integer;
  v_leaving integer := 0;
  h         imap_host;
begin
  perform pg_advisory_xact_lock(hashtextextended('imap look', 0));
  v_at := clock_timestamp();
  insert into imap_host (host, port)
    select distinct d.imap_host, d.imap_port from mail_domain d
    where d.kind = 'hosted' and d.imap_host is not null
      and not exists (select from imap_host i where i.host = d.imap_host and i.port = d.imap_port);
  -- Without a host there is nothing to do; without a wanted mailbox only the processes are counted.
  if not exists (select from imap_host) then
    return;
  end if;
  if not exists (select from imap_worker w where w.worker = p_worker and w.seen_at > v_at - p_lease / 3) then
    insert into imap_worker as old (worker, seen_at) values (p_worker, v_at)
      on conflict (worker) do update set seen_at = excluded.seen_at;
  end if;
  if not exists (select from hosted_order) and not exists (select from imap_mailbox w where w.since is not null) then
    return;
  end if;
  delete from imap_worker where seen_at < v_at - p_lease;
  select count(*) into v_workers from imap_worker;

  perform imap_want(v_at);
  update imap_mailbox set lease_until = v_at + p_lease where worker = p_worker and since is not null;
  for h in select * from imap_host order by id loop
    v_leaving := v_leaving + imap_lease(h, p_worker, v_workers, p_lease, p_stay, v_at);
  end loop;
  if v_leaving > 0 then
    perform pg_notify('imap', '');
  end if;

  return query
    select w.mailbox_id, w.host_id, w.must_leave, w.since, i.clock_ms, v_at, w.is_pending
    from imap_mailbox w join imap_host i on i.id = w.host_id
    where w.worker = p_worker and w.since is not null and w.lease_until > v_at;
end $$;
