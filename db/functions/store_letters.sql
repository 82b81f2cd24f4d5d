-- Stores letters; answers ids in their order. p_raw holds them joined, as the driver would escape an array; p_stored: where each
-- ends; p_sizes: lengths before packing; p_positions (from 1): the letter of each mailbox. Arrival: now less p_waited_ms, or
-- p_arrived_at (or null), by the database's clock. With p_id (ids reserved before) they are stored as matched: p_given, sender, domain,
-- subject. Locks: none but its own new rows.
create function store_letters(
  p_raw bytea, p_stored integer[], p_sizes integer[], p_mail_from text[], p_remote inet[], p_helo text[], p_postmaster boolean[],
  p_arrived_at timestamptz[], p_waited_ms integer[], p_positions integer[], p_mailboxes bigint[],
  p_id bigint[] default null, p_given boolean[] default null, p_sender text[] default null, p_sender_domain text[] default null,
  p_subject text[] default null, p_authenticate boolean default false
) returns table (id bigint, arrived_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  ids    bigint[] := p_id;
  stamp  timestamptz := clock_timestamp();
  came   timestamptz[];
begin
  select array_agg(coalesce(p_arrived_at[n], stamp - coalesce(p_waited_ms[n], 0) * interval '1 millisecond') order by n) into came
    from generate_subscripts(p_sizes, 1) as n;
  -- Ids are taken first: "insert … returning" promises no order.
  if ids is null then
    select array_agg(nextval('letter_id_seq')) into ids from generate_subscripts(p_sizes, 1);
  end if;

  insert into letter (
    id, arrived_at, size_bytes, mail_from, remote, helo, is_to_postmaster, judged_at, is_given, sender, sender_domain, subject,
    authentication_due_at) overriding system value
  select ids[n], came[n], p_sizes[n], p_mail_from[n], p_remote[n], p_helo[n], p_postmaster[n],
    case when p_id is not null then stamp end, coalesce(p_given[n], false), p_sender[n], p_sender_domain[n], p_subject[n],
    case when p_authenticate then stamp end
  from generate_subscripts(p_sizes, 1) as n;

  insert into letter_raw (letter_id, arrived_at, raw)
  select ids[l.n], came[l.n], substring(p_raw from l.last - l.size + 1 for l.size)
  from (
    select s.size, s.n::integer as n, (sum(s.size) over (order by s.n))::integer as last
    from unnest(p_stored) with ordinality as s (size, n)
  ) l;

  insert into recipient (letter_id, mailbox_id)
  select ids[r.position], r.mailbox_id
  from unnest(p_positions, p_mailboxes) as r (position, mailbox_id)
  on conflict do nothing;

  return query select i.id, came[i.n] from unnest(ids) with ordinality as i (id, n) order by i.n;
end $$;
