-- Page p_page (from 1) of a user's orders that fit all that is given, newest first, as numbers; of p_listed only his activations.
-- p_words: each stands in the order's note or a subject of its letters, begins a code of them, the local part of its address or the name of its
-- site, or is its id; p_mail: so its mail domain begins; p_since, p_until: it was placed at this time or later, and before that. The cost does not grow with his orders: by codes and beginnings of notes a word finds the newest
-- 2,000, by a whole local part all that got a letter, by everything else the newest 10,000; is_cut says that there are older ones.
create function find_orders(
  p_user bigint, p_listed boolean, p_words text[], p_mail text, p_only_sites integer[],
  p_state order_status, p_site integer, p_domain integer, p_since timestamptz, p_page integer, p_size integer,
  p_until timestamptz default null
) returns table (numbers integer[], total integer, is_cut boolean)
language plpgsql stable rows 1
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  c_words constant integer := 2000;
  c_reach constant integer := 10000;
  c_last  constant text := U&'\+10FFFF';
  v_first integer := 1;
  v_last  integer;
  v_mid   integer;
  v_low   integer;
  v_high  integer;
  v_newest integer[];
  v_found integer[]; -- null before the first word
  v_of    integer[];
  v_sites integer[];
  v_word  text;
begin
  select orders_count into v_last from buyer where user_id = p_user;
  v_last := coalesce(v_last, 0);
  -- Numbers grow with the time, but for moments: the first one is looked up by halves.
  if p_since is not null then
    v_mid := v_last + 1;
    while v_first < v_mid loop
      if (select o.created_at >= p_since from orders o where o.user_id = p_user and o.number = (v_first + v_mid) / 2) then
        v_mid := (v_first + v_mid) / 2;
      else
        v_first := (v_first + v_mid) / 2 + 1;
      end if;
    end loop;
    v_first := greatest(v_first - 64, 1);
  end if;
  if p_until is not null then
    v_low := v_first;
    v_high := v_last + 1;
    while v_low < v_high loop
      v_mid := (v_low + v_high) / 2;
      if (select o.created_at >= p_until from orders o where o.user_id = p_user and o.number = v_mid) then
        v_high := v_mid;
      else
        v_low := v_mid + 1;
      end if;
    end loop;
    v_last := least(v_low + 63, v_last);
  end if;

  v_newest := case when p_listed
    then array(select o.number from orders o
               where o.user_id = p_user and o.number between v_first and v_last and o.status in ('pending', 'received') and not o.hidden
               order by o.number desc limit c_reach)
    else array(select generate_series(v_last, greatest(v_first, v_last - c_reach + 1), -1)) end;
  is_cut := coalesce(v_newest[c_reach] > v_first, false);

  foreach v_word in array p_words loop
    v_sites := array(select s.id from site s where s.name ~>=~ v_word and s.name ~<~ (v_word || c_last));
    v_of := array(
      (select e.number from order_term e where e.user_id = p_user and e.term = v_word and e.number between v_first and v_last
        order by e.number desc limit c_words)
      union
      (select e.number from order_term e where e.user_id = p_user and e.term > v_word and e.term < v_word || c_last and e.number between v_first and v_last
        limit c_words)
      union
      (select o.number from orders o
        where o.user_id = p_user and o.note is not null and lower(o.note) collate "C" >= v_word and lower(o.note) collate "C" < v_word || c_last
          and o.number between v_first and v_last
        limit c_words)
      union
      select o.number from orders o where o.user_id = p_user and o.id = case when v_word ~ '^[0-9]{1,18}$' then v_word::bigint end
      union
      select o.number
        from mail_domain d
        join mailbox m on m.domain_id = d.id and m.local_part = v_word
        cross join lateral (
          select * from orders o where o.mailbox_id = m.id and o.status in ('pending', 'received') and o.reorder_of is null
          union all
          select * from orders o where o.mailbox_id = m.id and o.status in ('pending', 'received') and o.reorder_of is not null
          offset 0) o -- Otherwise an index of all of the user's orders is read beside that of the mailbox.
        where o.user_id = p_user and (p_mail is null or starts_with(d.name, p_mail))
      union
      select o.number from orders o join mailbox m on m.id = o.mailbox_id
        where o.user_id = p_user and o.number = any (coalesce(v_found, v_newest))
          and (starts_with(m.local_part, v_word) or o.site_id = any (v_sites) or strpos(lower(o.note), v_word) > 0
            or o.status = 'received' and exists (
              select from delivery d join letter l on l.id = d.letter_id
              where d.order_id = o.id and strpos(lower(l.subject), v_word) > 0)));
    v_found := case when v_found is null then v_of else array(select unnest(v_found) intersect select unnest(v_of)) end;
  end loop;

  v_found := array(
    select o.number from orders o join mail_domain d on d.id = o.domain_id
    where o.user_id = p_user and o.number = any (coalesce(v_found, v_newest))
      and (not p_listed or o.status in ('pending', 'received') and not o.hidden)
      and (p_mail is null or starts_with(d.name, p_mail))
      and (p_only_sites is null or o.site_id = any (p_only_sites))
      and (p_state is null or o.status = p_state) and (p_site is null or o.site_id = p_site)
      and (p_domain is null or o.domain_id = p_domain) and (p_since is null or o.created_at >= p_since)
      and (p_until is null or o.created_at < p_until)
    order by o.number desc);
  total := cardinality(v_found);
  numbers := coalesce(v_found[(p_page - 1) * p_size + 1 : p_page * p_size], '{}');
  return next;
end $$;
