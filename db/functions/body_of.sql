-- The body of a letter, if it is still there; see raw_of. Locks: none.
create function body_of(p_letter bigint, p_arrived_at timestamptz) returns setof letter_body
language plpgsql stable rows 1
set plan_cache_mode = auto
as $$
begin
  return query select * from letter_body b where b.letter_id = p_letter and b.arrived_at = p_arrived_at;
end $$;
