-- What a process that fetches letters has to do now: which hosted mailboxes are wanted is brought up to date, the leases of the
-- process are renewed, it is given new ones as far as hosts have room, and where others wait somebody is asked to leave.
-- Answers every lease of the process. A mailbox that it has a connection for and that is not answered is wanted no more.
--   p_lease  how long a lease holds without being renewed
--   p_stay   how long a connection stays with its mailbox at least
-- One process looks at a time. Locks: hosted_order, imap_mailbox, imap_host.
create function imap_look(p_worker text, p_lease interval, p_stay interval)
returns table (mailbox_id bigint, host_id integer, must_leave boolean, since timestamptz, clock_ms integer, looked_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  v_at timestamptz;
  v_wanted bigint[];
  v_workers integer;
  v_leaving integer := 0;
  h imap_host;
  v_permits double precision;
  v_open integer; v_mine integer; v_waiting integer; v_wanted_here integer; v_leave integer; v_count integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('imap look', 0));
  v_at := clock_timestamp();
  insert into imap_host (host, port)
    select distinct d.imap_host, d.imap_port from mail_domain d
    where d.kind = 'hosted' and d.imap_host is not null
      and not exists (select from imap_host i where i.host = d.imap_host and i.port = d.imap_port);
  -- A shop without such a host has nothing to do here, and one where nothing is wanted has to know only who would do it.
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

  -- 1. Who is wanted.
  delete from hosted_order t using orders o
    where o.id = t.order_id and o.status <> 'pending' and not (o.status = 'received' and o.expires_at > v_at);
  with wanted as (
    select t.mailbox_id, i.id as host_id, min(o.created_at) as since, bool_or(o.status = 'pending') as is_pending
    from hosted_order t
    join orders o on o.id = t.order_id
    join mailbox m on m.id = t.mailbox_id and not m.dead and m.secret is not null
    join mail_domain d on d.id = m.domain_id and d.kind = 'hosted'
    join imap_host i on i.host = d.imap_host and i.port = d.imap_port
    group by t.mailbox_id, i.id
  ), made as (
    -- Who is new goes before those who had a turn within the last minute, and behind those who have waited longer.
    insert into imap_mailbox as old (mailbox_id, host_id, since, is_pending, turn_at)
      select mailbox_id, host_id, since, is_pending, v_at - interval '1 minute' from wanted
      on conflict (mailbox_id) do update
        set host_id = excluded.host_id, since = excluded.since, is_pending = excluded.is_pending, ended_at = null,
            turn_at = case when old.since is null then excluded.turn_at else old.turn_at end,
            failures = case when old.since is null then 0 else old.failures end,
            refusals = case when old.since is null then 0 else old.refusals end,
            next_try_at = case when old.since is null then '-infinity' else old.next_try_at end
        where (old.host_id, old.since, old.is_pending) is distinct from (excluded.host_id, excluded.since, excluded.is_pending)
  )
  select coalesce(array_agg(mailbox_id), '{}') into v_wanted from wanted;
  update imap_mailbox set since = null, ended_at = v_at where since is not null and mailbox_id <> all (v_wanted);

  -- 2. What the process has already.
  update imap_mailbox set lease_until = v_at + p_lease where worker = p_worker and since is not null;

  -- 3. Each host: who gets a connection, and who is asked to leave.
  for h in select * from imap_host order by id loop
    select count(*) filter (where w.lease_until > v_at), count(*) filter (where w.lease_until > v_at and w.worker = p_worker),
           count(*) filter (where w.since is not null and w.lease_until > v_at is not true and w.next_try_at <= v_at),
           count(*) filter (where w.since is not null),
           count(*) filter (where w.must_leave and w.lease_until > v_at)
      into v_open, v_mine, v_waiting, v_wanted_here, v_leave
      from (
        select * from imap_mailbox where host_id = h.id and since is not null
        -- Whose connection is about to be closed: a lease is not renewed beyond the end.
        union all
        select * from imap_mailbox where host_id = h.id and since is null and ended_at > v_at - p_lease) w;
    continue when v_waiting = 0 or h.next_try_at > v_at;
    v_permits := least(greatest(1, h.logins_per_minute / 6.0),
                       h.permits + extract(epoch from v_at - h.permits_at) * h.logins_per_minute / 60.0);
    -- A host that could not be reached is tried by one.
    v_count := least(h.connections - v_open, floor(v_permits), v_waiting, case when h.failures > 0 then 1 else v_waiting end,
                     ceil(least(h.connections, v_wanted_here)::numeric / v_workers) - v_mine);
    if v_count > 0 then
      update imap_mailbox w set worker = p_worker, leased_at = v_at, lease_until = v_at + p_lease, must_leave = false
        where w.mailbox_id in (
          select n.mailbox_id from imap_mailbox n
          where n.host_id = h.id and n.since is not null and n.lease_until > v_at is not true and n.next_try_at <= v_at
          -- Who has had a letter waits a little for who has not.
          order by n.turn_at + case when n.is_pending then interval '0' else interval '30 seconds' end, n.mailbox_id
          limit v_count);
      v_permits := v_permits - v_count;
      v_waiting := v_waiting - v_count;
      v_open := v_open + v_count;
    end if;
    v_leave := least(floor(v_permits), v_waiting, case when v_open < h.connections or h.failures > 0 then 0 else h.connections end) - v_leave;
    if v_leave > 0 then
      update imap_mailbox w set must_leave = true
        where w.mailbox_id in (
          select n.mailbox_id from imap_mailbox n
          where n.host_id = h.id and n.lease_until > v_at and n.leased_at < v_at - p_stay and not n.must_leave
          order by n.leased_at, n.mailbox_id limit v_leave);
      get diagnostics v_count = row_count;
      v_leaving := v_leaving + v_count;
    end if;
    update imap_host set permits = v_permits, permits_at = v_at where id = h.id;
  end loop;
  if v_leaving > 0 then
    perform pg_notify('imap', '');
  end if;

  return query
    select w.mailbox_id, w.host_id, w.must_leave, w.since, i.clock_ms, v_at
    from imap_mailbox w join imap_host i on i.id = w.host_id
    where w.worker = p_worker and w.since is not null and w.lease_until > v_at;
end $$;
