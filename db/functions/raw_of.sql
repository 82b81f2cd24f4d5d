-- The stored bytes of a letter, or a part of them, from 1 on, and how many there are. Callers read the letter first and join this: where
-- bytes and bodies lie on other servers than letters, a database can join them only so, and needs the values to plan. Locks: none.
create function raw_of(p_letter bigint, p_arrived_at timestamptz, p_from integer default 1, p_bytes integer default 2147483647)
returns table (raw bytea, bytes integer)
language plpgsql stable rows 1
set plan_cache_mode = auto
as $$
#variable_conflict use_column
begin
  return query select substring(r.raw from p_from for p_bytes), octet_length(r.raw)
    from letter_raw r where r.letter_id = p_letter and r.arrived_at = p_arrived_at;
end $$;
