import { and, eq, getTableColumns, getTableName, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import { consents } from "../../accounts/consents/tables.server.ts";
import * as accounts from "../../accounts/tables.server.ts";
import { followUpQuestions } from "../../annotations/follow-up/tables.server.ts";
import { reviewShares } from "../../annotations/share/tables.server.ts";
import {
  remarkOutcomes,
  reviewerPhrases,
  reviewRemarks,
  reviewScores,
} from "../../annotations/tables.server.ts";
import { contactQuestions } from "../../checks/question/tables.server.ts";
import { jobReports } from "../../checks/tables.server.ts";
import * as company from "../../companies/tables.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { jobChecks, jobs } from "../../jobs/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { creditNotes, refunds } from "../../payments/refunds/tables.server.ts";
import { invoices, orderEvents, orders } from "../../payments/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { jobSubmissions } from "../../posting/tables.server.ts";
import { payouts, reviewerPans } from "../../review-staff/earnings/tables.server.ts";
import * as reviews from "../../reviews/tables.server.ts";
import { alerts } from "../../seekers/alerts/tables.server.ts";
import { messageLinks } from "../../seekers/first-message/tables.server.ts";
import * as tracker from "../../seekers/tracker/tables.server.ts";
import { supportAnswers, supportMessages } from "../../support/tables.server.ts";
import { dataExports } from "./tables.server.ts";

/** The person whose data is exported. Their address is confirmed. */
export type Exported = {
  id: string;
  email: string;
  /** Limits the parts of reviews to one review. */
  reviewId?: string;
};

/** The rows of one table that are about a person. */
export type Section = {
  table: PgTable;
  /** The column with the person's id, if the table has one. */
  owner: PgColumn | null;
  /** True for the parts of a review. */
  isOfReview: boolean;
  find: (person: Exported) => SQL | undefined;
  /** The exported columns by name, and SQL for those that differ from the stored ones. */
  columns: Record<string, PgColumn | SQL>;
};

const isOwnReview = ({ id, reviewId }: Exported) =>
  and(
    eq(reviews.serviceReviews.userId, id),
    reviewId === undefined ? undefined : eq(reviews.serviceReviews.id, reviewId),
  );
const selectExportedReviews = (person: Exported) =>
  sql`(select ${reviews.serviceReviews.id} from ${reviews.serviceReviews} where ${isOwnReview(person)})`;
/** A review shows its customer what the reviewer wrote once it is completed. */
const isCompleted = eq(reviews.serviceReviews.status, "completed");
const selectCompletedReviews = (person: Exported) =>
  sql`(select ${reviews.serviceReviews.id} from ${reviews.serviceReviews} where ${and(isOwnReview(person), isCompleted)})`;
const selectOwnOrders = ({ id }: Exported) =>
  sql`(select ${orders.orderId} from ${orders} where ${eq(orders.buyerId, id)})`;
const isOwnMessage = ({ id, email }: Exported) =>
  or(eq(supportMessages.senderId, id), eq(supportMessages.email, email));
const reviewIsCompleted = sql.raw(
  "exists (select from service_reviews as r where r.id = review_questions.review_id and r.status = 'completed')",
);

/** Everything that is exported, in the order of the file. docs/own-data.md lists the same columns. */
export const sections: Section[] = [
  createSection(accounts.users, { find: ({ id }) => eq(accounts.users.id, id) }),
  createSection(accounts.profiles, { owner: accounts.profiles.id }),
  createSection(accounts.accounts, { owner: accounts.accounts.userId, without: ["password"] }),
  createSection(accounts.sessions, { owner: accounts.sessions.userId, without: ["tokenHash"] }),
  createSection(accounts.accountUses, { owner: accounts.accountUses.userId }),
  createSection(accounts.authenticators, {
    owner: accounts.authenticators.userId,
    without: ["sealedSecret", "keyId", "lastStep"],
  }),
  createSection(accounts.recoveryCodes, {
    owner: accounts.recoveryCodes.userId,
    without: ["codeHash"],
  }),
  createSection(accounts.passkeys, {
    owner: accounts.passkeys.userId,
    without: ["credentialId", "publicKey", "counter"],
  }),
  createSection(accounts.addressChanges, {
    owner: accounts.addressChanges.userId,
    without: ["confirmHash", "reverseHash"],
  }),
  createSection(accounts.staffRoles, { owner: accounts.staffRoles.userId }),
  createSection(accounts.chosenMails, { owner: accounts.chosenMails.userId }),
  createSection(consents, {
    owner: consents.userId,
    find: ({ email }) => eq(consents.email, email),
    without: ["emailHash"],
  }),
  // The texts have links with tokens. Emails to staff about a message repeat what its writer typed.
  createSection(mails, {
    find: ({ email }) =>
      and(eq(mails.recipient, email), sql`${mails.cause} !~ '^contact(-follow-up)?:'`),
    without: [
      "cause",
      "replyTo",
      "html",
      "text",
      "headers",
      "attempts",
      "lastError",
      "leasedUntil",
    ],
  }),
  createSection(storedFiles, {
    owner: storedFiles.uploadedBy,
    find: isFileOfPerson,
    isInstead: true,
    without: ["showable"],
  }),
  createSection(reviews.fileViews, {
    find: (person) =>
      sql`${reviews.fileViews.fileId} in (select ${storedFiles.id} from ${storedFiles} where ${isFileOfPerson(person)})`,
    without: ["viewerId"],
  }),
  createSection(reviews.blackOuts, {
    find: (person) =>
      sql`${reviews.blackOuts.copyFileId} in (select ${storedFiles.id} from ${storedFiles} where ${isFileOfPerson(person)})`,
  }),
  createSection(reviews.reviewDrafts, { owner: reviews.reviewDrafts.userId }),
  createSection(orders, {
    owner: orders.buyerId,
    without: ["checks", "lastCheckedAt", "nextCheckAt", "reasonToResolve", "resolvedAt"],
    instead: {
      checkoutFields: sql`${orders.checkoutFields} - '{key,hash}'::text[]`,
    },
  }),
  createSection(orderEvents, {
    find: (person) => sql`${orderEvents.orderId} in ${selectOwnOrders(person)}`,
    without: ["detail"],
  }),
  createSection(invoices, {
    find: (person) => sql`${invoices.orderId} in ${selectOwnOrders(person)}`,
  }),
  createSection(refunds, {
    find: (person) => sql`${refunds.orderId} in ${selectOwnOrders(person)}`,
    without: ["token", "askedBy", "decidedBy", "checks", "nextCheckAt"],
  }),
  createSection(creditNotes, {
    find: (person) => sql`${creditNotes.orderId} in ${selectOwnOrders(person)}`,
  }),
  createSection(reviews.reviewOrders, {
    find: (person) => sql`${reviews.reviewOrders.orderId} in ${selectOwnOrders(person)}`,
  }),
  createSection(reviews.serviceReviews, {
    isOfReview: true,
    owner: reviews.serviceReviews.userId,
    find: isOwnReview,
    isInstead: true,
    without: ["priority", "searchText"],
    instead: {
      reviewerFeedback: sql`case when ${reviews.serviceReviews.status} = 'completed' then ${reviews.serviceReviews.reviewerFeedback} end`,
      // Customers see no more of a reviewer than the first name in their introduction.
      reviewer: sql.raw(`(select nullif(p.first_name, '') from review_assignments as a
        join reviewer_profiles as p on p.user_id = a.reviewer_id
        where a.review_id = service_reviews.id and p.hidden_at is null)`),
      completedAt: sql
        .raw(
          "(select a.completed_at from review_assignments as a where a.review_id = service_reviews.id)",
        )
        .mapWith(reviews.reviewAssignments.completedAt),
    },
  }),
  createReviewSection(reviews.reviewBriefs, reviews.reviewBriefs.reviewId, selectExportedReviews),
  createReviewSection(
    reviews.reviewQuestions,
    reviews.reviewQuestions.reviewId,
    selectExportedReviews,
    {
      instead: {
        answer: sql`case when ${reviewIsCompleted} then ${reviews.reviewQuestions.answer} end`,
        answeredAt:
          sql`case when ${reviewIsCompleted} then ${reviews.reviewQuestions.answeredAt} end`.mapWith(
            reviews.reviewQuestions.answeredAt,
          ),
      },
    },
  ),
  createReviewSection(followUpQuestions, followUpQuestions.reviewId, selectExportedReviews, {
    without: ["version", "reviewerId", "answerVersion", "answeredBy"],
    instead: {
      answer: sql`case when ${followUpQuestions.answeredAt} is not null then ${followUpQuestions.answer} end`,
      answerRemarkId: sql`case when ${followUpQuestions.answeredAt} is not null then ${followUpQuestions.answerRemarkId} end`,
    },
  }),
  createReviewSection(reviewRemarks, reviewRemarks.reviewId, selectCompletedReviews, {
    without: ["authorId", "version"],
  }),
  createReviewSection(reviewScores, reviewScores.reviewId, selectCompletedReviews),
  createReviewSection(remarkOutcomes, remarkOutcomes.reviewId, selectCompletedReviews, {
    without: ["version"],
  }),
  createReviewSection(reviews.reviewImages, reviews.reviewImages.reviewId, selectCompletedReviews),
  createReviewSection(reviews.reviewFiles, reviews.reviewFiles.reviewId, selectCompletedReviews),
  createReviewSection(reviews.reviewRatings, reviews.reviewRatings.reviewId, selectExportedReviews),
  createReviewSection(reviewShares, reviewShares.reviewId, selectExportedReviews, {
    without: ["tokenHash", "pages"],
  }),
  createSection(reviews.reviewAssignments, {
    owner: reviews.reviewAssignments.reviewerId,
    without: ["draftFeedback", "draftSavedAt", "buyerName", "priority", "isOpen", "countedDueAt"],
  }),
  createSection(reviews.handedBackDrafts, {
    owner: reviews.handedBackDrafts.formerReviewerId,
    without: ["content", "attachments", "takenAt", "discardedAt", "settledBy"],
  }),
  createSection(reviews.reviewerAvailability, { owner: reviews.reviewerAvailability.userId }),
  createSection(reviews.reviewerProfiles, { owner: reviews.reviewerProfiles.userId }),
  createSection(payouts, { owner: payouts.reviewerId, without: ["recordedBy"] }),
  createSection(reviewerPans, {
    owner: reviewerPans.userId,
    without: ["sealedPan", "keyId"],
  }),
  createSection(reviewerPhrases, { owner: reviewerPhrases.userId }),
  createSection(supportMessages, {
    owner: supportMessages.senderId,
    find: isOwnMessage,
    without: [
      "isSuspected",
      "note",
      "ownerId",
      "searchText",
      "nextDueAt",
      "wasReadLate",
      "unreadWarnedAt",
      "unsettledWarnedAt",
    ],
  }),
  createSection(supportAnswers, {
    find: (person) =>
      sql`${supportAnswers.messageId} in (select ${supportMessages.id} from ${supportMessages} where ${isOwnMessage(person)})`,
    without: ["authorName"],
  }),
  createSection(jobReports, {
    owner: jobReports.reporterId,
    find: ({ email }) =>
      sql`${jobReports.email} = ${email} and ${jobReports.confirmedAt} is not null`,
    without: ["network", "decisionId", "decisionReason", "decidedBy"],
  }),
  createSection(alerts, {
    owner: alerts.userId,
    find: ({ email }) => eq(alerts.email, email),
    without: ["sentJobIds", "bounces"],
  }),
  createSection(tracker.trackedJobs, { owner: tracker.trackedJobs.userId }),
  createSection(tracker.trackedEvents, {
    find: ({ id }) =>
      sql`${tracker.trackedEvents.trackedJobId} in (select ${tracker.trackedJobs.id} from ${tracker.trackedJobs} where ${eq(tracker.trackedJobs.userId, id)})`,
  }),
  createSection(tracker.replyAnswers, { owner: tracker.replyAnswers.userId }),
  createSection(tracker.closingMails, { owner: tracker.closingMails.userId }),
  createSection(messageLinks, { owner: messageLinks.userId }),
  createSection(company.companyMembers, { owner: company.companyMembers.userId }),
  createSection(company.companies, {
    find: ({ id }) =>
      sql`${company.companies.id} in (select ${company.companyMembers.companyId} from ${company.companyMembers} where ${and(eq(company.companyMembers.userId, id), isNotNull(company.companyMembers.approvedAt))})`,
    without: ["logoHash", "decidedBy"],
  }),
  createSection(company.companyInvitations, {
    owner: company.companyInvitations.invitedBy,
    without: ["workEmail"],
  }),
  createSection(company.companyChanges, {
    owner: company.companyChanges.submittedBy,
    without: ["version", "baseVersion", "logoHash"],
  }),
  createSection(jobSubmissions, {
    owner: jobSubmissions.submittedBy,
    without: ["baseVersion", "version", "decidedBy"],
    instead: { fields: sql`${jobSubmissions.fields} - '{pocName,pocContact,checkEmail}'::text[]` },
  }),
  createSection(jobs, {
    owner: jobs.createdBy,
    without: [
      "pocName",
      "pocContact",
      "checkEmail",
      "facets",
      "payYear",
      "searchText",
      "reportedAt",
      "followsRemoval",
      "contactNamedAt",
    ],
  }),
  createSection(jobChecks, { owner: jobChecks.actorId }),
  createSection(contactQuestions, {
    find: ({ email }) => eq(contactQuestions.email, email),
    without: ["emailHash", "tokenHash", "reminderTokenHash"],
  }),
  // The states before and after may name others.
  createSection(auditEvents, {
    owner: auditEvents.actorId,
    find: ({ id }) => sql`${auditEvents.subjectType} = 'user' and ${auditEvents.subjectId} = ${id}`,
    without: ["actorName", "before", "after"],
  }),
  createSection(dataExports, { owner: dataExports.userId, without: ["attempts"] }),
];

/** Returns the key of a section in the file: "trackedJobs" for the table `tracked_jobs`. */
export function getSectionKey({ table }: Pick<Section, "table">): string {
  return getTableName(table).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The rows that are in memory at the same time. */
const batchSize = 200;

/** Reads the rows of a section in batches, in the order of the primary key. Run it in one transaction. */
export async function* readSection(
  tx: Database,
  { table, columns, find }: Section,
  person: Exported,
): AsyncGenerator<Record<string, unknown>> {
  const order = listKeyColumns(table);
  for (let offset = 0; ; offset += batchSize) {
    const rows = await tx
      .select(columns)
      .from(table)
      .where(find(person))
      .orderBy(...order)
      .limit(batchSize)
      .offset(offset);
    yield* rows;
    if (rows.length < batchSize) return;
  }
}

function listKeyColumns(table: PgTable): PgColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const single = columns.filter((column) => column.primary);
  return single.length > 0 ? single : primaryKeys.flatMap((key) => key.columns);
}

type ColumnName<Table extends PgTable> = keyof Table["_"]["columns"] & string;

type SectionFacts<Table extends PgTable> = {
  owner?: PgColumn;
  /** More rows than those of `owner`. */
  find?: Section["find"];
  /** True if `find` replaces the rows of `owner`. */
  isInstead?: boolean;
  isOfReview?: boolean;
  /** Columns that are not exported, besides `owner`. */
  without?: ColumnName<Table>[];
  instead?: Record<string, SQL>;
};

function createSection<Table extends PgTable>(
  table: Table,
  {
    owner,
    find,
    isInstead = false,
    isOfReview = false,
    without = [],
    instead,
  }: SectionFacts<Table>,
): Section {
  const hidden = new Set<string>(without);
  const stored = Object.entries(getTableColumns(table)).filter(
    ([name, column]) => column !== owner && !hidden.has(name),
  );
  return {
    table,
    owner: owner ?? null,
    isOfReview,
    find: (person) => {
      const more = find?.(person);
      return owner && !isInstead ? or(eq(owner, person.id), more) : more;
    },
    columns: { ...Object.fromEntries(stored), ...instead },
  };
}

function createReviewSection<Table extends PgTable>(
  table: Table,
  reviewId: PgColumn,
  listReviews: (person: Exported) => SQL,
  facts: Pick<SectionFacts<Table>, "without" | "instead"> = {},
): Section {
  const find = (person: Exported) => sql`${reviewId} in ${listReviews(person)}`;
  return createSection(table, { ...facts, isOfReview: true, find });
}

/** True in SQL for files that the person handed in, and files of their completed reviews. */
function isFileOfPerson(person: Exported): SQL {
  const { bucket, path, uploadedBy } = storedFiles;
  const isHandedIn = (name: "resumes" | "portfolios", column: PgColumn) =>
    sql`${bucket} = ${name} and ${path} in (select ${column} from ${reviews.serviceReviews} where ${isOwnReview(person)})`;
  const isGiven = (column: PgColumn, table: PgTable, reviewId: PgColumn) =>
    sql`${bucket} || '/' || ${path} in (select regexp_replace(${column}, '^/storage/', '') from ${table} where ${reviewId} in ${selectCompletedReviews(person)})`;
  const { resumeFilePath, portfolioFilePath } = reviews.serviceReviews;
  const { reviewFiles, reviewImages } = reviews;
  return or(
    and(eq(uploadedBy, person.id), sql`${bucket} in ('resumes', 'portfolios')`),
    isHandedIn("resumes", resumeFilePath),
    isHandedIn("portfolios", portfolioFilePath),
    isGiven(reviewFiles.fileUrl, reviewFiles, reviewFiles.reviewId),
    isGiven(reviewImages.imageUrl, reviewImages, reviewImages.reviewId),
  )!;
}
