-- Takes the batches of an investor off sale who is blocked or no investor any more, and puts back those that were taken off for that.
-- Answers the batches whose sale changed. The caller has locked the user. Locks: as set_withdrawn.
create function follow_owner(p_user bigint) returns setof integer
language plpgsql as $$
declare
  v_may_sell boolean;
  v_batch    integer;
begin
  select is_investor and blocked_at is null into strict v_may_sell from users where id = p_user;
  for v_batch in
    select i.batch_id from investor_batch i join batch b on b.id = i.batch_id
    where i.user_id = p_user and i.state = 'active'
      and case when v_may_sell then b.withdrawn_for = 'owner' else b.withdrawn_for is null end
    order by i.batch_id for update of b
  loop
    if set_withdrawn(v_batch, case when not v_may_sell then 'owner' end) then
      return next v_batch;
    end if;
  end loop;
end $$;
