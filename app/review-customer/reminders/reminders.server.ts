import { isDeepStrictEqual } from "node:util";
import { and, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, type SQL, sql } from "drizzle-orm";
import { isNotBanned } from "../../accounts/actor.server.ts";
import {
  listInstantMailAddresses,
  type MailRecipient,
  listStaffByMailChoice,
} from "../../accounts/mail-choices/mail-choices.server.ts";
import { chosenMails, staffRoles, users } from "../../accounts/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, getDayStart, hour, now, toIsoDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { type Log, logFailure } from "../../platform/log.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { notifyOfGatheredPurchasesLater } from "../buy/emails.server.tsx";
import type { Sender } from "../../mail/deliver-mail.server.ts";
import { notifyCustomerOfDelayLater } from "../../reviews/emails/customer-emails.server.tsx";
import { remindReviewerLater } from "../../reviews/emails/reviewer-emails.server.tsx";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { remindAdminLater } from "./admin-emails.server.tsx";

/**
 * Creates the task that sends reminders every minute: to staff about reviews to act on, and to customers about
 * late ones. Reminders are derived from the rows alone, so after downtime each review gets only its latest one.
 */
export function createRemindersTask(sender: Sender): Task<object> {
  return {
    name: "remind-of-reviews",
    schedule: "* * * * *",
    async run(_data, { db, log }) {
      await sendReminders({ db, log }, sender);
      await queueOrderDigests(db, sender);
    },
  };
}

/** The number of reviews read at a time. */
const batch = 200;

/** Queues every reminder that is due and was not sent before. @param app has the log for failures */
export async function sendReminders(
  app: { db: Database; log: Log },
  sender: Sender,
): Promise<void> {
  const admins = await listStaffByMailChoice(app.db, "god_admin", "review-late", "at once");
  const reviewers = new Map<string, string | undefined>();
  let after: string | null = null;
  do {
    // Paging by id skips no review when others are completed in the meantime.
    const rest = after === null ? undefined : gt(serviceReviews.id, after);
    const open: OpenReview[] = await selectOpenReviews(app.db, rest)
      .orderBy(serviceReviews.id)
      .limit(batch);
    await addAddresses(app.db, reviewers, open);
    const unsent = await filterUnsentSteps(
      app.db,
      open.flatMap((one) => listReminderSteps(one, { admins, reviewers })),
    );
    for (const step of unsent) await queueReminder(app, sender, step);
    after = open.length === batch ? open.at(-1)!.id : null;
  } while (after);
}

async function addAddresses(
  db: Database,
  addressById: Map<string, string | undefined>,
  open: OpenReview[],
): Promise<void> {
  const reviewerIds = open.map(({ reviewerId }) => reviewerId).filter((id) => id !== null);
  const unknown = [...new Set(reviewerIds)].filter((id) => !addressById.has(id));
  if (unknown.length === 0) return;
  const addresses = await listInstantMailAddresses(db, "work-due", unknown);
  for (const id of unknown) addressById.set(id, addresses.get(id));
}

type Step = {
  /** Contains the ids and the due date, so that each reminder is sent once. */
  cause: string;
  review: OpenReview;
  to: string;
  audience: keyof typeof writers;
};

/** Lists the latest reminder that is due, one for each recipient. */
function listReminderSteps(
  review: OpenReview,
  {
    admins,
    reviewers,
  }: { admins: MailRecipient[]; reviewers: ReadonlyMap<string, string | undefined> },
): Step[] {
  const { id, buyer, boughtAt, dueAt, assignmentId, assignedAt, reviewerId } = review;
  const date = dueAt.toISOString();
  const passed = (now().getTime() - boughtAt.getTime()) / (dueAt.getTime() - boughtAt.getTime());
  const steps: Step[] = [];
  const isLate = passed >= 1;
  if (isLate) {
    steps.push({ cause: `review-late:${id}:${date}`, review, to: buyer, audience: "customer" });
  }
  if (isLate || assignmentId === null) {
    const step = isLate ? "late" : "half";
    for (const admin of admins) {
      const cause = `review-${step}:${id}:${date}:${admin.id}`;
      steps.push({ cause, review, to: admin.email, audience: "admin" });
    }
  }
  const reviewer = reviewerId === null ? undefined : reviewers.get(reviewerId);
  if (passed >= 0.75 && reviewer) {
    const assignment = `${assignmentId}:${assignedAt?.toISOString()}`;
    const cause = `review-due:${assignment}:${date}`;
    steps.push({ cause, review, to: reviewer, audience: "reviewer" });
  }
  return steps;
}

/** Leaves out steps whose email exists already, so that it is not rendered again. */
async function filterUnsentSteps(db: Database, steps: Step[]): Promise<Step[]> {
  if (steps.length === 0) return [];
  const causes = steps.map(({ cause }) => cause);
  const rows = await db
    .select({ cause: mails.cause })
    .from(mails)
    .where(inArray(mails.cause, causes));
  const sentCauses = new Set(rows.map(({ cause }) => cause));
  return steps.filter(({ cause }) => !sentCauses.has(cause));
}

/** Queues a reminder, unless its review was completed or reassigned in the meantime. */
async function queueReminder(
  { db, log }: { db: Database; log: Log },
  sender: Sender,
  { review, audience, ...mail }: Step,
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      const [current] = await selectOpenReviews(tx, eq(serviceReviews.id, review.id)).for("share", {
        of: serviceReviews,
      });
      if (isDeepStrictEqual(current, review))
        await writers[audience](tx, sender, { ...mail, review });
    });
  } catch (error) {
    // One failure must not block the others. The next run, a minute later, retries it.
    logFailure(log, error, "reminder not written", { cause: mail.cause });
  }
}

const writers = {
  customer: notifyCustomerOfDelayLater,
  admin: remindAdminLater,
  reviewer: remindReviewerLater,
};

/** The time after which an overdue review gets no more reminders. Mails are stored longer, so none repeats. */
const remindedFor = 21 * day;

/** An uncompleted review with at least half of its time over. */
type OpenReview = Awaited<ReturnType<typeof selectOpenReviews>>[number];

const promisedFor =
  sql<Date>`coalesce(${serviceReviews.extendedTo}, ${serviceReviews.dueAt})`.mapWith(
    serviceReviews.dueAt,
  );

/**
 * Selects reviews whose time is at least half over and that someone can still act on.
 *
 * @param condition limits them further; undefined selects all
 */
function selectOpenReviews(db: Database, condition: SQL | undefined) {
  const moment = now();
  const { createdAt } = serviceReviews;
  return db
    .select({
      id: serviceReviews.id,
      buyer: users.email,
      serviceType: serviceReviews.serviceType,
      secondLookOf: serviceReviews.secondLookOf,
      boughtAt: createdAt,
      dueAt: promisedFor,
      assignmentId: reviewAssignments.id,
      assignedAt: reviewAssignments.assignedAt,
      reviewerId: reviewAssignments.reviewerId,
      reviewerName: reviewAssignments.reviewerName,
    })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .leftJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .where(
      and(
        condition,
        ne(serviceReviews.status, "completed"),
        isNotNull(serviceReviews.dueAt),
        isNull(serviceReviews.withdrawnAt),
        lte(sql`${createdAt} + (${promisedFor} - ${createdAt}) / 2`, moment),
        gt(promisedFor, new Date(moment.getTime() - remindedFor)),
      ),
    )
    .$dynamic();
}

/** The time of day of the morning digest, in the product's time zone. */
const morning = 9 * hour;

/**
 * Queues the morning digest of new orders for each god admin who chose it. If no process ran in the morning, the
 * next run sends it. An admin who chose another setting since gets one last digest up to that change.
 */
export async function queueOrderDigests(db: Database, sender: Sender): Promise<void> {
  const until = getLastMorning(now());
  const isDue = and(eq(chosenMails.kind, "new-order"), lt(chosenMails.notifiedUntil, until));
  const due = await db.select({ userId: chosenMails.userId }).from(chosenMails).where(isDue);
  for (const { userId } of due) {
    await db.transaction(async (tx) => {
      const [row] = await tx
        .select()
        .from(chosenMails)
        .where(and(isDue, eq(chosenMails.userId, userId)))
        .for("update");
      if (!row?.notifiedUntil) return;
      const [admin] = await tx
        .select({ id: users.id, email: users.email })
        .from(users)
        .innerJoin(staffRoles, eq(staffRoles.userId, users.id))
        .where(and(eq(users.id, userId), eq(staffRoles.role, "god_admin"), isNotBanned()));
      const isStillDaily = row.choice === "every morning";
      if (admin && row.choice !== "never") {
        const cause = `new-orders:${until.toISOString()}:${userId}`;
        const period = { since: row.notifiedUntil, until: isStillDaily ? until : row.changedAt };
        await notifyOfGatheredPurchasesLater(tx, sender, admin, { cause, ...period });
      }
      await tx
        .update(chosenMails)
        .set({ notifiedUntil: isStillDaily ? until : null })
        .where(and(eq(chosenMails.userId, userId), eq(chosenMails.kind, "new-order")));
    });
  }
}

/** Returns 9 AM of today, or of yesterday before 9 AM. */
function getLastMorning(moment: Date): Date {
  const today = getDayStart(toIsoDay(moment)).getTime() + morning;
  return new Date(today <= moment.getTime() ? today : today - day);
}
