import { asc, eq } from "drizzle-orm";
import { defaultChecks, getClosingEnd, lapseAfter } from "../../app/jobs/check-rules.ts";
import { jobChecks, jobs } from "../../app/jobs/tables.server.ts";
import { day, toIsoDay } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";

const { checkEvery } = defaultChecks;

/** The days since their last check of some listings, oldest first; null was never checked. Others are checked in time. */
const daysSinceCheck: readonly (number | null)[] = [null, 22, 17.3, 14.4, 14.2];
/** The position of the listing that has lapsed, and of those with a closing date. */
const lapsedAt = 1;
const closingAt = [8, 12];

/** Loads the checks of the demo's listings: most in time, some due, one overdue, one missing and one lapsed. */
export async function loadDemoChecks(tx: Database, moment: Date): Promise<void> {
  const open = await tx
    .select({ id: jobs.id, postedAt: jobs.postedAt, createdBy: jobs.createdBy })
    .from(jobs)
    .where(eq(jobs.isArchived, false))
    .orderBy(asc(jobs.postedAt));
  for (const [index, { id, postedAt, createdBy }] of open.entries()) {
    const sinceLast = daysSinceCheck[index];
    if (sinceLast === null) {
      const checkDueAt = new Date(moment.getTime() - 2 * day);
      await tx.update(jobs).set({ checkDueAt }).where(eq(jobs.id, id));
      continue;
    }
    const checks = listCheckTimes(postedAt, moment, sinceLast);
    await tx.insert(jobChecks).values(
      checks.map((at, round) => ({
        jobId: id,
        at,
        result: "open" as const,
        // The first check is the posting itself. Contacts answer some of the others.
        ...((index + round) % 3 === 2 && round > 0
          ? { kind: "contact" as const }
          : { kind: "staff" as const, actorId: createdBy }),
      })),
    );
    const checkedAt = checks.at(-1)!;
    const checkDueAt = new Date(checkedAt.getTime() + checkEvery);
    const isLapsed = index === lapsedAt;
    const closesOn = toIsoDay(new Date(moment.getTime() + (index + 9) * day));
    await tx
      .update(jobs)
      .set({
        checkedAt,
        checkDueAt,
        ...(isLapsed && { lapses: true, liveUntil: new Date(checkDueAt.getTime() + lapseAfter) }),
        ...(closingAt.includes(index) && { closesOn, liveUntil: getClosingEnd(closesOn) }),
      })
      .where(eq(jobs.id, id));
  }
}

/** Lists the times of a listing's checks, oldest first. They end some days before `moment`, if stated. */
function listCheckTimes(postedAt: Date, moment: Date, sinceLast: number | undefined): Date[] {
  const last = moment.getTime() - (sinceLast ?? 0) * day;
  const times: Date[] = [];
  for (let at = postedAt.getTime(); at <= last; at += checkEvery) times.push(new Date(at));
  if (sinceLast !== undefined) times.push(new Date(last));
  return times;
}
