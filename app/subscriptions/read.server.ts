import { eq } from "drizzle-orm";
import { isActive } from "../accounts/actor.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { noSubscription, subscriptionFields, type SubscriptionFields } from "./fields.server.ts";

export type OwnSubscription = SubscriptionFields & {
  /** By the same rule that opens the job-board area. */
  isActive: boolean;
};

/** How this person's subscription stands now. */
export async function readOwnSubscription(
  db: Database,
  actor: { id: string },
): Promise<OwnSubscription> {
  const [row = noSubscription] = await db
    .select(subscriptionFields)
    .from(profiles)
    .where(eq(profiles.id, actor.id));
  return { ...row, isActive: isActive(row, now()) };
}
