-- Delivers letters to orders. The first one earns the price: escrow -> revenue, less the shares, each rounded down (the shop keeps
-- the rest). Held are the shares of partners linked to the buyer, of investors without a proved letter, and of partners of such
-- orders. Answers each new pair; leaves out closed orders, those over when the letter arrived, and repeats. Locks: orders,
-- partner_tie, account, account_day, batch_earning, investor_share (new rows alone), outcome.
create function deliver_letters(p_letter bigint[], p_order bigint[], p_value text[], p_shard integer)
returns table (order_id bigint, letter_id bigint, user_id bigint, first boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_now   timestamptz := clock_timestamp();
  given   given_letter[];
  buyers  bigint[];
  earned  bigint[]; -- orders that get their first letter
  shares  earned_share[];
  earners bigint[];
begin
  given := give_letters(p_letter, p_order, p_value, v_now);
  if given is null then return; end if;
  select array_agg(g.order_id order by g.order_id) filter (where g.is_first), array_agg(g.user_id)
    into earned, buyers from unnest(given) g;

  -- 1. The shares.
  if earned is not null then
    shares := shares_of(earned);
  end if;
  if shares is not null then
    shares := hold_tied_shares(hold_unproved_shares(shares, v_now), v_now);
    perform open_accounts(array_agg(s.user_id), array_agg(s.book)) from unnest(shares) s;
    earners := array(select s.user_id from unnest(shares) s);
  end if;

  -- 2. The accounts. Two look-ups: with "or" between them the planner would scan all accounts.
  perform 1 from account a
    where a.id in (
      select b.id from account b where b.user_id = any (buyers) and b.book = 'balance'
      union all
      select b.id from unnest(shares) s join account b on b.user_id = s.user_id and b.book = s.book)
    order by a.id for update;
  update buyer b set revision = b.revision + 1, waiting_count = b.waiting_count - t.count
    from (select g.user_id, (count(*) filter (where g.is_first))::integer as count from unnest(given) g group by g.user_id) t
    where b.user_id = t.user_id;

  -- 3. The money.
  if earned is not null then
    update orders o set status = 'received', closed_at = v_now where o.id = any (earned);
    perform pay_shares(earned, shares, v_now, p_shard);
    if shares is not null then
      perform note_investor_shares(shares, v_now, p_shard);
      perform note_waiting_shares(shares);
    end if;
    perform count_outcomes(earned, v_now, p_shard);
  end if;

  -- 4. The events. Earners get events too; their revisions stay, as their balance is the same.
  perform log_events('letter', buyers, p_order => array_agg(g.order_id), p_letter => array_agg(g.letter_id)) from unnest(given) g;
  perform log_events('activation', array_agg(g.user_id order by g.order_id), p_order => earned, p_status => array_agg('received'::text))
    from unnest(given) g where g.is_first;
  perform notify_changes(buyers || earners);

  return query select g.order_id, g.letter_id, g.user_id, g.is_first from unnest(given) g;
end $$;
