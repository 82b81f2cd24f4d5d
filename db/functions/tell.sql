-- Says on the channel 'changes' whose balance, lists, letters or payments changed: ids, separated by commas. It is heard by every
-- process when the transaction commits, and by nobody when it does not. A notification holds less than 8,000 bytes.
create function tell(p_user bigint[]) returns void
language plpgsql as $$
begin
  perform pg_notify('changes', string_agg(t.id::text, ','))
    from (select u.id, (row_number() over (order by u.id) - 1) / 390 as part
          from (select distinct u.id from unnest(p_user) as u (id)) u) t
    group by t.part;
end $$;
