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
import { day, getDayStart, hour, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { type Log, logFailure } from "../../platform/log.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { notifyOfGatheredPurchasesLater } from "../buy/emails.server.tsx";
import { toIsoDay } from "../../reviews/due-dates/due-dates.ts";
import type { Sender } from "../../reviews/emails.server.tsx";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import {
  notifyCustomerOfDelayLater,
  remindAdminLater,
  remindReviewerLater,
} from "./emails.server.tsx";

/**
 * Every minute, tells who must act of the reviews whose time passes, and the customer of one that is late.
 * What is to be said follows from the rows alone: after a standstill only the last step of each is said.
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

/** Most that one look reads at a time. */
const batch = 200;

/** Sends what is due to be said and has not been. @param app where to read, and to say what failed */
export async function sendReminders(
  app: { db: Database; log: Log },
  sender: Sender,
): Promise<void> {
  const admins = await listStaffByMailChoice(app.db, "god_admin", "review-late", "at once");
  const reviewers = new Map<string, string | undefined>();
  let after: string | null = null;
  do {
    // In the order of ids, so that none is left out while others are completed.
    const rest = after === null ? undefined : gt(serviceReviews.id, after);
    const open: OpenReview[] = await selectOpenReviews(app.db, rest)
      .orderBy(serviceReviews.id)
      .limit(batch);
    await addAddresses(app.db, reviewers, open);
    const unsaid = await filterUnsentSteps(
      app.db,
      open.flatMap((one) => listReminderSteps(one, { admins, reviewers })),
    );
    for (const step of unsaid) await queueReminder(app, sender, step);
    after = open.length === batch ? open.at(-1)!.id : null;
  } while (after);
}

async function addAddresses(
  db: Database,
  known: Map<string, string | undefined>,
  open: OpenReview[],
): Promise<void> {
  const asked = open.map(({ reviewerId }) => reviewerId).filter((id) => id !== null);
  const unknown = [...new Set(asked)].filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const found = await listInstantMailAddresses(db, "work-due", unknown);
  for (const id of unknown) known.set(id, found.get(id));
}

type Step = {
  /** Names the review, its assignment and its date, so that each mail is sent once for each of them. */
  cause: string;
  review: OpenReview;
  to: string;
  says: keyof typeof writers;
};

/** The last step that has passed, for each who is to hear of it. */
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
    steps.push({ cause: `review-late:${id}:${date}`, review, to: buyer, says: "customer" });
  }
  if (isLate || assignmentId === null) {
    const step = isLate ? "late" : "half";
    for (const admin of admins) {
      const cause = `review-${step}:${id}:${date}:${admin.id}`;
      steps.push({ cause, review, to: admin.email, says: "admin" });
    }
  }
  const reviewer = reviewerId === null ? undefined : reviewers.get(reviewerId);
  if (passed >= 0.75 && reviewer) {
    const assignment = `${assignmentId}:${assignedAt?.toISOString()}`;
    const cause = `review-due:${assignment}:${date}`;
    steps.push({ cause, review, to: reviewer, says: "reviewer" });
  }
  return steps;
}

/** A cause that has made its mail makes no other one; so it is not written either. */
async function filterUnsentSteps(db: Database, steps: Step[]): Promise<Step[]> {
  if (steps.length === 0) return [];
  const causes = steps.map(({ cause }) => cause);
  const rows = await db
    .select({ cause: mails.cause })
    .from(mails)
    .where(inArray(mails.cause, causes));
  const said = new Set(rows.map(({ cause }) => cause));
  return steps.filter(({ cause }) => !said.has(cause));
}

/** Checks the review again: it may have been completed or reassigned meanwhile. */
async function queueReminder(
  { db, log }: { db: Database; log: Log },
  sender: Sender,
  { review, says, ...mail }: Step,
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      const [still] = await selectOpenReviews(tx, eq(serviceReviews.id, review.id)).for("share", {
        of: serviceReviews,
      });
      if (isDeepStrictEqual(still, review)) await writers[says](tx, sender, { ...mail, review });
    });
  } catch (error) {
    // One that cannot be written must not keep the others waiting; the next minute tries it again.
    logFailure(log, error, "reminder not written", { cause: mail.cause });
  }
}

const writers = {
  customer: notifyCustomerOfDelayLater,
  admin: remindAdminLater,
  reviewer: remindReviewerLater,
};

/** After this time another reminder would not help. Mails are stored a little longer. */
const remindedFor = 21 * day;

/** A review that is not ready, of whose time at least half is over. */
type OpenReview = Awaited<ReturnType<typeof selectOpenReviews>>[number];

const promisedFor =
  sql<Date>`coalesce(${serviceReviews.extendedTo}, ${serviceReviews.dueAt})`.mapWith(
    serviceReviews.dueAt,
  );

/**
 * Selects reviews whose time is at least half over and that someone can still act on.
 *
 * @param which of them; all where none is said
 */
function selectOpenReviews(db: Database, which: SQL | undefined) {
  const moment = now();
  const { createdAt } = serviceReviews;
  return db
    .select({
      id: serviceReviews.id,
      buyer: users.email,
      serviceType: serviceReviews.serviceType,
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
        which,
        ne(serviceReviews.status, "completed"),
        isNotNull(serviceReviews.dueAt),
        isNull(serviceReviews.withdrawnAt),
        lte(sql`${createdAt} + (${promisedFor} - ${createdAt}) / 2`, moment),
        gt(promisedFor, new Date(moment.getTime() - remindedFor)),
      ),
    )
    .$dynamic();
}

/** When a morning's mail is written, in hours of the product's clock. */
const morning = 9 * hour;

/**
 * Tells each god admin who wants it so what was bought since their last morning's mail, once a morning: also
 * late, when nothing ran in the morning itself. Who wants to know at once since gets what was gathered until then a
 * last time.
 */
export async function queueOrderDigests(db: Database, sender: Sender): Promise<void> {
  const until = getLastMorning(now());
  const isBehind = and(eq(chosenMails.kind, "new-order"), lt(chosenMails.notifiedUntil, until));
  const due = await db.select({ userId: chosenMails.userId }).from(chosenMails).where(isBehind);
  for (const { userId } of due) {
    await db.transaction(async (tx) => {
      const [row] = await tx
        .select()
        .from(chosenMails)
        .where(and(isBehind, eq(chosenMails.userId, userId)))
        .for("update");
      if (!row?.notifiedUntil) return;
      const [admin] = await tx
        .select({ id: users.id, email: users.email })
        .from(users)
        .innerJoin(staffRoles, eq(staffRoles.userId, users.id))
        .where(and(eq(users.id, userId), eq(staffRoles.role, "god_admin"), isNotBanned()));
      const goesOn = row.choice === "every morning";
      if (admin && row.choice !== "never") {
        const cause = `new-orders:${until.toISOString()}:${userId}`;
        const gathered = { since: row.notifiedUntil, until: goesOn ? until : row.changedAt };
        await notifyOfGatheredPurchasesLater(tx, sender, admin, { cause, ...gathered });
      }
      await tx
        .update(chosenMails)
        .set({ notifiedUntil: goesOn ? until : null })
        .where(and(eq(chosenMails.userId, userId), eq(chosenMails.kind, "new-order")));
    });
  }
}

/** Nine in the morning of today, or of yesterday while it is not nine yet. */
function getLastMorning(moment: Date): Date {
  const today = getDayStart(toIsoDay(moment)).getTime() + morning;
  return new Date(today <= moment.getTime() ? today : today - day);
}
