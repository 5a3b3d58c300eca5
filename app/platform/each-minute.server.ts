import { minute, now } from "./clock.ts";
import type { Database } from "./database.server.ts";

/** What reads many rows, and how long it is good for. */
const remembered = new WeakMap<Database, Map<string, { value: Promise<unknown>; until: number }>>();

/**
 * What was read less than a minute ago in this process, or is read now: exact, but not at every look.
 *
 * @param name tells what is read of one database apart; the same name always stands for the same reading
 */
export async function eachMinute<Value>(
  db: Database,
  name: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const ofDatabase = remembered.get(db) ?? new Map();
  remembered.set(db, ofDatabase);
  const moment = now().getTime();
  const known = ofDatabase.get(name);
  if (known && known.until > moment) return known.value;
  const value = read();
  ofDatabase.set(name, { value, until: moment + minute });
  // A failure is not remembered.
  value.catch(() => ofDatabase.delete(name));
  return value;
}
