-- The terms of a letter: the first words of its subject, and what was found in it (with a time, as codes are forgotten).
create function terms_of(p_subject text, p_value text, p_code text, p_at timestamptz) returns table (term text, code_at timestamptz)
language sql stable
as $$
  select left(w.word, 64), null::timestamptz
  from (select lower(m[1]) as word from regexp_matches(left(coalesce(p_subject, ''), 200), '[[:alnum:]]{2,}', 'g') with ordinality as f (m, place)
        order by place limit 8) w
  union all
  select left(lower(f.found), 64), p_at from (values (p_value), (p_code)) as f (found) where f.found <> ''
$$;
