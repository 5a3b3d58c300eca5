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

/** The database for the counts, and whether limits are on. */
export type Counting = { db: Database; config: Pick<Config, "rateLimits"> };

/**
 * Counts one try of `subject` (an address, a user) and refuses it when there were too many. However many
 * are refused count as one: of those that were let pass, taking one off lets the next one pass.
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

/** Takes a counted try off again that turned out to be none to limit. */
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

/** A /48 is one customer of one provider, or thousands of phones of another: a looser limit. */
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
 * The network that is one client's: an IPv4 address, or the /64 of an IPv6 one, whose owner has all
 * addresses in it. Around an IPv6 network is its /48.
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

/** The eight groups of an IPv6 address as they are written shortest; null for any other text. */
function parseIpv6Groups(address: string): string[] | null {
  const withoutZone = address.replace(/%.*$/, "");
  if (!isIPv6(withoutZone)) return null;
  const shortest = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const [first = [], last = []] = shortest
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return [...first, ...zeros, ...last];
}

/** Forgets the tries of windows that are long over, and returns how many. */
export async function deleteOldTries(db: Database): Promise<number> {
  const isOver = sql`${rateLimits.windowStart} < now() - interval '2 days'`;
  const { rowCount } = await db.delete(rateLimits).where(isOver);
  return rowCount ?? 0;
}
