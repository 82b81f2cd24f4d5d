-- Which of these buyers and partners seem to be one person: those that were found before, and those that share a mark now, which are
-- written down as held. Shares of the book investor are no partner's. Locks: partner_tie, and keeps it for who moves the money.
create function find_ties(p_user bigint[], p_partner bigint[], p_book text[], p_at timestamptz)
returns table (user_id bigint, partner_id bigint, state text)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_user bigint[]; v_partner bigint[];
begin
  select array_agg(t.user_id order by t.user_id, t.partner_id), array_agg(t.partner_id order by t.user_id, t.partner_id)
    into v_user, v_partner
    from (select distinct t.user_id, t.partner_id from unnest(p_user, p_partner, p_book) as t (user_id, partner_id, book)
          where t.book <> 'investor') t;
  if v_user is null then return; end if;

  -- A buyer has few marks: each is looked up among the partner's, who may have many.
  insert into partner_tie (user_id, partner_id, reasons, found_at)
    select t.user_id, t.partner_id, shared.reasons, p_at
    from unnest(v_user, v_partner) as t (user_id, partner_id)
    cross join lateral (
      select array_agg(distinct mine.kind order by mine.kind) as reasons
      from user_mark mine
      cross join lateral (
        select 1 from user_mark theirs
        where theirs.user_id = t.partner_id and theirs.kind = mine.kind and theirs.hash = mine.hash
          and (theirs.expires_at is null or theirs.expires_at > p_at)
        offset 0) both_have
      where mine.user_id = t.user_id and (mine.expires_at is null or mine.expires_at > p_at)
      offset 0) shared
    where shared.reasons is not null
    order by t.user_id, t.partner_id
    on conflict do nothing;
  return query
    select k.user_id, k.partner_id, k.state from partner_tie k
    where (k.user_id, k.partner_id) in (select t.user_id, t.partner_id from unnest(v_user, v_partner) as t (user_id, partner_id))
    order by k.user_id, k.partner_id for no key update;
end $$;
