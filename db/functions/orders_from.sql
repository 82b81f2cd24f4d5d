-- An id that all orders of p_at and later are above, and few others: ids grow with the time but for moments. By halves, for the back
-- office, which has no index of times.
create function orders_from(p_at timestamptz) returns bigint
language plpgsql stable
set enable_seqscan = off
as $$
declare
  v_from bigint := 0;
  v_to   bigint := 4611686018427387904; -- Above all ids.
  v_mid  bigint;
  v_id   bigint;
  v_at   timestamptz;
begin
  while v_from < v_to loop
    v_mid := v_from + (v_to - v_from) / 2;
    select id, created_at into v_id, v_at from orders where id >= v_mid order by id limit 1;
    if v_id is null or v_at >= p_at then
      v_to := v_mid;
    else
      v_from := v_id + 1;
    end if;
  end loop;
  return v_from - 10000; -- The moments.
end $$;
