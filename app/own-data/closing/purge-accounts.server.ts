import { and, eq, inArray, isNotNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import * as accounts from "../../accounts/tables.server.ts";
import { consents } from "../../accounts/consents/tables.server.ts";
import * as annotations from "../../annotations/tables.server.ts";
import { followUpQuestions } from "../../annotations/follow-up/tables.server.ts";
import { reviewShares } from "../../annotations/share/tables.server.ts";
import { jobReports } from "../../checks/tables.server.ts";
import { deleteStoredFile } from "../../files/clean-up/file-tasks.server.ts";
import type { FileStore } from "../../files/store.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { closedDomain } from "../../mail/rules.ts";
import { mails } from "../../mail/tables.server.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { auditEvents, rateLimits } from "../../platform/tables.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { listUnreferencedFilesOf } from "../../reviews/unreferenced-files.server.ts";
import * as reviews from "../../reviews/tables.server.ts";
import { alerts } from "../../seekers/alerts/tables.server.ts";
import { messageLinks } from "../../seekers/first-message/tables.server.ts";
import * as tracker from "../../seekers/tracker/tables.server.ts";
import { supportAnswers, supportMessages } from "../../support/tables.server.ts";

const unknown = "Unknown User";

/** Creates the task that purges the closed accounts that are due. */
export function createPurgeAccountsTask(store: FileStore): Task<object> {
  return {
    name: "purge-accounts",
    schedule: "*/10 * * * *",
    async run(_data, { db, log }) {
      const purged = await deleteClosedAccounts(db, store);
      if (purged > 0) log.info({ purged }, "closed accounts purged");
    },
  };
}

/**
 * Purges every closed account that is due. An interrupted run continues with the next: an account stays due until its
 * last file is deleted.
 *
 * @returns the number of purged accounts
 */
export async function deleteClosedAccounts(db: Database, store: FileStore): Promise<number> {
  let purged = 0;
  for (;;) {
    const userId = await deleteRowsOfNext(db);
    if (!userId) break;
    await deleteFilesOf(db, store, userId);
    await db.transaction(async (tx) => {
      const { rowCount } = await tx.delete(sealed).where(eq(sealed.userId, userId));
      if (!rowCount) return;
      const subject = { type: "user", id: userId };
      await recordAuditEvents(tx, [{ actor: "operator", event: "user.purge", subject }]);
      purged++;
    });
  }
  await deleteSettledMessages(db);
  return purged;
}

const sealed = accounts.sealedAccounts;

/** Deletes the rows of one account that is due, and empties those that stay, in one transaction. */
async function deleteRowsOfNext(db: Database): Promise<string | null> {
  return db.transaction(async (tx) => {
    const [person] = await tx
      .select()
      .from(sealed)
      .where(lte(sealed.purgeAt, now()))
      .orderBy(sealed.purgeAt)
      .limit(1)
      .for("update", { skipLocked: true });
    if (!person) return null;
    const { userId, email } = person;
    for (const [table, column] of ownTables) await tx.delete(table).where(eq(column, userId));
    await deleteTrackedJobs(tx, userId);
    await clearReviews(tx, userId);
    await clearOrders(tx, userId);
    await clearHistory(tx, person);
    await tx.delete(alerts).where(or(eq(alerts.userId, userId), eq(alerts.email, email)));
    await tx.delete(consents).where(eq(consents.email, email));
    await tx.delete(mails).where(inArray(mails.recipient, [email, `${userId}${closedDomain}`]));
    await tx.delete(rateLimits).where(sql`strpos(${rateLimits.key}, ${email}) > 0`);
    await clearReports(tx, person);
    await clearMessages(tx, person);
    await tx
      .update(accounts.profiles)
      .set({ fullName: null, phone: null, portfolioUrl: null, subscriptionId: null })
      .where(eq(accounts.profiles.id, userId));
    await tx.update(accounts.users).set({ image: null }).where(eq(accounts.users.id, userId));
    return userId;
  });
}

/** The tables whose rows of a person are deleted, with the column of the person. */
const ownTables: readonly [PgTable, PgColumn][] = [
  [accounts.accounts, accounts.accounts.userId],
  [accounts.accountUses, accounts.accountUses.userId],
  [accounts.sessions, accounts.sessions.userId],
  [accounts.halfSignIns, accounts.halfSignIns.userId],
  [accounts.oneTimeLinks, accounts.oneTimeLinks.userId],
  [accounts.authenticators, accounts.authenticators.userId],
  [accounts.recoveryCodes, accounts.recoveryCodes.userId],
  [accounts.passkeys, accounts.passkeys.userId],
  [accounts.chosenMails, accounts.chosenMails.userId],
  [accounts.staffRoles, accounts.staffRoles.userId],
  [consents, consents.userId],
  [reviews.reviewDrafts, reviews.reviewDrafts.userId],
  [reviews.reviewerAvailability, reviews.reviewerAvailability.userId],
  [reviews.reviewerProfiles, reviews.reviewerProfiles.userId],
  [annotations.reviewerPhrases, annotations.reviewerPhrases.userId],
  [messageLinks, messageLinks.userId],
  [tracker.closingMails, tracker.closingMails.userId],
];

/** The answers of the person stay only as a number about each company, as for a deleted account. */
async function deleteTrackedJobs(tx: Database, userId: string): Promise<void> {
  await tx.execute(sql`
    update reply_answers set user_id = null, tracked_job_id = null
    where id in (
      select distinct on (company_key) reply_answers.id
      from reply_answers join users on users.id = user_id
      where user_id = ${userId} and outcome <> 'withdrawn' and users.email_verified
        and users.created_at < users.closed_at - interval '14 days'
        and coalesce(users.banned_until < now(), true)
      order by company_key, at desc, reply_answers.id)`);
  await tx.delete(tracker.trackedJobs).where(eq(tracker.trackedJobs.userId, userId));
}

/** A review keeps its dates, type, scores and rating. The order has its fee. */
async function clearReviews(tx: Database, userId: string): Promise<void> {
  const { serviceReviews, reviewAssignments, reviewRatings } = reviews;
  const theirs = tx
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .where(eq(serviceReviews.userId, userId));
  for (const table of [
    reviews.reviewImages,
    reviews.reviewFiles,
    reviews.reviewBriefs,
    reviews.handedBackDrafts,
    followUpQuestions,
    annotations.reviewRemarks,
    reviewShares,
  ])
    await tx.delete(table).where(inArray(table.reviewId, theirs));
  await tx
    .update(reviewRatings)
    .set({ words: null })
    .where(inArray(reviewRatings.reviewId, theirs));
  await tx
    .update(reviewAssignments)
    .set({ draftFeedback: null, draftSavedAt: null, buyerName: unknown })
    .where(inArray(reviewAssignments.reviewId, theirs));
  await tx
    .update(reviewAssignments)
    .set({ reviewerName: "Unknown" })
    .where(eq(reviewAssignments.reviewerId, userId));
  await tx
    .update(reviews.handedBackDrafts)
    .set({ note: null })
    .where(eq(reviews.handedBackDrafts.formerReviewerId, userId));
  await tx
    .update(serviceReviews)
    .set({
      resumeFilePath: null,
      portfolioFilePath: null,
      portfolioUrl: null,
      reviewerFeedback: null,
    })
    .where(eq(serviceReviews.userId, userId));
}

/** The provider's fields stay for a while, in case the bank asks: see `deleteOldPersonalDetails`. */
async function clearOrders(tx: Database, userId: string): Promise<void> {
  const theirs = tx.select({ id: orders.orderId }).from(orders).where(eq(orders.buyerId, userId));
  await tx
    .update(reviews.reviewOrders)
    .set({ resumeFilePath: null, portfolioFilePath: null, portfolioUrl: null, brief: null })
    .where(inArray(reviews.reviewOrders.orderId, theirs));
  await tx
    .update(refunds)
    .set({ reason: null, answer: null })
    .where(and(inArray(refunds.orderId, theirs), ne(refunds.state, "asked")));
}

/** The history says that something was done, but no longer by whom. */
async function clearHistory(
  tx: Database,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await tx
    .update(auditEvents)
    .set({
      actorName: sql`case when ${auditEvents.actorId} = ${userId} then ${unknown} else ${auditEvents.actorName} end`,
      before: removeText(auditEvents.before, email),
      after: removeText(auditEvents.after, email),
    })
    .where(or(eq(auditEvents.actorId, userId), eq(auditEvents.subjectId, userId)));
}

function removeText(column: PgColumn, text: string): SQL {
  return sql`replace(${column}::text, ${text}, '')::jsonb`;
}

/** An open report still has to be checked. Its text is deleted 180 days after that. */
async function clearReports(
  tx: Database,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const isTheirs = or(eq(jobReports.reporterId, userId), eq(jobReports.email, email));
  await tx
    .update(jobReports)
    .set({ text: "", network: null })
    .where(and(isTheirs, isNotNull(jobReports.decidedAt)));
  await tx.update(jobReports).set({ reporterId: null, email: null }).where(isTheirs);
}

/** An open complaint keeps its address, so that we can answer it. Everything else is deleted. */
async function clearMessages(
  tx: Database,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const isTheirs = or(eq(supportMessages.senderId, userId), eq(supportMessages.email, email));
  const isDone = or(eq(supportMessages.state, "closed"), eq(supportMessages.kind, "question"));
  await tx.delete(supportMessages).where(and(isTheirs, isDone));
  const open = await tx
    .update(supportMessages)
    .set({ senderId: userId, name: unknown })
    .where(isTheirs)
    .returning({ id: supportMessages.id });
  await tx
    .update(supportAnswers)
    .set({ authorName: unknown })
    .where(
      and(
        supportAnswers.isFromWriter,
        inArray(
          supportAnswers.messageId,
          open.map(({ id }) => id),
        ),
      ),
    );
}

async function deleteFilesOf(db: Database, store: FileStore, userId: string): Promise<void> {
  const find = () => listUnreferencedFilesOf(db, userId);
  for (let files = await find(); files.length > 0; files = await find())
    for (const file of files) await deleteStoredFile(db, store, file);
  // Files in other people's reviews stay there, without their uploader.
  await db.update(storedFiles).set({ uploadedBy: null }).where(eq(storedFiles.uploadedBy, userId));
}

/** Deletes complaints of purged accounts, once they are settled. */
async function deleteSettledMessages(db: Database): Promise<void> {
  await db.delete(supportMessages).where(
    and(
      eq(supportMessages.state, "closed"),
      sql`exists (select 1 from ${accounts.users} where ${accounts.users.id} = ${supportMessages.senderId}
        and ${accounts.users.closedAt} is not null
        and not exists (select 1 from ${sealed} where ${sealed.userId} = ${accounts.users.id}))`,
    ),
  );
}
