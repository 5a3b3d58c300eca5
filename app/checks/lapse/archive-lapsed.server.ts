import { inArray } from "drizzle-orm";
import { getLapseReason } from "../../jobs/check-rules.ts";
import { hasLapsed } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";

/** The listings that one transaction archives, so that it holds few locks. */
const batch = 100;

/**
 * Archives the listings that have lapsed, and records the reason. Processes that run together take different ones.
 *
 * @returns the number of archived listings
 */
export async function archiveLapsedJobs(db: Database): Promise<number> {
  let archived = 0;
  for (;;) {
    const count = await db.transaction(archiveLapsedBatch);
    archived += count;
    if (count < batch) return archived;
  }
}

async function archiveLapsedBatch(tx: Database): Promise<number> {
  const lapsed = await tx
    .select({ id: jobs.id, closesOn: jobs.closesOn, liveUntil: jobs.liveUntil })
    .from(jobs)
    .where(hasLapsed)
    .orderBy(jobs.liveUntil)
    .limit(batch)
    .for("no key update", { skipLocked: true });
  const reasons = new Map(lapsed.map((job) => [job.id, getLapseReason(job)]));
  for (const reason of new Set(reasons.values())) {
    const ids = lapsed.filter(({ id }) => reasons.get(id) === reason).map(({ id }) => id);
    await tx
      .update(jobs)
      .set({ isArchived: true, archivedReason: reason })
      .where(inArray(jobs.id, ids));
  }
  await recordAuditEvents(
    tx,
    lapsed.map(({ id }) => ({
      actor: "operator",
      event: "job.lapse",
      subject: { type: "job", id },
      before: { isArchived: false },
      after: { isArchived: true, archivedReason: reasons.get(id) },
    })),
  );
  return lapsed.length;
}
