import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { findConfirmedAccount } from "../accounts/find-account.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import type { Database } from "../platform/database.server.ts";
import { noSubscription, subscriptionFields, type SubscriptionFields } from "./fields.server.ts";

export type Grant = { endsAt: Date | null; isRecurring: boolean };

/** Gives a confirmed account a job-board subscription, or changes the one it has. Operator only. */
export async function grantSubscription(db: Database, email: string, grant: Grant): Promise<void> {
  await change(db, email, "subscription.grant", {
    isSubscribed: true,
    subscriptionEndsAt: grant.endsAt,
    subscriptionId: `SUB_${randomUUID()}`,
    isRecurring: grant.isRecurring,
  });
}

/** Ends a subscription at once. Harmless when there is none. */
export async function endSubscription(db: Database, email: string): Promise<void> {
  await change(db, email, "subscription.end", noSubscription);
}

async function change(
  db: Database,
  email: string,
  event: string,
  after: SubscriptionFields,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id } = await findConfirmedAccount(tx, email);
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
