import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { CheckResult } from "../../jobs/check-rules.ts";
import { needsCheck } from "../../jobs/due-checks.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { hasRemovedListing, recordCheck } from "../../jobs/job-checks.server.ts";
import { isManagedBy } from "../../jobs/own-listings.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { CheckSettings } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { type CheckOutcome, createCheckConflict, maxSelection, messages } from "./rules.ts";

/**
 * Records that listings are open, filled or closed, each in its own transaction. A filled or closed one is archived.
 *
 * @returns how many listings were checked, and how many not
 * @throws {Denied} without permission
 * @throws {Invalid} without a listing, or with too many
 * @throws {Conflict} when none of them could be checked, and for "open" from a person with a removed listing
 */
export async function checkJobs(
  db: Database,
  actor: Actor | null,
  { jobIds, result }: { jobIds: string[]; result: CheckResult },
  settings: CheckSettings,
): Promise<CheckOutcome> {
  authorize(actor, "job.check");
  const ids = [...new Set(jobIds)];
  if (ids.length === 0) throw new Invalid({ "": messages.noSelection });
  if (ids.length > maxSelection) throw new Invalid({ "": messages.selectionTooLarge });
  if (result === "open" && (await hasRemovedListing(db, actor)))
    throw new Conflict(messages.needsAdmin);
  const outcome: CheckOutcome = { result, checked: 0, current: 0, gone: 0 };
  for (const id of ids) outcome[await checkJob(db, actor, { id, result }, settings)] += 1;
  if (outcome.checked === 0) throw createCheckConflict(outcome);
  return outcome;
}

/** @returns "current" if someone else has just checked it, "gone" if it isn't open or not the actor's */
async function checkJob(
  db: Database,
  actor: Actor,
  { id, result }: { id: string; result: CheckResult },
  settings: CheckSettings,
): Promise<"checked" | "current" | "gone"> {
  if (!isUuid(id)) return "gone";
  return db.transaction(async (tx) => {
    const [job] = await tx
      .select({ checkedAt: jobs.checkedAt, needsCheck })
      .from(jobs)
      .where(and(eq(jobs.id, id), isOpen, isManagedBy(actor)))
      .for("no key update");
    if (!job) return "gone";
    if (result === "open" && !job.needsCheck) return "current";
    await recordCheck(tx, id, { kind: "staff", result, actorId: actor.id }, settings);
    await recordAuditEvents(tx, [
      {
        actor,
        event: "job.check",
        subject: { type: "job", id },
        before: { checkedAt: job.checkedAt },
        after: { result },
      },
    ]);
    return "checked";
  });
}
