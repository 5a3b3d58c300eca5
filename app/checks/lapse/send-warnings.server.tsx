import { and, asc, eq, gt, isNotNull, lte, notExists, sql, type SQL } from "drizzle-orm";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { isAwaitingFirstCheck } from "../../jobs/due-checks.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { queueMail, type Sender } from "../../mail/deliver-mail.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { type Log, logFailure } from "../../platform/log.server.ts";
import { UncheckedListingMail } from "./emails.tsx";

/** The days after a listing appeared on which its owner hears that it is unchecked. */
const warningDays = [7, 12] as const;

/** The listings read at a time. */
const batch = 100;

/**
 * Emails the owners of listings that lapse and that nobody has checked, on days 7 and 12. After downtime each gets
 * only the latest email that is due. @param app has the log for failures
 */
export async function sendOwnerWarnings(
  app: { db: Database; log: Log },
  sender: Sender,
): Promise<void> {
  let after: string | null = null;
  do {
    // Paging by id skips no listing when others are checked in the meantime.
    const due: UncheckedJob[] = await selectUnwarned(
      app.db,
      after === null ? undefined : gt(jobs.id, after),
    )
      .orderBy(asc(jobs.id))
      .limit(batch);
    for (const { id } of due) await queueOwnerWarning(app, sender, id);
    after = due.length === batch ? due.at(-1)!.id : null;
  } while (after);
}

/** Queues the email about one listing, unless it was checked or archived in the meantime. */
async function queueOwnerWarning(
  { db, log }: { db: Database; log: Log },
  { origin, product }: Sender,
  id: string,
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      const [job] = await selectUnwarned(tx, eq(jobs.id, id)).for("share", { of: jobs });
      if (!job?.leavesAt) return;
      const subject = `“${job.title}” isn't checked yet`;
      await queueMail(tx, {
        cause: `job-unchecked:${job.mark}`,
        to: job.email,
        subject,
        body: (
          <UncheckedListingMail
            product={product}
            origin={origin}
            title={subject}
            job={{ ...job, leavesAt: job.leavesAt }}
          />
        ),
      });
    });
  } catch (error) {
    // One failure must not block the others. The next run retries it.
    logFailure(log, error, "warning about an unchecked listing not written", { job: id });
  }
}

type UncheckedJob = Awaited<ReturnType<typeof selectUnwarned>>[number];

/** Selects unchecked listings whose owner wasn't emailed about the latest of the two days. */
function selectUnwarned(db: Database, condition: SQL | undefined) {
  const moment = now();
  // The check of such a listing is due on the first of the two days.
  const [first, last] = warningDays;
  const lastDue = new Date(moment.getTime() - (last - first) * day);
  const mark = sql<string>`${jobs.id} || ':' || extract(epoch from ${jobs.checkDueAt})::bigint || ':' ||
    case when ${jobs.checkDueAt} <= ${lastDue.toISOString()}::timestamptz then ${last}::int else ${first}::int end`;
  const warnings = db
    .select({ one: sql`1` })
    .from(mails)
    .where(eq(mails.cause, sql`'job-unchecked:' || ${mark}`));
  return db
    .select({
      id: jobs.id,
      title: jobs.title,
      company: jobs.company,
      leavesAt: jobs.liveUntil,
      email: users.email,
      mark,
    })
    .from(jobs)
    .innerJoin(users, eq(users.id, jobs.createdBy))
    .where(
      and(
        condition,
        isOpen,
        isAwaitingFirstCheck,
        lte(jobs.checkDueAt, moment),
        isNotNull(jobs.liveUntil),
        isNotBanned(),
        notExists(warnings),
      ),
    )
    .$dynamic();
}
