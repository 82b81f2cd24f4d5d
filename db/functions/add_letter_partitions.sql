-- Creates missing letter partitions, p_days days each; answers how many. Each is created apart and then attached, which blocks no
-- reader or writer. Locks: letter_raw and letter_body, share update exclusive, when one is missing.
create function add_letter_partitions(p_from timestamptz, p_until timestamptz, p_days integer) returns integer
language plpgsql
set lock_timeout = '5s'
as $$
declare
  v_span  interval := make_interval(days => p_days);
  v_table text; v_name text; v_at timestamptz; v_end timestamptz; v_start timestamptz;
  v_added integer := 0;
begin
  foreach v_table in array array['letter_raw', 'letter_body'] loop
    v_at := p_from;
    while v_at <= p_until loop
      select p.ends_at into v_end from letter_partition p where p.parent = v_table and p.starts_at <= v_at and p.ends_at > v_at;
      if not found then
        -- Serializes processes that miss the same one.
        perform pg_advisory_xact_lock(hashtextextended('letter partitions', 0));
        select p.ends_at into v_end from letter_partition p where p.parent = v_table and p.starts_at <= v_at and p.ends_at > v_at;
      end if;
      if v_end is null then
        v_start := date_bin(v_span, v_at, timestamptz '2026-01-01 00:00:00Z');
        v_end := v_start + v_span;
        select greatest(v_start, max(p.ends_at) filter (where p.ends_at <= v_at)),
               least(v_end, min(p.starts_at) filter (where p.starts_at > v_at))
          into v_start, v_end
          from letter_partition p where p.parent = v_table;
        v_name := v_table || to_char(v_start at time zone 'UTC', '_YYYYMMDD');
        execute format('create table %I (like %I including all)', v_name, v_table);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', v_table, v_name, v_start, v_end);
        v_added := v_added + 1;
      end if;
      v_at := v_end;
    end loop;
  end loop;
  return v_added;
end $$;
