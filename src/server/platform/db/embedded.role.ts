// The role of the shop in the embedded database: it owns the shop's database and nothing else. In clusters of before December 2026 the
// superuser who made them owns all of it.
import type { Db } from "./db.ts";

export const shopRole = "postern_shop";

/** The password is that of the superuser: both are for whoever reads DATA_DIR, and no statement of the shop can use it. */
export async function makeRole(admin: Db, password: string): Promise<void> {
  const found = await admin`select from pg_roles where rolname = ${shopRole}`;
  if (found.length === 0) await admin.unsafe(`create role ${shopRole} login password '${password}'`);
}

/** Gives the database, and what the superuser made in it, to the shop: also what a release of before has made since. */
export async function giveToShop(admin: Db, database: string): Promise<void> {
  const owned = await admin`
    select from pg_database join pg_roles on pg_roles.oid = datdba where datname = ${database} and rolname = ${shopRole}`;
  if (owned.length === 0) await admin.unsafe(`alter database ${database} owner to ${shopRole}`);
  await admin.unsafe(`
    do $$
    declare
      me   oid := (select oid from pg_roles where rolname = current_user);
      home oid := 'public'::regnamespace;
      step text;
    begin
      for step in
        select format('%s %s', case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, oid::regclass)
        from pg_class c
        where relnamespace = home and relowner = me and relkind in ('r', 'p', 'v', 'S')
          -- A sequence of a column follows its table.
          and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')
                          and relkind = 'S')
        union all
        select format('routine %s', oid::regprocedure) from pg_proc where pronamespace = home and proowner = me
        union all
        select format('type %s', t.oid::regtype) from pg_type t left join pg_class c on c.oid = typrelid
        where typnamespace = home and typowner = me and (typtype in ('e', 'd') or relkind = 'c')
      loop
        execute format('alter %s owner to ${shopRole}', step);
      end loop;
    end $$`);
}
