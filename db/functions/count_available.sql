-- Counts the mailboxes left for each pair. live and taken agree: the caller holds the pairs' rows, without which neither changes.
create function count_available(p_pairs batch_pair[]) returns batch_pair[]
language plpgsql as $$
begin
  for i in 1 .. cardinality(p_pairs) loop
    p_pairs[i].available := coalesce((
      select d.live - s.taken
      from stock s join mail_domain d on d.id = s.domain_id
      where s.site_id = p_pairs[i].site_id and s.domain_id = p_pairs[i].domain_id), 0);
  end loop;
  return p_pairs;
end $$;
