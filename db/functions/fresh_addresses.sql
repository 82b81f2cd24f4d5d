-- The addresses of asks that were decided by the rests of the runs in use, in the order of the asks. Null when those do not suffice: one
-- ends, or has a dead mailbox among those to be sold.
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
  -- Who was refused for another reason hears that there is none when the rest of a run is dead.
  if refused and exists (
    select from unnest(p_asks) a
    join stock s on s.site_id = a.site_id and s.domain_id = a.domain_id
    join mail_domain d on d.id = a.domain_id
    where a.code in ('limit', 'token limit', 'no balance') and d.live - s.taken <= p_pairs[a.pair].taken) then
    return null;
  end if;
  return addresses;
end $$;
