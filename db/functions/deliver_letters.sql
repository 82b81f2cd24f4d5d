-- Ties letters to orders. The first letter of an order earns its price: escrow -> revenue, less the shares, each rounded down
-- (the shop keeps the rest). Later letters, while the order lives, are only added. What a partner earns by a buyer who seems to be
-- himself goes to a book of its own, or nowhere when an operator has refused it. What an investor earns goes to a book of its own
-- unless a letter proves to be from the site (investor_share).
-- Answers each pair that was new, with its buyer and whether it was the order's first. Left out without an answer: orders that
-- are closed, or whose time was over when the letter arrived, and pairs that are there already.
-- Locks: orders, partner_tie, account, account_day, batch_earning, investor_share (new rows alone), outcome.
create function deliver_letters(p_letter bigint[], p_order bigint[], p_value text[], p_shard integer)
returns table (order_id bigint, letter_id bigint, user_id bigint, first boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_at timestamptz := clock_timestamp();
  v_total bigint; v_house bigint;
  -- pairs that are new
  d_order bigint[]; d_letter bigint[]; d_user bigint[];
  -- orders that get their first letter
  o_id bigint[];
  -- shares: who earns what, in which book, from which order of whom
  s_order bigint[]; s_buyer bigint[]; s_user bigint[]; s_book text[]; s_amount bigint[];
  -- buyers and partners who seem to be one person
  k_buyer bigint[]; k_partner bigint[]; k_state text[];
  -- orders whose letter is proved to be from the site
  v_proved bigint[];
begin
  -- 1. The orders, then what fits them still.
  perform 1 from orders o where o.id = any (p_order) and o.status in ('pending', 'received') order by o.id for update;
  with new as (
    insert into delivery (order_id, letter_id, value, delivered_at)
      select o.id, l.id, min(t.value), v_at
      from unnest(p_letter, p_order, p_value) as t (letter_id, order_id, value)
      join orders o on o.id = t.order_id and o.status in ('pending', 'received')
      join letter l on l.id = t.letter_id and l.arrived_at < o.expires_at
      group by o.id, l.id
      on conflict do nothing
      returning order_id, letter_id
  )
  select array_agg(new.order_id order by new.letter_id, new.order_id), array_agg(new.letter_id order by new.letter_id, new.order_id),
         array_agg(o.user_id order by new.letter_id, new.order_id)
    into d_order, d_letter, d_user
    from new join orders o on o.id = new.order_id;
  if d_order is null then return; end if;
  select array_agg(o.id), sum(o.price) into o_id, v_total from orders o where o.id = any (d_order) and o.status = 'pending';

  -- 2. The shares of those that are earned now. Nobody earns from his own order.
  select array_agg(t.order_id), array_agg(t.buyer), array_agg(t.user_id), array_agg(t.book), array_agg(t.amount)
    into s_order, s_buyer, s_user, s_book, s_amount
    from (
      select o.id as order_id, o.user_id as buyer, share.user_id, share.book, share.amount
      from orders o
      join users on users.id = o.user_id
      left join users program on program.id = o.soft_id
      join mailbox m on m.id = o.mailbox_id
      join lot l on l.id = m.lot_id
      join batch b on b.id = l.batch_id
      cross join lateral (values
        (users.referred_by, 'referrals', partner_share(o.price)),
        (program.id, 'soft', partner_share(o.price)),
        (b.investor_id, 'investor', o.price * b.share_ppm / 1000000)
      ) as share (user_id, book, amount)
      where o.id = any (o_id) and share.user_id <> o.user_id and share.amount > 0) t;
  if s_user is not null then
    select array_agg(k.user_id), array_agg(k.partner_id), array_agg(k.state) into k_buyer, k_partner, k_state
      from find_ties(s_buyer, s_user, s_book, v_at) k;
  end if;
  if k_buyer is not null then
    select array_agg(t.order_id), array_agg(t.buyer), array_agg(t.user_id),
           array_agg(case when k.state = 'held' then t.book || '.held' else t.book end), array_agg(t.amount)
      into s_order, s_buyer, s_user, s_book, s_amount
      from unnest(s_order, s_buyer, s_user, s_book, s_amount) as t (order_id, buyer, user_id, book, amount)
      left join unnest(k_buyer, k_partner, k_state) as k (buyer, partner, state)
        on k.buyer = t.buyer and k.partner = t.user_id and t.book <> 'investor'
      where k.state is distinct from 'refused';
    update partner_tie k
      set referrals = k.referrals + t.referrals, referrals_count = k.referrals_count + t.referrals_count,
          soft = k.soft + t.soft, soft_count = k.soft_count + t.soft_count
      from (select t.buyer, t.user_id,
                   coalesce(sum(t.amount) filter (where t.book = 'referrals.held'), 0)::bigint as referrals,
                   count(*) filter (where t.book = 'referrals.held') as referrals_count,
                   coalesce(sum(t.amount) filter (where t.book = 'soft.held'), 0)::bigint as soft,
                   count(*) filter (where t.book = 'soft.held') as soft_count
            from unnest(s_buyer, s_user, s_book, s_amount) as t (buyer, user_id, book, amount)
            where t.book like '%.held' group by t.buyer, t.user_id) t
      where k.user_id = t.buyer and k.partner_id = t.user_id;
  end if;
  if 'investor' = any (s_book) then
    -- Nearly all letters are delivered before they are authenticated: end_shares releases the share then.
    v_proved := array(select proved_orders(array(
      select t.order_id from unnest(s_order, s_book) as t (order_id, book) where t.book = 'investor')));
    select array_agg(case when t.book = 'investor' and t.order_id <> all (v_proved) then 'investor.held' else t.book end order by t.place)
      into s_book from unnest(s_order, s_book) with ordinality as t (order_id, book, place);
  end if;

  -- 3. Whose money and lists change.
  if s_user is not null then
    perform open_accounts(s_user, s_book);
  end if;
  -- Two look-ups: with "or" between them every account there is would be looked at.
  perform 1 from account a
    where a.id in (
      select b.id from account b where b.user_id = any (d_user) and b.book = 'balance'
      union all
      select b.id from unnest(s_user, s_book) as t (user_id, book) join account b on b.user_id = t.user_id and b.book = t.book)
    order by a.id for update;
  -- An order may get several letters at once, and waits for one alone.
  update buyer b set revision = b.revision + 1, waiting_count = b.waiting_count - t.count
    from (select user_id, count(distinct order_id) filter (where order_id = any (o_id))::integer
          from unnest(d_user, d_order) as d (user_id, order_id) group by user_id) t
    where b.user_id = t.user_id;

  -- 4. What is earned.
  if o_id is not null then
    update orders o set status = 'received', closed_at = v_at where o.id = any (o_id);
    insert into transfer (debit, credit, amount, order_id, at, kind)
      select 1, a.id, t.amount, t.order_id, v_at,
             case split_part(t.book, '.', 1) when 'referrals' then 'referral' when 'soft' then 'soft' else 'investor' end::transfer_kind
      from unnest(s_order, s_user, s_book, s_amount) as t (order_id, user_id, book, amount)
      join account a on a.user_id = t.user_id and a.book = t.book;
    insert into transfer (debit, credit, amount, order_id, at, kind)
      select 1, 2, o.price - coalesce(t.amount, 0), o.id, v_at, 'capture'
      from orders o
      left join (select t.order_id, sum(t.amount)::bigint as amount
                 from unnest(s_order, s_amount) as t (order_id, amount) group by t.order_id) t on t.order_id = o.id
      where o.id = any (o_id) and o.price > coalesce(t.amount, 0);
    update account a set balance = a.balance + t.amount
      from (select t.user_id, t.book, sum(t.amount)::bigint as amount
            from unnest(s_user, s_book, s_amount) as t (user_id, book, amount) group by t.user_id, t.book) t
      where a.user_id = t.user_id and a.book = t.book;
    v_house := v_total - coalesce((select sum(t.amount) from unnest(s_amount) as t (amount)), 0);
    insert into account_day as old (account_id, day, shard, credit, debit, count)
      select t.account_id, (v_at at time zone 'UTC')::date, t.shard, sum(t.credit), sum(t.debit), sum(t.count)
      from (
        select 1::bigint as account_id, p_shard as shard, 0::bigint as credit, v_total as debit, 0 as count
        union all select 2, p_shard, v_house, 0, cardinality(o_id)
        union all select a.id, 0, t.amount, 0, 1
          from unnest(s_user, s_book, s_amount) as t (user_id, book, amount)
          join account a on a.user_id = t.user_id and a.book = t.book) t
      group by t.account_id, t.shard order by t.account_id, t.shard
      on conflict (account_id, day, shard) do update
        set credit = old.credit + excluded.credit, debit = old.debit + excluded.debit, count = old.count + excluded.count;
    if v_proved is not null then
      with share as (
        insert into investor_share (order_id, batch_id, site_id, user_id, buyer_id, amount, earned_at, state, proved, due_at, decided_at)
          select t.order_id, l.batch_id, o.site_id, t.user_id, t.buyer, t.amount, v_at,
                 case t.book when 'investor' then 'released' else 'held' end, t.book = 'investor',
                 case t.book when 'investor' then null else v_at + interval '3 days' end, case t.book when 'investor' then v_at end
          from unnest(s_order, s_buyer, s_user, s_book, s_amount) as t (order_id, buyer, user_id, book, amount)
          join orders o on o.id = t.order_id join mailbox m on m.id = o.mailbox_id join lot l on l.id = m.lot_id
          where t.book in ('investor', 'investor.held')
          returning batch_id, amount, state
      )
      insert into batch_earning as old (batch_id, shard, amount, count, held, held_count)
        select s.batch_id, p_shard, coalesce(sum(s.amount) filter (where s.state = 'released'), 0),
               count(*) filter (where s.state = 'released'),
               coalesce(sum(s.amount) filter (where s.state = 'held'), 0), count(*) filter (where s.state = 'held')
        from share s group by s.batch_id order by s.batch_id
        on conflict (batch_id, shard) do update
          set amount = old.amount + excluded.amount, count = old.count + excluded.count,
              held = old.held + excluded.held, held_count = old.held_count + excluded.held_count;
    end if;
    perform count_outcomes(o_id, v_at, p_shard);
  end if;

  -- 5. The news. Those who earn are told as well; their revisions stay, because what they can spend is the same.
  perform log_events('letter', d_user, p_order => d_order, p_letter => d_letter);
  if o_id is not null then
    perform log_events('activation', array_agg(o.user_id order by o.id), p_order => array_agg(o.id order by o.id),
                       p_status => array_agg('received'::text))
      from orders o where o.id = any (o_id);
  end if;
  perform tell(d_user || s_user);

  return query
    select t.order_id, t.letter_id, t.user_id,
           t.order_id = any (coalesce(o_id, '{}'))
             and t.letter_id = (select min(e.letter_id) from unnest(d_order, d_letter) as e (order_id, letter_id) where e.order_id = t.order_id)
    from unnest(d_order, d_letter, d_user) as t (order_id, letter_id, user_id);
end $$;
