import { eq } from "drizzle-orm";
import { day, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { milestones } from "../../platform/tables.server.ts";

/** The row that says since when staff need a second factor; without it they do not. */
export const staffRule = "staff-second-factor";
/** For so long somebody who became staff may do without. */
const respite = 7 * day;

/** At a start: notes since when the settings require a second factor of staff, or that they do not. */
export async function settleStaffRule(
  db: Database,
  { staffSecondFactor }: Pick<Config, "staffSecondFactor">,
): Promise<void> {
  if (staffSecondFactor === "required")
    await db.insert(milestones).values({ name: staffRule, at: now() }).onConflictDoNothing();
  else await db.delete(milestones).where(eq(milestones.name, staffRule));
}

/**
 * When somebody who has no second factor needs one: a week after they became staff, or after the first
 * start that requires it. Null for who is no staff, and where it is not required.
 */
export function factorDueAt(facts: {
  requiredSince: Date | null;
  staffSince: Date | null;
}): Date | null {
  const { requiredSince, staffSince } = facts;
  if (!requiredSince || !staffSince) return null;
  return new Date(Math.max(requiredSince.getTime(), staffSince.getTime()) + respite);
}
