import { isIPv6 } from "node:net";
import { and, eq, gt, sql } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { appContext, requestFacts } from "./app-context.server.ts";
import { now, second } from "./clock.ts";
import type { Config } from "./config.server.ts";
import type { Database } from "./database.server.ts";
import { TooMany } from "./errors.ts";
import { rateLimits } from "./tables.server.ts";

export type RateLimit = { name: string; max: number; windowMs: number };

/** The database for the counts, and the setting that turns limits off. */
export type Counting = { db: Database; config: Pick<Config, "rateLimits"> };

/**
 * Counts an attempt of `subject` (an address, a user) and refuses it if there were too many. The counter stops at
 * max + 1, so releasing an allowed attempt always frees a slot.
 *
 * @throws {TooMany} with the seconds until the window ends.
 */
export async function countTry(
  { db, config }: Counting,
  limit: RateLimit,
  subject: string,
): Promise<void> {
  if (config.rateLimits === "off") return;
  const { key, windowStart, secondsLeft } = matchesCounter(limit, subject);
  const [row] = await db
    .insert(rateLimits)
    .values({ key, windowStart, count: 1 })
    .onConflictDoUpdate({
      target: [rateLimits.key, rateLimits.windowStart],
      set: { count: sql`least(${rateLimits.count} + 1, ${limit.max + 1})` },
    })
    .returning({ count: rateLimits.count });
  if (row && row.count > limit.max) throw new TooMany(secondsLeft);
}

/** Releases a counted attempt that should not have been limited. */
export async function releaseTry(
  { db, config }: Counting,
  limit: RateLimit,
  subject: string,
): Promise<void> {
  if (config.rateLimits === "off") return;
  const { key, windowStart } = matchesCounter(limit, subject);
  await db
    .update(rateLimits)
    .set({ count: sql`${rateLimits.count} - 1` })
    .where(
      and(
        eq(rateLimits.key, key),
        eq(rateLimits.windowStart, windowStart),
        gt(rateLimits.count, 0),
      ),
    );
}

function matchesCounter({ name, windowMs }: RateLimit, subject: string) {
  const moment = now().getTime();
  const passed = moment % windowMs;
  return {
    key: `${name}:${subject}`.slice(0, 400),
    windowStart: new Date(moment - passed),
    secondsLeft: Math.ceil((windowMs - passed) / second),
  };
}

/** The limit of a /48 is looser, since it may be one customer or thousands of phones. */
const widerBy = 16;

/**
 * Counts an attempt of this client, by its network.
 *
 * @throws {TooMany} as above.
 */
export async function countClientTry(
  counting: Counting,
  limit: RateLimit,
  clientAddress: string,
): Promise<void> {
  for (const [each, network] of listLimits(limit, clientAddress))
    await countTry(counting, each, network);
}

/**
 * Counts an attempt of a screen's client.
 *
 * @throws {TooMany} as above.
 */
export function countAsker(
  context: Readonly<RouterContextProvider>,
  limit: RateLimit,
): Promise<void> {
  return countClientTry(context.get(appContext), limit, context.get(requestFacts).clientAddress);
}

/** Lists the limits for this address: its own network, and more loosely the network around it. */
export function listLimits(limit: RateLimit, clientAddress: string): [RateLimit, string][] {
  const { own, around } = listNetworks(clientAddress);
  if (around === null) return [[limit, own]];
  const wider = { ...limit, name: `${limit.name}-wide`, max: limit.max * widerBy };
  return [
    [limit, own],
    [wider, around],
  ];
}

/**
 * Returns the network of one client: an IPv4 address, or the /64 of an IPv6 address, which has one owner. `around` is
 * the /48 of an IPv6 address.
 */
export function listNetworks(address: string): { own: string; around: string | null } {
  const groups = parseIpv6Groups(address);
  if (!groups) return { own: address, around: null };
  if (groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff") {
    const bytes = groups.slice(6).flatMap((group) => {
      const number = Number.parseInt(group, 16);
      return [number >> 8, number & 0xff];
    });
    return { own: bytes.join("."), around: null };
  }
  return {
    own: `${groups.slice(0, 4).join(":")}::/64`,
    around: `${groups.slice(0, 3).join(":")}::/48`,
  };
}

/** Returns the eight groups of an IPv6 address without leading zeros, or null for any other text. */
function parseIpv6Groups(address: string): string[] | null {
  const withoutZone = address.replace(/%.*$/, "");
  if (!isIPv6(withoutZone)) return null;
  const compressed = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const [first = [], last = []] = compressed
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return [...first, ...zeros, ...last];
}

/** Deletes the attempts of past windows, and returns their number. */
export async function deleteOldTries(db: Database): Promise<number> {
  const isOver = sql`${rateLimits.windowStart} < now() - interval '2 days'`;
  const { rowCount } = await db.delete(rateLimits).where(isOver);
  return rowCount ?? 0;
}
