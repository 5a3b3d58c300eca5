import { sql } from "drizzle-orm";
import { now } from "./clock.ts";
import type { Config } from "./config.server.ts";
import type { Database } from "./database.server.ts";
import { TooMany } from "./errors.ts";
import { rateLimits } from "./tables.server.ts";

export type RateLimit = { name: string; max: number; windowMs: number };

/**
 * Counts one try of `subject` (an address, a user) and refuses it when there were too many.
 *
 * @throws {TooMany} with the seconds until the window ends.
 */
export async function countTry(
  { db, config }: { db: Database; config: Pick<Config, "rateLimits"> },
  limit: RateLimit,
  subject: string,
): Promise<void> {
  if (config.rateLimits === "off") return;
  const moment = now().getTime();
  const windowStart = new Date(moment - (moment % limit.windowMs));
  const [row] = await db
    .insert(rateLimits)
    .values({ key: `${limit.name}:${subject}`.slice(0, 300), windowStart, count: 1 })
    .onConflictDoUpdate({
      target: [rateLimits.key, rateLimits.windowStart],
      set: { count: sql`${rateLimits.count} + 1` },
    })
    .returning({ count: rateLimits.count });
  if (row && row.count > limit.max) {
    throw new TooMany(Math.ceil((windowStart.getTime() + limit.windowMs - moment) / 1000));
  }
}

/** Forgets the tries of windows that are long over. */
export async function forgetOldTries(db: Database): Promise<void> {
  await db.delete(rateLimits).where(sql`${rateLimits.windowStart} < now() - interval '2 days'`);
}
