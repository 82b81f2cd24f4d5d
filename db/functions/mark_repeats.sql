-- Marks asks with the key of an existing order ('repeat') or of this call ('again'). The caller holds the buyers' accounts.
create function mark_repeats(p_asks batch_ask[], p_buyers batch_buyer[], p_key text[]) returns batch_ask[]
language plpgsql as $$
declare
  ask       batch_ask;
  found_one record;
begin
  for found_one in
    select t.place, o.id, m.local_part || '@' || d.name as address, o.price, o.expires_at
    from (select a.place, p_buyers[a.buyer].user_id as user_id, p_key[a.place] as key,
                 row_number() over (partition by a.buyer, p_key[a.place] order by a.place) as turn
          from unnest(p_asks) a where p_key[a.place] is not null) t
    left join orders o on o.user_id = t.user_id and o.idempotency_key = t.key
    left join mailbox m on m.id = o.mailbox_id
    left join mail_domain d on d.id = o.domain_id
    where o.id is not null or t.turn > 1
  loop
    ask := p_asks[found_one.place];
    if found_one.id is not null then
      ask.code := 'repeat';
      ask.order_id := found_one.id;
      ask.address := found_one.address;
      ask.price := found_one.price;
      ask.expires_at := found_one.expires_at;
    else
      ask.code := coalesce(ask.code, 'again');
    end if;
    p_asks[found_one.place] := ask;
  end loop;
  return p_asks;
end $$;
