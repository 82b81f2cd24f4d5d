-- Links of buyers to partners: by shared identifiers, or because the partner is blocked or never confirmed the account. New ones
-- are saved as held, and a blocked partner's released one is held again. Null without links. Locks: partner_tie.
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
    from (select distinct s.buyer_id, s.user_id from unnest(p_shares) s where s.book not like 'investor%') t;
  if buyers is null then return null; end if;

  insert into partner_tie as old (user_id, partner_id, reasons, found_at)
    select t.user_id, t.partner_id, found.reasons, p_now
    from unnest(buyers, partners) as t (user_id, partner_id)
    join users partner on partner.id = t.partner_id
    cross join lateral (
      select nullif(shared_marks(t.user_id, t.partner_id, p_now)
        || case when partner.blocked_at is not null then '{blocked}' else '{}'::text[] end
        || case when partner.activated_at is null then '{inactive}' else '{}'::text[] end, '{}') as reasons
      offset 0) found
    where found.reasons is not null
    order by t.user_id, t.partner_id
    on conflict (user_id, partner_id) do update
      set state = 'held', decided_at = null, reasons = excluded.reasons, found_at = p_now,
          referrals = 0, referrals_count = 0, soft = 0, soft_count = 0
      where old.state = 'released' and 'blocked' = any (excluded.reasons);
  select array_agg(t::partner_tie) into ties
    from (select k.* from partner_tie k
          where (k.user_id, k.partner_id) in (select t.user_id, t.partner_id from unnest(buyers, partners) as t (user_id, partner_id))
          order by k.user_id, k.partner_id for no key update) t;
  return ties;
end $$;
