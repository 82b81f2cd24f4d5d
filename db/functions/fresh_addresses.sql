-- The addresses from the runs in use, in the order of the asks. Null when a run ends, or has a dead mailbox among them.
create function fresh_addresses(p_asks batch_ask[], p_pairs batch_pair[]) returns text[]
language plpgsql as $$
#variable_conflict use_column
declare
  addresses text[];
  ends      boolean;
  refused   boolean;
begin
  select array_agg(m.local_part || '@' || p_pairs[a.pair].domain order by a.place),
         bool_or(a.code = 'no emails' or a.code = 'ok' and m.dead is not false),
         bool_or(a.code in ('limit', 'token limit', 'no balance'))
    into addresses, ends, refused
    from unnest(p_asks) a left join mailbox m on m.id = a.mailbox_id;
  if ends then
    return null;
  end if;
  -- With a dead rest of a run, asks refused for another reason must be decided again.
  if refused and exists (
    select from unnest(p_asks) a
    join stock s on s.site_id = a.site_id and s.domain_id = a.domain_id
    join mail_domain d on d.id = a.domain_id
    where a.code in ('limit', 'token limit', 'no balance') and d.live - s.taken <= p_pairs[a.pair].taken) then
    return null;
  end if;
  return addresses;
end $$;
