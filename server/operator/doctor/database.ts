import { getKeyId } from "../../../app/accounts/factor-keys.server.ts";
import { now, second } from "../../../app/platform/clock.ts";
import type { Config } from "../../../app/platform/config.server.ts";
import { type DatabasePool, openDatabase } from "../../../app/platform/database.server.ts";
import { readJournal } from "../../../app/platform/product-state.server.ts";
import { type Check, createFailure, createOk, createWarning } from "./finding.ts";

const limits = { connect: 5 * second, statement: 5 * second, lock: 5 * second };
const oldestVersion = 15;
/** Ours and PostgreSQL's may differ by this: both decide when something is over. */
const largestDifference = 2 * second;

/** Creates the checks of the database, with a pool of their own. */
export function createDatabaseChecks(
  url: string,
  { secondFactorKeys }: Pick<Config, "secondFactorKeys">,
): { checks: Check[]; close(): Promise<void> } {
  const { query: ask, close } = openDatabase(url, { max: 4, limits, name: "naksha doctor" });
  const todo = "Look whether PostgreSQL runs, and whether DATABASE_URL leads to it.";
  const checks = [
    { name: "database", todo, look: () => checkVersion(ask) },
    { name: "extensions", todo, look: () => checkExtensions(ask) },
    { name: "migrations", todo, look: () => checkMigrations(ask) },
    { name: "clock", todo, look: () => checkClock(ask) },
    { name: "factors", todo, look: () => checkFactorKeys(ask, secondFactorKeys) },
  ];
  return { checks, close };
}

type Ask = DatabasePool["query"];

async function checkVersion(ask: Ask) {
  const { rows } = await ask("select current_setting('server_version_num')::int / 10000 as major");
  const { major } = rows[0] as { major: number };
  if (major >= oldestVersion) return createOk(`PostgreSQL ${major} answers.`);
  return createFailure(
    `PostgreSQL ${major} is too old.`,
    `Move to version ${oldestVersion} or newer.`,
  );
}

async function checkExtensions(ask: Ask) {
  const { rows } = await ask(`
    select exists (select from pg_extension where extname = 'pg_trgm') as made,
      exists (select from pg_available_extensions where name = 'pg_trgm') as offered,
      exists (select from pg_collation where collname = 'und-x-icu') as sorts`);
  const { made, offered, sorts } = rows[0] as Record<string, boolean>;
  if (!offered)
    return createFailure(
      "The extension pg_trgm is missing.",
      "Install PostgreSQL's contrib package.",
    );
  if (!sorts)
    return createFailure(
      "The collation und-x-icu is missing.",
      "Take a PostgreSQL that is built with ICU.",
    );
  return createOk(made ? "pg_trgm and ICU collations are there." : "pg_trgm can be made.");
}

async function checkMigrations(ask: Ask) {
  const known = (await readJournal()).entries.map(({ when }) => when);
  const { rows: found } = await ask("select to_regclass('drizzle.__drizzle_migrations') as made");
  if (!(found[0] as { made: string | null }).made)
    return createWarning(
      "The database has no tables yet.",
      "The first start makes them: npm start",
    );
  const { rows } = await ask("select created_at from drizzle.__drizzle_migrations");
  const applied = new Set(rows.map((row) => Number((row as { created_at: string }).created_at)));
  const missing = known.filter((when) => !applied.has(when)).length;
  if ([...applied].some((when) => !known.includes(when)))
    return createFailure(
      "A newer version of the product has changed the database.",
      "Run that version: this one does not know its tables.",
    );
  if (missing > 0)
    return createWarning(
      `${missing} of ${known.length} are not applied.`,
      "The next start applies them.",
    );
  return createOk(`All ${known.length} are applied.`);
}

/** Checks whether the configured keys open the stored second factors. */
async function checkFactorKeys(ask: Ask, keys: string[]) {
  const { rows: made } = await ask("select to_regclass('authenticators') as made");
  if (!(made[0] as { made: string | null }).made) return createOk("Nobody has an app.");
  const { rows } = await ask("select key_id, count(*)::int as apps from authenticators group by 1");
  const names = keys.map(getKeyId);
  const count = (isMeant: (place: number) => boolean) =>
    (rows as { key_id: string; apps: number }[])
      .filter((row) => isMeant(names.indexOf(row.key_id)))
      .reduce((all, { apps }) => all + apps, 0);
  const lost = count((place) => place < 0);
  if (lost > 0)
    return createFailure(
      `${lost} apps were sealed with a key that SECOND_FACTOR_KEYS lacks: their people cannot sign in.`,
      "Put that key back behind the others, or use: factor reset",
    );
  const old = count((place) => place > 0);
  if (old > 0)
    return createWarning(`${old} apps are sealed with an older key.`, "Use: factor reencrypt");
  return createOk("The first key opens all apps.");
}

async function checkClock(ask: Ask) {
  const before = now().getTime();
  const { rows } = await ask("select clock_timestamp() as theirs");
  const after = now().getTime();
  const theirs = (rows[0] as { theirs: Date }).theirs.getTime();
  const apart = Math.max(before - theirs, theirs - after, 0);
  if (apart <= largestDifference) return createOk("Agrees with PostgreSQL's.");
  return createFailure(
    `Is ${(apart / second).toFixed(1)} seconds away from PostgreSQL's.`,
    "Have both computers set their clocks by NTP.",
  );
}
