import { and, between, eq, gt, lte, notExists, sql } from "drizzle-orm";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { chosenMails, users } from "../../accounts/tables.server.ts";
import { getClosingEnd } from "../../jobs/check-rules.ts";
import { findOpenJobs, isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { queueMail, type Sender } from "../../mail/deliver-mail.server.ts";
import { day, now, toIsoDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { type Log, logFailure } from "../../platform/log.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { closingMails, trackedJobs } from "../tracker/tables.server.ts";
import { buildClosingMail } from "./closing-mail.server.tsx";

/** Creates the task that emails people about saved jobs that close soon, at 9 AM in India. */
export function createClosingMailsTask(sender: Sender): Task<object> {
  return {
    name: "send-closing-mails",
    schedule: "30 3 * * *",
    run: async (_data, app) => void (await sendClosingMails(app, sender)),
  };
}

/** The email is sent this many days before the last day to apply. */
const daysBefore = 3;

/** The number of people that one query reads. */
const batch = 1_000;

/**
 * Sends one email to each person who chose it, about all of their saved jobs that close within three days. They hear of
 * a job once. After downtime, the next run still finds those that are open.
 *
 * @param app has the log for failures
 * @returns the number of queued emails
 */
export async function sendClosingMails(
  app: { db: Database; log: Log },
  sender: Sender,
): Promise<number> {
  let queued = 0;
  let after: string | null = null;
  do {
    const due: Reader[] = await selectReaders(app.db, after);
    for (const reader of due) if (await queueClosingMail(app, sender, reader)) queued += 1;
    after = due.length === batch ? due.at(-1)!.id : null;
  } while (after);
  return queued;
}

/** A person with their saved jobs that close soon, the next to close first. */
type Reader = Awaited<ReturnType<typeof selectReaders>>[number];

/** Selects people with jobs to hear about, in the order of their ids. @param after the last one of an earlier batch */
export function selectReaders(db: Database, after: string | null) {
  const moment = now();
  const last = toIsoDay(new Date(moment.getTime() + daysBefore * day));
  const earlierMails = db
    .select({ one: sql`1` })
    .from(closingMails)
    .where(and(eq(closingMails.userId, trackedJobs.userId), eq(closingMails.jobId, jobs.id)));
  return db
    .select({
      id: users.id,
      email: users.email,
      jobIds: sql<string[]>`array_agg(${jobs.id} order by ${jobs.closesOn}, ${jobs.id})`,
    })
    .from(jobs)
    .innerJoin(trackedJobs, eq(trackedJobs.jobId, jobs.id))
    .innerJoin(users, eq(users.id, trackedJobs.userId))
    .innerJoin(chosenMails, eq(chosenMails.userId, users.id))
    .where(
      and(
        isOpen,
        // An index finds the few jobs by this, which is never after the end of their last day.
        lte(jobs.liveUntil, getClosingEnd(last)),
        between(jobs.closesOn, toIsoDay(moment), last),
        eq(trackedJobs.state, "saved"),
        eq(chosenMails.kind, "saved-job-closes"),
        eq(chosenMails.choice, "at once"),
        isNotBanned(moment),
        notExists(earlierMails),
        after === null ? undefined : gt(users.id, after),
      ),
    )
    .groupBy(users.id)
    .orderBy(users.id)
    .limit(batch);
}

/** Queues the email of a person. Of several runs at once, the first to record a job writes about it. */
async function queueClosingMail(
  { db, log }: { db: Database; log: Log },
  sender: Sender,
  { jobIds, ...person }: Reader,
): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      const recorded = await tx
        .insert(closingMails)
        .values(jobIds.map((jobId) => ({ userId: person.id, jobId, at: now() })))
        .onConflictDoNothing()
        .returning({ jobId: closingMails.jobId });
      const open = await findOpenJobs(
        tx,
        recorded.map(({ jobId }) => jobId),
      );
      const [first, ...others] = jobIds.flatMap((id) => open.find((job) => job.id === id) ?? []);
      if (!first) return false;
      await queueMail(tx, buildClosingMail(sender, person, [first, ...others]));
      return true;
    });
  } catch (error) {
    // One failure must not block the others. The next run retries it.
    logFailure(log, error, "email about closing jobs not written", { person: person.id });
    return false;
  }
}
