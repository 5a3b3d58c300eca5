import { eq, isNull, lte, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { createContext, type RouterContextProvider } from "react-router";
import { day, now } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import { type Database, createPreparedQuery } from "../platform/database.server.ts";
import { SignedOut } from "../platform/errors.ts";
import { milestones } from "../platform/tables.server.ts";
import type { RoleFlags } from "./roles.ts";
import { profiles, users } from "./tables.server.ts";

/** The signed-in person of a request. */
export type Actor = RoleFlags & {
  id: string;
  email: string;
  fullName: string | null;
  hasActiveSubscription: boolean;
  sessionId: string;
  /** True if the person signed in recently. Sensitive actions require it. */
  isProved: boolean;
  /** The deadline for a missing second factor. After it, the person has no staff roles. */
  factorDueAt: Date | null;
};

/** The signed-in person; null for a visitor: `const actor = context.get(currentActor)` */
export const currentActor = createContext<Actor | null>(null);

/**
 * Returns the person on a screen whose guard requires a sign-in.
 *
 * @throws {SignedOut} if the guard is missing.
 */
export function getSignedInActor(context: Readonly<RouterContextProvider>): Actor {
  const actor = context.get(currentActor);
  if (!actor) throw new SignedOut();
  return actor;
}

/** Checks whether staff roles are withheld until the person sets up a second factor. */
export function isFactorOverdue({ factorDueAt }: Pick<Actor, "factorDueAt">): boolean {
  return factorDueAt !== null && factorDueAt <= now();
}

/** The milestone that records since when staff need a second factor; absent if they don't. */
export const staffRule = "staff-second-factor";
/** Time that new staff have to set up a second factor. */
const gracePeriod = 7 * day;

/** Records at startup if staff need a second factor by the settings, and since when. */
export async function saveStaffRule(
  db: Database,
  { staffSecondFactor }: Pick<Config, "staffSecondFactor">,
): Promise<void> {
  if (staffSecondFactor === "required")
    await db.insert(milestones).values({ name: staffRule, at: now() }).onConflictDoNothing();
  else await db.delete(milestones).where(eq(milestones.name, staffRule));
}

/**
 * Returns the deadline for a second factor: a week after the person became staff, or after the first start
 * that requires it. Null for anyone who isn't staff, and if it isn't required.
 */
export function getFactorDueAt(facts: {
  requiredSince: Date | null;
  staffSince: Date | null;
}): Date | null {
  const { requiredSince, staffSince } = facts;
  if (!requiredSince || !staffSince) return null;
  return new Date(Math.max(requiredSince.getTime(), staffSince.getTime()) + gracePeriod);
}

type Subscription = {
  isSubscribed: boolean | null;
  subscriptionEndsAt: Date | null;
  isRecurring: boolean | null;
};

/** The only rule for active subscriptions: subscribed, and not past an end date unless it renews. */
export function isSubscriptionActive(subscription: Subscription, moment: Date): boolean {
  const { isSubscribed, subscriptionEndsAt, isRecurring } = subscription;
  return Boolean(
    isSubscribed && (!subscriptionEndsAt || subscriptionEndsAt > moment || isRecurring),
  );
}

/** Checks whether a person has a ban that has not ended. This is the only rule for bans. */
export function isBanned({ bannedUntil }: { bannedUntil: Date | null }, moment: Date): boolean {
  return bannedUntil !== null && bannedUntil > moment;
}

/** The opposite of `isBanned` in SQL, for the user that a query selects. */
export function isNotBanned(moment: Date | Placeholder = now()): SQL | undefined {
  return or(isNull(users.bannedUntil), lte(users.bannedUntil, moment));
}

/** Finds a person's own profile; null when there is none. */
export async function findOwnProfile(db: Database, actor: { id: string }) {
  const [profile] = await ownProfileQuery(db).execute({ id: actor.id });
  return profile ?? null;
}

const ownProfileQuery = createPreparedQuery((db) =>
  db
    .select({
      fullName: profiles.fullName,
      phone: profiles.phone,
      createdAt: profiles.createdAt,
    })
    .from(profiles)
    .where(eq(profiles.id, sql.placeholder("id")))
    .prepare("own_profile"),
);
