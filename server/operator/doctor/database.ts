import { getKeyId } from "../../../app/accounts/factor-keys.server.ts";
import { now, second } from "../../../app/platform/clock.ts";
import type { Config } from "../../../app/platform/config.server.ts";
import { type DatabasePool, openDatabase } from "../../../app/platform/database.server.ts";
import { isFromEarlierCommit, readJournal } from "../../../app/platform/product-state.server.ts";
import { type Check, createFailure, createOk, createWarning } from "./finding.ts";

const limits = { connect: 5 * second, statement: 5 * second, lock: 5 * second };
const minVersion = 15;
/** The product and PostgreSQL both check expiry times, so their clocks may differ only by this much. */
const maxClockDifference = 2 * second;

/** Creates the database checks, which use their own pool. */
export function createDatabaseChecks(
  url: string,
  { secondFactorKeys }: Pick<Config, "secondFactorKeys">,
): { checks: Check[]; close(): Promise<void> } {
  const { query, close } = openDatabase(url, { max: 4, limits, name: "naksha doctor" });
  const todo = "Check that PostgreSQL is running and that DATABASE_URL points to it.";
  const checks = [
    { name: "database", todo, look: () => checkVersion(query) },
    { name: "extensions", todo, look: () => checkExtensions(query) },
    { name: "migrations", todo, look: () => checkMigrations(query) },
    { name: "clock", todo, look: () => checkClock(query) },
    { name: "factors", todo, look: () => checkFactorKeys(query, secondFactorKeys, apps) },
    { name: "pans", todo, look: () => checkFactorKeys(query, secondFactorKeys, pans) },
  ];
  return { checks, close };
}

type Query = DatabasePool["query"];

async function checkVersion(query: Query) {
  const { rows } = await query(
    "select current_setting('server_version_num')::int / 10000 as major",
  );
  const { major } = rows[0] as { major: number };
  if (major >= minVersion) return createOk(`PostgreSQL ${major} responds.`);
  return createFailure(
    `PostgreSQL ${major} is too old.`,
    `Upgrade to version ${minVersion} or newer.`,
  );
}

async function checkExtensions(query: Query) {
  const { rows } = await query(`
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
    return createFailure("The collation und-x-icu is missing.", "Use a PostgreSQL built with ICU.");
  return createOk(made ? "pg_trgm and ICU collations are installed." : "pg_trgm can be installed.");
}

async function checkMigrations(query: Query) {
  const journal = await readJournal();
  const expected = journal.entries.map(({ when }) => when);
  const { rows: table } = await query("select to_regclass('drizzle.__drizzle_migrations') as made");
  if (!(table[0] as { made: string | null }).made)
    return createWarning(
      "The database has no tables yet.",
      "The first start creates them: npm start",
    );
  const { rows } = await query("select created_at from drizzle.__drizzle_migrations");
  const applied = new Set(rows.map((row) => Number((row as { created_at: string }).created_at)));
  if (isFromEarlierCommit([...applied], journal))
    return createFailure(
      "An earlier commit made the database.",
      "Run that commit, or start with an empty database. This one doesn't read its tables.",
    );
  const missing = expected.filter((when) => !applied.has(when)).length;
  if ([...applied].some((when) => !expected.includes(when)))
    return createFailure(
      "A newer version of the product has migrated the database.",
      "Run that version. This one doesn't know its tables.",
    );
  if (missing > 0)
    return createWarning(
      `${missing} of ${expected.length} migrations are not applied.`,
      "The next start applies them.",
    );
  return createOk(`All ${expected.length} migrations are applied.`);
}

/** Secrets that `SECOND_FACTOR_KEYS` encrypt. */
type Secrets = { table: string; noun: string; none: string; effect: string; repair: string };

const apps: Secrets = {
  table: "authenticators",
  noun: "authenticator apps",
  none: "No one uses an authenticator app.",
  effect: "Their owners cannot log in.",
  repair: "Add that key back after the others, or run: factor reset",
};

const pans: Secrets = {
  table: "reviewer_pans",
  noun: "PANs of reviewers",
  none: "No reviewer has given a PAN.",
  effect: "Admins cannot read them.",
  repair: "Add that key back after the others, or ask the reviewers again.",
};

/** Checks that the configured keys can decrypt the stored secrets. */
async function checkFactorKeys(
  query: Query,
  keys: string[],
  { table, noun, none, effect, repair }: Secrets,
) {
  const { rows: tables } = await query("select to_regclass($1) as made", [table]);
  if (!(tables[0] as { made: string | null }).made) return createOk(none);
  const { rows } = await query(`select key_id, count(*)::int as stored from ${table} group by 1`);
  const keyIds = keys.map(getKeyId);
  const count = (matches: (index: number) => boolean) =>
    (rows as { key_id: string; stored: number }[])
      .filter((row) => matches(keyIds.indexOf(row.key_id)))
      .reduce((total, { stored }) => total + stored, 0);
  const undecryptable = count((index) => index < 0);
  if (undecryptable > 0)
    return createFailure(
      `${undecryptable} ${noun} were encrypted with a key that is not in SECOND_FACTOR_KEYS. ${effect}`,
      repair,
    );
  const old = count((index) => index > 0);
  if (old > 0)
    return createWarning(
      `${old} ${noun} are encrypted with an older key.`,
      "Run: factor reencrypt",
    );
  return createOk(`The first key decrypts all ${noun}.`);
}

async function checkClock(query: Query) {
  const before = now().getTime();
  const { rows } = await query("select clock_timestamp() as theirs");
  const after = now().getTime();
  const theirs = (rows[0] as { theirs: Date }).theirs.getTime();
  const difference = Math.max(before - theirs, theirs - after, 0);
  if (difference <= maxClockDifference) return createOk("In sync with PostgreSQL's clock.");
  return createFailure(
    `Differs from PostgreSQL's clock by ${(difference / second).toFixed(1)} seconds.`,
    "Synchronize both computers' clocks with NTP.",
  );
}
