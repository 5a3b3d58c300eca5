import { createContext, type RouterContextProvider } from "react-router";
import { SignedOut } from "../platform/errors.ts";
import type { RoleFlags } from "./roles.ts";

/** A signed-in person, as the server knows them at this request. */
export type Actor = RoleFlags & {
  id: string;
  email: string;
  fullName: string | null;
  hasActiveSubscription: boolean;
  sessionId: string;
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
