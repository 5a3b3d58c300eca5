import { minute, now } from "./clock.ts";
import type { Database } from "./database.server.ts";

/** What was read, and how long it is good for. */
type Reading = { value: Promise<unknown>; until: number };

const readings = new WeakMap<Database, Map<string, Reading>>();

/**
 * What was read less than a minute ago, or is read now: exact, but not at every look. For figures over many rows.
 *
 * @param name tells the readings of one database apart
 */
export async function readEachMinute<Value>(
  db: Database,
  name: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const ofDatabase = readings.get(db) ?? new Map<string, Reading>();
  readings.set(db, ofDatabase);
  const moment = now().getTime();
  const cached = ofDatabase.get(name);
  if (cached && cached.until > moment) return cached.value as Promise<Value>;
  const value = read();
  ofDatabase.set(name, { value, until: moment + minute });
  // A failure is not remembered.
  value.catch(() => ofDatabase.delete(name));
  return value;
}
