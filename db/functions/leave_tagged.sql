-- Removes from the staged table brought what is one mailbox with another login but for what follows a plus: of the file the first login
-- stays, and none of a mailbox that the stock has. Answers how many logins the stock had. A plus at the beginning begins no tag.
create function leave_tagged(p_domain integer) returns integer
language plpgsql
set work_mem = '64MB'
set enable_seqscan = off
as $$
declare
  v_there integer := 0;
  v_left  integer := 0;
begin
  with tagged as (
    select distinct split_part(b.local_part, '+', 1) as box from brought b where b.domain_id = p_domain and strpos(b.local_part, '+') > 1
  ), one as (
    select t.box, (array_agg(b.local_part order by b.ctid))[1] as local_part
    from brought b
    join tagged t on t.box = case when strpos(b.local_part, '+') > 1 then split_part(b.local_part, '+', 1) else b.local_part end
    where b.domain_id = p_domain
    group by t.box having min(b.local_part) <> max(b.local_part)
  )
  delete from brought b using one
    where b.domain_id = p_domain and b.local_part <> one.local_part
      and one.box = case when strpos(b.local_part, '+') > 1 then split_part(b.local_part, '+', 1) else b.local_part end;
  with gone as (
    delete from brought b
      where b.domain_id = p_domain and strpos(b.local_part, '+') > 1
        and (exists (select from mailbox m where m.domain_id = p_domain and m.local_part = split_part(b.local_part, '+', 1))
             or exists (select from mailbox m where m.domain_id = p_domain and strpos(m.local_part, '+') > 1
                          and split_part(m.local_part, '+', 1) = split_part(b.local_part, '+', 1)))
      returning b.local_part)
    select count(distinct gone.local_part) into v_there from gone;
  with gone as (
    delete from brought b
      where b.domain_id = p_domain
        and b.local_part in (select split_part(m.local_part, '+', 1) from mailbox m where m.domain_id = p_domain and strpos(m.local_part, '+') > 1)
      returning b.local_part)
    select count(distinct gone.local_part) into v_left from gone;
  return v_there + v_left;
end $$;
