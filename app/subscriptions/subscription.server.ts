import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { isSubscriptionActive } from "../accounts/actor.server.ts";
import { getConfirmedAccount } from "../accounts/bans-and-roles.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { NotFound } from "../platform/errors.ts";

/** The columns of a profile that make up its subscription. */
export const subscriptionFields = {
  isSubscribed: profiles.isSubscribed,
  subscriptionEndsAt: profiles.subscriptionEndsAt,
  subscriptionId: profiles.subscriptionId,
  isRecurring: profiles.isRecurring,
};

type SubscriptionFields = {
  isSubscribed: boolean;
  subscriptionEndsAt: Date | null;
  subscriptionId: string | null;
  isRecurring: boolean;
};

export const noSubscription: SubscriptionFields = {
  isSubscribed: false,
  subscriptionEndsAt: null,
  subscriptionId: null,
  isRecurring: false,
};

/** Returns the state of this person's subscription. */
export async function getOwnSubscription(db: Database, actor: { id: string }) {
  const [row = noSubscription] = await db
    .select(subscriptionFields)
    .from(profiles)
    .where(eq(profiles.id, actor.id));
  return { ...row, isActive: isSubscriptionActive(row, now()) };
}

/**
 * Ends the person's own subscription and its access immediately. This can't be undone.
 *
 * @param subscriptionId from the screen, so that an old page can't end a newer subscription; null if it has
 * no id
 * @returns false if there was nothing to cancel.
 * @throws {NotFound} if it isn't their current subscription.
 */
export async function cancelSubscription(
  db: Database,
  subscriber: { id: string; fullName: string | null },
  subscriptionId: string | null,
): Promise<boolean> {
  const isOwn = eq(profiles.id, subscriber.id);
  return db.transaction(async (tx) => {
    const [before] = await tx.select(subscriptionFields).from(profiles).where(isOwn).for("update");
    if (!before?.isSubscribed) return false;
    const ended = await tx
      .update(profiles)
      .set(noSubscription)
      .where(and(isOwn, sql`${profiles.subscriptionId} is not distinct from ${subscriptionId}`))
      .returning({ id: profiles.id });
    if (ended.length === 0) throw new NotFound("This subscription isn't yours or has ended.");
    const subject = { type: "user", id: subscriber.id };
    await recordAuditEvents(tx, [
      { actor: subscriber, event: "subscription.cancel", subject, before, after: noSubscription },
    ]);
    return true;
  });
}

export type Grant = { endsAt: Date | null; isRecurring: boolean };

/** Grants a confirmed account a job-board subscription, or changes its current one. Operator only. */
export async function grantSubscription(db: Database, email: string, grant: Grant): Promise<void> {
  await changeSubscription(db, email, "subscription.grant", {
    isSubscribed: true,
    subscriptionEndsAt: grant.endsAt,
    subscriptionId: `SUB_${randomUUID()}`,
    isRecurring: grant.isRecurring,
  });
}

/** Ends a subscription immediately. Does nothing if there is none. */
export async function revokeSubscription(db: Database, email: string): Promise<void> {
  await changeSubscription(db, email, "subscription.end", noSubscription);
}

async function changeSubscription(
  db: Database,
  email: string,
  event: string,
  after: SubscriptionFields,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id } = await getConfirmedAccount(tx, email);
    const [before] = await tx
      .select(subscriptionFields)
      .from(profiles)
      .where(eq(profiles.id, id))
      .for("update");
    await tx.update(profiles).set(after).where(eq(profiles.id, id));
    const subject = { type: "user", id };
    await recordAuditEvents(tx, [{ actor: "operator", event, subject, before, after }]);
  });
}
