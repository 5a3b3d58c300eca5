import { and, eq } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { permissions } from "../accounts/permissions.server.ts";
import { now } from "../platform/clock.ts";
import type { CheckSettings } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import {
  type CheckKind,
  type CheckResult,
  firstCheckWithin,
  getLiveUntil,
  lapseAfter,
} from "./check-rules.ts";
import { isOpen } from "./find.server.ts";
import { isCreatedBy } from "./own-listings.server.ts";
import { jobChecks, jobs } from "./tables.server.ts";

type Check = {
  kind: CheckKind;
  result: CheckResult;
  /** The account of the person who checked; null for a contact. */
  actorId: string | null;
};

/**
 * Records a check in the caller's transaction. An open job gets its next due date; a filled or closed one is archived.
 *
 * @returns false if the listing is archived, lapsed or deleted; then nothing is recorded. A concurrent check or
 * archiving waits, and the first one wins.
 */
export async function recordCheck(
  tx: Database,
  jobId: string,
  { kind, result, actorId }: Check,
  settings: CheckSettings,
): Promise<boolean> {
  const [job] = await tx
    .select({ closesOn: jobs.closesOn, lapses: jobs.lapses })
    .from(jobs)
    .where(and(eq(jobs.id, jobId), isOpen))
    .for("no key update");
  if (!job) return false;
  const at = now();
  await tx
    .update(jobs)
    .set(
      result === "open"
        ? getNextCheck(job, at, settings)
        : { isArchived: true, archivedReason: result },
    )
    .where(eq(jobs.id, jobId));
  await tx.insert(jobChecks).values({ jobId, at, kind, actorId, result });
  return true;
}

/**
 * Checks whether we removed a listing of this person after reports. Their own word then doesn't count as a check, which
 * would bring the same listing back as a checked one. God admins are exempt, since they decide about reports.
 */
export async function hasRemovedListing(db: Database, actor: Actor): Promise<boolean> {
  if (permissions["job.manage-any"](actor)) return false;
  const [removed] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isCreatedBy(actor), eq(jobs.archivedReason, "reported")))
    .limit(1);
  return removed !== undefined;
}

/** Returns the columns of a listing that nobody has checked and that leaves the board unless staff check it. */
export function getFirstCheck({ closesOn }: { closesOn: string | null }, publishedAt: Date) {
  const checkDueAt = new Date(publishedAt.getTime() + firstCheckWithin - lapseAfter);
  const liveUntil = getLiveUntil({ closesOn, checkDueAt, lapses: true });
  return { checkedAt: null, checkDueAt, lapses: true, liveUntil };
}

/** Returns the columns of a listing that was checked at a moment. */
export function getNextCheck(
  { closesOn, lapses }: { closesOn: string | null; lapses: boolean },
  checkedAt: Date,
  { checkEvery, lapsesAll }: CheckSettings,
) {
  const checkDueAt = new Date(checkedAt.getTime() + checkEvery);
  return {
    checkedAt,
    checkDueAt,
    liveUntil: getLiveUntil({ closesOn, checkDueAt, lapses: lapses || lapsesAll }),
  };
}
