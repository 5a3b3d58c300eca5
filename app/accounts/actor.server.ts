import { eq, isNull, lte, or, type SQL } from "drizzle-orm";
import { createContext, type RouterContextProvider } from "react-router";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { SignedOut } from "../platform/errors.ts";
import type { RoleFlags } from "./roles.ts";
import { profiles, users } from "./tables.server.ts";

/** A signed-in person, as the server knows them at this request. */
export type Actor = RoleFlags & {
  id: string;
  email: string;
  fullName: string | null;
  hasActiveSubscription: boolean;
  sessionId: string;
  /** They proved lately who they are, or nobody asks for it: what is sensitive needs this. */
  isProved: boolean;
  /** When they need a second factor that they do not have; from then on they have no role. */
  factorDueAt: Date | null;
};

/** Who is acting; null is a visitor. `const actor = context.get(currentActor)` */
export const currentActor = createContext<Actor | null>(null);

/**
 * Who is acting on a screen behind a guard that lets in only who is signed in.
 *
 * @throws {SignedOut} where the guard is missing.
 */
export function signedInActor(context: Readonly<RouterContextProvider>): Actor {
  const actor = context.get(currentActor);
  if (!actor) throw new SignedOut();
  return actor;
}

/** Whether their roles are withheld until they have set up a second factor. */
export function owesFactor({ factorDueAt }: Pick<Actor, "factorDueAt">): boolean {
  return factorDueAt !== null && factorDueAt <= now();
}

type Subscription = {
  isSubscribed: boolean | null;
  subscriptionEndsAt: Date | null;
  isRecurring: boolean | null;
};

/** The one rule of who is a subscriber: subscribed, and not past an end that does not renew. */
export function isActive(subscription: Subscription, moment: Date): boolean {
  const { isSubscribed, subscriptionEndsAt, isRecurring } = subscription;
  return Boolean(
    isSubscribed && (!subscriptionEndsAt || subscriptionEndsAt > moment || isRecurring),
  );
}

/** The one rule of who is kept out: whoever has a ban that has not ended. */
export function isBanned({ bannedUntil }: { bannedUntil: Date | null }, moment: Date): boolean {
  return bannedUntil !== null && bannedUntil > moment;
}

/** The other way round in SQL, of the user that a query selects. */
export function isNotBanned(): SQL | undefined {
  return or(isNull(users.bannedUntil), lte(users.bannedUntil, now()));
}

export type OwnProfile = { fullName: string | null; phone: string | null; createdAt: Date };

/** What the product knows of this person; null when there is no profile. */
export async function readOwnProfile(
  db: Database,
  actor: { id: string },
): Promise<OwnProfile | null> {
  const [profile] = await db
    .select({
      fullName: profiles.fullName,
      phone: profiles.phone,
      createdAt: profiles.createdAt,
    })
    .from(profiles)
    .where(eq(profiles.id, actor.id));
  return profile ?? null;
}
