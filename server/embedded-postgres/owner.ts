import { createHmac } from "node:crypto";
import type { Client } from "pg";
import { databaseName } from "./cluster.ts";

/** The product's role: it owns the database and can create databases, but is not a superuser. */
export const ownerName = `${databaseName}_owner`;

/** Derives the owner's password from the superuser's with a one-way hash. */
export function getOwnerPassword(superuserPassword: string): string {
  return createHmac("sha256", superuserPassword).update(ownerName).digest("base64url");
}

/**
 * Creates the owner role and makes it own the database with everything in it. Does nothing if that was done
 * before.
 *
 * @param superuser connected to the database
 */
export async function setDatabaseOwner(superuser: Client, password: string): Promise<void> {
  const { rowCount } = await superuser.query(
    "select from pg_database where datname = current_database() and datdba = to_regrole($1)",
    [ownerName],
  );
  if (rowCount) return;
  await superuser.query(`
    begin;
    create role ${ownerName} login createdb password ${superuser.escapeLiteral(password)};
    ${handOverObjects}
    alter database ${databaseName} owner to ${ownerName};
    commit`);
}

/** Changes the owner of each object, because "reassign owned" refuses objects of the first superuser. */
const handOverObjects = `
  do $$
  declare change text;
  begin
    for change in
      with mine as (
        select oid from pg_namespace
        where nspowner = current_user::regrole and nspname !~ '^pg_|^information_schema$'
      ), schemas as (
        select oid from mine union select to_regnamespace('public')
      ), parts as (
        select classid, objid from pg_depend
        where deptype in ('e', 'i') or (deptype = 'a' and refobjsubid > 0)
      )
      select format('alter schema %s owner to ${ownerName}', oid::regnamespace) from mine
      union all
      select format('alter table %s owner to ${ownerName}', oid::regclass) from pg_class
      where relnamespace in (table schemas) and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and relowner = current_user::regrole
        and not (relkind = 'S' and ('pg_class'::regclass, oid) in (table parts))
      union all
      select format('alter routine %s owner to ${ownerName}', oid::regprocedure) from pg_proc
      where pronamespace in (table schemas) and proowner = current_user::regrole
        and ('pg_proc'::regclass, oid) not in (table parts)
      union all
      select format('alter type %s owner to ${ownerName}', oid::regtype) from pg_type
      where typnamespace in (table schemas) and typowner = current_user::regrole
        and typtype in ('d', 'e', 'r') and ('pg_type'::regclass, oid) not in (table parts)
    loop
      execute change;
    end loop;
  end $$;`;
