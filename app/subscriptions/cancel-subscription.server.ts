import { and, eq, sql } from "drizzle-orm";
import { profiles } from "../accounts/tables.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import type { Database } from "../platform/database.server.ts";
import { NotFound } from "../platform/errors.ts";
import { noSubscription, subscriptionFields } from "./fields.server.ts";

/**
 * Ends one's own subscription at once, and with it the access that it gave. Cannot be undone.
 *
 * @param subscriptionId the one that was shown, so that a page left open never ends a later one;
 * null where it has no id
 * @returns false when nothing was left to cancel, which is harmless.
 * @throws {NotFound} when the subscription is another than one's own.
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
    if (ended.length === 0) throw new NotFound("This subscription is not yours, or has ended.");
    const subject = { type: "user", id: subscriber.id };
    await recordAuditEvents(tx, [
      { actor: subscriber, event: "subscription.cancel", subject, before, after: noSubscription },
    ]);
    return true;
  });
}
