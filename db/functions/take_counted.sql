-- Takes the mailboxes of decided asks from anywhere in the stock (stock_take); answers the asks with them.
create function take_counted(p_asks batch_ask[], p_pairs batch_pair[]) returns batch_ask[]
language plpgsql as $$
declare
  pair      batch_pair;
  mailboxes bigint[];
  given     integer;
begin
  for i in 1 .. cardinality(p_pairs) loop
    pair := p_pairs[i];
    continue when pair.taken = 0;
    mailboxes := stock_take(pair.site_id, pair.domain_id, pair.taken);
    if cardinality(mailboxes) <> pair.taken then
      raise exception 'stock of site % and domain % is miscounted: % wanted, % there',
        pair.site_id, pair.domain_id, pair.taken, cardinality(mailboxes);
    end if;
    given := 0;
    for j in 1 .. cardinality(p_asks) loop
      if p_asks[j].code = 'ok' and p_asks[j].pair = i then
        given := given + 1;
        p_asks[j].mailbox_id := mailboxes[given];
      end if;
    end loop;
  end loop;
  return p_asks;
end $$;
