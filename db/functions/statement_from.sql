-- Where an account's transfers of p_at and later begin: an id above all earlier ones. By halves, two index scans each: ids grow with the
-- time but for moments, and a transfer within such a moment counts to one side for ever, as what comes later changes no step.
create function statement_from(p_account bigint, p_at timestamptz) returns bigint
language plpgsql stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
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
    select id, at into v_id, v_at from (
      (select id, at from transfer where debit = p_account and debit >= 1000 and id >= v_mid order by id limit 1)
      union all
      (select id, at from transfer where credit = p_account and credit >= 1000 and id >= v_mid order by id limit 1)
    ) t order by id limit 1;
    if v_id is null or v_at >= p_at then
      v_to := v_mid;
    else
      v_from := v_id + 1;
    end if;
  end loop;
  return v_from;
end $$;
