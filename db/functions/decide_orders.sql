-- Decides who gets an order, in the order of arrival: an ask with a code is answered already, each other takes from what the later
-- ones can get. Reads from the database only the limits of free and of open orders, when they are met.
create function decide_orders(inout asks batch_ask[], inout buyers batch_buyer[], inout pairs batch_pair[], inout tokens batch_token[],
  p_open integer default null)
language plpgsql as $$
declare
  ask batch_ask; buyer batch_buyer; pair batch_pair; token batch_token;
begin
  for i in 1 .. cardinality(asks) loop
    ask := asks[i];
    continue when ask.code is not null;
    buyer := buyers[ask.buyer];
    pair := pairs[ask.pair];
    token := tokens[ask.token];
    if ask.price = 0 and buyer.free_left is null then
      buyer.free_left := sandbox_orders_left(buyer.user_id);
    end if;
    if ask.price > 0 and buyer.open_left <= 0 then
      buyer.open_left := open_orders_left(buyer.user_id, p_open, buyer.placed);
    end if;
    ask.code := case
      when pair.taken >= pair.available then 'no emails'
      when ask.price = 0 and buyer.free_left <= 0 then 'limit'
      when ask.price > 0 and buyer.open_left <= 0 then 'too many open'
      when ask.token is not null and token.user_id is distinct from buyer.user_id then 'token'
      when ask.price > ask.price_max then 'price too high'
      when ask.price > token.price_max or ask.price > token.budget - token.spent then 'token limit'
      when ask.price > buyer.balance - buyer.spent then 'no balance'
      else 'ok' end;
    if ask.code = 'ok' then
      ask.order_id := nextval('orders_id_seq');
      buyer.placed := buyer.placed + 1;
      buyer.spent := buyer.spent + ask.price;
      if ask.price = 0 then
        buyer.free_left := buyer.free_left - 1;
      end if;
      buyer.open_left := buyer.open_left - 1;
      ask.nth := buyer.placed;
      buyers[ask.buyer] := buyer;
      if ask.pair is not null then
        ask.mailbox_id := case when pair.from_end then pair.end_id - pair.taken else pair.next_id + pair.taken end;
        pair.taken := pair.taken + 1;
        pairs[ask.pair] := pair;
      end if;
      if ask.token is not null then
        token.spent := token.spent + ask.price;
        tokens[ask.token] := token;
      end if;
    end if;
    asks[i] := ask;
  end loop;
end $$;
