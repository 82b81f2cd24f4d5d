-- The bounds of outcome classes in seconds, defined only here; a median is exact to about a quarter. A change alters old rows.
create function outcome_bounds() returns real[]
language sql immutable parallel safe as $$
  select array[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 240, 300, 400, 500, 600, 900, 1200, 1800, 3600]::real[]
$$;
