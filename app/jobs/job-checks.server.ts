import { and, asc, eq, inArray, isNull, lte, or } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { permissions } from "../accounts/permissions.server.ts";
import { day, now } from "../platform/clock.ts";
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
 * Before the first check is due, a contact's word that the job is open is no check.
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
    .select({
      closesOn: jobs.closesOn,
      lapses: jobs.lapses,
      checkedAt: jobs.checkedAt,
      checkDueAt: jobs.checkDueAt,
    })
    .from(jobs)
    .where(and(eq(jobs.id, jobId), isOpen))
    .for("no key update");
  if (!job) return false;
  const at = now();
  // Staff look at a new listing first: its owner may have named themselves as the contact.
  const isTooEarly = !job.checkedAt && job.checkDueAt > at;
  if (kind === "contact" && result === "open" && isTooEarly) return true;
  await tx
    .update(jobs)
    .set(
      result === "open"
        ? getNextCheck(job, at, settings)
        : { isArchived: true, archivedReason: kind === "feed" ? "gone" : result },
    )
    .where(eq(jobs.id, jobId));
  await tx.insert(jobChecks).values({ jobId, at, kind, actorId, result });
  return true;
}

/**
 * Records that the list of jobs of a company still has these listings. One that was checked within a day is left out, so
 * that a file that is imported again changes nothing.
 *
 * @returns the number of recorded checks
 */
export async function recordFeedChecks(
  tx: Database,
  jobIds: readonly string[],
  settings: CheckSettings,
): Promise<number> {
  if (jobIds.length === 0) return 0;
  const at = now();
  const isDue = or(isNull(jobs.checkedAt), lte(jobs.checkedAt, new Date(at.getTime() - day)));
  const due = await tx
    .select({ id: jobs.id, closesOn: jobs.closesOn, lapses: jobs.lapses })
    .from(jobs)
    .where(and(inArray(jobs.id, [...jobIds]), isOpen, isDue))
    .orderBy(asc(jobs.id))
    .for("no key update");
  const checks = due.map((job) => ({ id: job.id, ...getNextCheck(job, at, settings) }));
  // Most listings have the same dates.
  for (const same of Map.groupBy(checks, ({ liveUntil }) => liveUntil?.getTime()).values()) {
    const { id: _first, ...dates } = same[0]!;
    const ids = same.map(({ id }) => id);
    await tx.update(jobs).set(dates).where(inArray(jobs.id, ids));
    await tx
      .insert(jobChecks)
      .values(ids.map((jobId) => ({ jobId, at, kind: "feed" as const, result: "open" as const })));
  }
  return checks.length;
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
