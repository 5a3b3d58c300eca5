import { sql } from "drizzle-orm";
import type { Database } from "../../app/platform/database.server.ts";

/**
 * Fills tables with many rows quickly. Secondary indexes, foreign keys and triggers are removed before and
 * restored afterwards, because they slow down every insert.
 *
 * @param db a pool of at least two connections, because two indexes are built in parallel
 */
export async function fillFast(
  db: Database,
  tables: string[],
  fill: () => Promise<void>,
): Promise<void> {
  const foreignKeys = await list(db, foreignKeysOf(tables));
  const indexes = await list(db, indexesOf(tables));
  for (const { drop } of [...foreignKeys, ...indexes]) await db.execute(sql.raw(drop));
  for (const table of tables)
    await db.execute(sql.raw(`alter table ${table} disable trigger user`));
  await fill();
  for (const table of tables) await db.execute(sql.raw(`alter table ${table} enable trigger user`));
  await Promise.all([make(db, indexes), make(db, indexes)]);
  for (const { create } of foreignKeys) await db.execute(sql.raw(create));
  await db.execute(sql.raw(`vacuum analyze ${tables.join(", ")}`));
}

type Definition = { drop: string; create: string };

async function list(db: Database, query: ReturnType<typeof sql>): Promise<Definition[]> {
  return (await db.execute<Definition>(query)).rows;
}

function foreignKeysOf(tables: string[]) {
  return sql`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where contype = 'f' and conrelid::regclass::text in ${tables}`;
}

/** Slow indexes come first, so that the two parallel builds end at about the same time. */
function indexesOf(tables: string[]) {
  return sql`
    select format('drop index %I', indexname) as drop, indexdef as create
    from pg_indexes where tablename in ${tables} and indexname not like '%_pkey' and indexname not like '%_pk'
    order by indexdef like '%pairs_in%' desc, indexdef like '% gin %' desc`;
}

/** Creates the definitions of a list, which parallel calls share. */
async function make(db: Database, definitions: Definition[]): Promise<void> {
  for (let next = definitions.shift(); next; next = definitions.shift()) {
    const { create } = next;
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local maintenance_work_mem = '512MB'`);
      await tx.execute(sql.raw(create));
    });
  }
}
