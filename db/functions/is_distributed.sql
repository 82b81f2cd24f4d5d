-- Whether a table lies on the servers of a Citus cluster. Its catalog is there only with the extension. Locks: none.
create function is_distributed(p_table regclass) returns boolean
language plpgsql stable as $$
begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then return false; end if;
  return exists (select from pg_dist_partition d where d.logicalrelid = p_table);
end $$;
