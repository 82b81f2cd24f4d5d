-- The kinds of identifiers that two accounts share, which say that they may be one person's; empty without any.
create function shared_marks(p_user bigint, p_other bigint, p_now timestamptz) returns text[]
language sql stable as $$
  -- A buyer has few identifiers: each is looked up among the other's, who may have many.
  select coalesce(array_agg(distinct mine.kind order by mine.kind), '{}')
  from user_mark mine
  cross join lateral (
    select 1 from user_mark theirs
    where theirs.user_id = p_other and theirs.kind = mine.kind and theirs.hash = mine.hash
      and (theirs.expires_at is null or theirs.expires_at > p_now)
    offset 0) both_have
  where mine.user_id = p_user and (mine.expires_at is null or mine.expires_at > p_now);
$$;
