-- Links of buyers to partners by shared identifiers; new ones are saved as held. Null without links. Locks: partner_tie.
create function find_account_links(p_shares earned_share[], p_now timestamptz) returns partner_tie[]
language plpgsql as $$
#variable_conflict use_column
declare
  buyers   bigint[];
  partners bigint[];
  ties     partner_tie[];
begin
  select array_agg(t.buyer_id order by t.buyer_id, t.user_id), array_agg(t.user_id order by t.buyer_id, t.user_id)
    into buyers, partners
    from (select distinct s.buyer_id, s.user_id from unnest(p_shares) s where s.book <> 'investor') t;
  if buyers is null then return null; end if;

  -- A buyer has few identifiers: each is looked up among the partner's, who may have many.
  insert into partner_tie (user_id, partner_id, reasons, found_at)
    select t.user_id, t.partner_id, shared.reasons, p_now
    from unnest(buyers, partners) as t (user_id, partner_id)
    cross join lateral (
      select array_agg(distinct mine.kind order by mine.kind) as reasons
      from user_mark mine
      cross join lateral (
        select 1 from user_mark theirs
        where theirs.user_id = t.partner_id and theirs.kind = mine.kind and theirs.hash = mine.hash
          and (theirs.expires_at is null or theirs.expires_at > p_now)
        offset 0) both_have
      where mine.user_id = t.user_id and (mine.expires_at is null or mine.expires_at > p_now)
      offset 0) shared
    where shared.reasons is not null
    order by t.user_id, t.partner_id
    on conflict do nothing;
  select array_agg(t::partner_tie) into ties
    from (select k.* from partner_tie k
          where (k.user_id, k.partner_id) in (select t.user_id, t.partner_id from unnest(buyers, partners) as t (user_id, partner_id))
          order by k.user_id, k.partner_id for no key update) t;
  return ties;
end $$;
