import { and, desc, eq, type Placeholder, sql } from "drizzle-orm";
import type { RefundState } from "../../payments/refund-rules.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid, createPreparedQuery } from "../../platform/database.server.ts";
import { buildOrder, getFirstPart, type Part, readPage } from "../../platform/lists/list.server.ts";
import { findBrief } from "../../reviews/brief/brief.server.ts";
import { dueColumns } from "../../reviews/due-dates/due-dates.server.ts";
import { type DueView, toDueView } from "../../reviews/due-dates/due-dates.ts";
import {
  listHandedFiles,
  listHandedImages,
  type Material,
  listMaterials,
} from "../../reviews/materials.server.ts";
import { listPageNotices } from "../../annotations/document-pages/page-notices.server.ts";
import { listPages, listScreenshots } from "../../annotations/document-pages/pages.server.ts";
import { withoutAuthor, listRemarks } from "../../annotations/remarks/remarks.server.ts";
import { getScores } from "../../annotations/remarks/scores.server.ts";
import { getOutcomes } from "../../annotations/second-look/outcomes.server.ts";
import { formatSolvedCount } from "../../annotations/second-look/outcomes.ts";
import { isOwnCompletedReview } from "../../reviews/may-read-file.server.ts";
import { findComparison } from "../../annotations/second-look/find-second-look.server.ts";
import { findRating } from "../../reviews/rating/rating.server.ts";
import type { ReviewStatus, ServiceType } from "../../reviews/rules.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";

type Person = { id: string };

type OwnReview = {
  id: string;
  serviceType: ServiceType;
  /** The earlier review of a second look. */
  secondLookOf: string | null;
  status: ReviewStatus;
  createdAt: Date;
  /** The due date, until it is completed. */
  due: DueView | null;
  /** A link for each submitted part. */
  materials: Material[];
  /** The state of its refund; null without one, or when it was declined. */
  refund: RefundState | null;
};

/** A page of reviews; `next` is the cursor of the next page. */
export type OwnReviewPage = { reviews: OwnReview[]; next: string | null };

export const ownReviewsPerPage = 50;

/**
 * Lists a person's reviews, newest first.
 *
 * @param after the cursor from an earlier page; null or an invalid one gives the first page
 */
export async function listOwnReviews(
  db: Database,
  actor: Person,
  after: string | null = null,
): Promise<OwnReviewPage> {
  const { rows, next } = await readPage(
    newestFirst,
    { cursor: after, size: ownReviewsPerPage },
    // The first page has no cursor, and a prepared query.
    (part) =>
      part.where
        ? selectOwnReviews(db, actor.id, part)
        : firstPage(db).execute({ userId: actor.id }),
  );
  return { reviews: rows.map(toOwnReview), next };
}

function selectOwnReviews(
  db: Database,
  userId: string | Placeholder,
  { where, orderBy, limit }: Part,
) {
  return db
    .select(ownReview)
    .from(serviceReviews)
    .where(and(eq(serviceReviews.userId, userId), where))
    .orderBy(...orderBy)
    .limit(limit);
}

const firstPage = createPreparedQuery((db) =>
  selectOwnReviews(
    db,
    sql.placeholder("userId"),
    getFirstPart(newestFirst, ownReviewsPerPage),
  ).prepare("own_reviews"),
);

const newestFirst = buildOrder("desc", {
  createdAt: serviceReviews.createdAt,
  id: serviceReviews.id,
});

/** The reviewer's results. */
export type ReviewResult = NonNullable<
  NonNullable<Awaited<ReturnType<typeof findOwnReview>>>["result"]
>;

/**
 * Finds one of a person's own reviews. The result is read only once it is completed; the brief has no answers.
 *
 * @returns null for any other review, existing or not
 */
export async function findOwnReview(db: Database, actor: Person, id: string) {
  if (!isUuid(id)) return null;
  const [row] = await db
    .select({
      ...ownReview,
      feedback: sql<
        string | null
      >`case when ${isCompleted} then ${serviceReviews.reviewerFeedback} end`,
    })
    .from(serviceReviews)
    .where(and(eq(serviceReviews.id, id), eq(serviceReviews.userId, actor.id)));
  if (!row) return null;

  const review = toOwnReview(row);
  const answered = await findBrief(db, row.id);
  const answers = answered?.questions ?? [];
  const brief = answered && {
    ...answered,
    questions: answers.map((question) => ({ ...question, answer: null })),
  };
  if (row.status !== "completed") return { review, brief, result: null };
  const [images, files, scores, storedRemarks, rating, solved] = await Promise.all([
    listHandedImages(db, row.id),
    listHandedFiles(db, row.id),
    getScores(db, row.id),
    listRemarks(db, row.id),
    findRating(db, row.id),
    row.secondLookOf ? formatSolved(db, row.id) : null,
  ]);
  const [pages, screenshots] =
    storedRemarks.length > 0
      ? await Promise.all([listPages(db, row), listScreenshots(db, images)])
      : [[], []];
  const feedback = row.feedback?.trim() || null;
  const remarks = storedRemarks.map(withoutAuthor);
  // The remarks that the customer has ticked off.
  const done = storedRemarks.filter(({ isDone }) => isDone).map(({ id: remarkId }) => remarkId);
  const fields = { feedback, answers, rating, images, files, scores, remarks, done, solved };
  return {
    review,
    brief,
    result: { ...fields, pages, screenshots, notices: listPageNotices(pages) },
  };
}

/** Finds the newest second look at one of a person's own reviews; null if they bought none. */
export async function findLatestSecondLook(
  db: Database,
  actor: Person,
  reviewId: string,
): Promise<{ id: string; createdAt: Date } | null> {
  const [latest] = await db
    .select({ id: serviceReviews.id, createdAt: serviceReviews.createdAt })
    .from(serviceReviews)
    .where(and(eq(serviceReviews.secondLookOf, reviewId), eq(serviceReviews.userId, actor.id)))
    .orderBy(desc(serviceReviews.createdAt))
    .limit(1);
  return latest ?? null;
}

/** Formats how many earlier remarks a second look found solved; null if it has no outcomes. */
async function formatSolved(db: Database, lookId: string): Promise<string | null> {
  const outcomes = Object.values(await getOutcomes(db, lookId));
  return outcomes.length > 0 ? formatSolvedCount(outcomes) : null;
}

/**
 * Compares a person's own completed review with the one that it is a second look at.
 *
 * @returns null for any other review; `comparison` is null for a first review, and after the earlier one was deleted
 */
export async function findOwnComparison(db: Database, actor: Person, id: string) {
  if (!isUuid(id)) return null;
  const [look] = await db
    .select()
    .from(serviceReviews)
    .where(and(eq(serviceReviews.id, id), isOwnCompletedReview(actor)));
  if (!look) return null;
  const [parts, scores] = await Promise.all([listPages(db, look), getScores(db, id)]);
  return { comparison: await findComparison(db, look, { parts, scores }) };
}

/** Checks whether missing pages or screenshots will come soon. */
export function arePicturesComing({ pages, screenshots }: ReviewResult): boolean {
  return [...pages, ...screenshots].some(({ isComing }) => isComing);
}

const isCompleted = sql`${serviceReviews.status} = 'completed'`;

const lastRefund = sql`(
  select ${refunds.state} from ${refunds}
  where ${refunds.orderId} = ${serviceReviews.orderId}
    and (${refunds.state} = 'asked' or (
      ${refunds.state} <> 'declined' and ${serviceReviews.withdrawnAt} is not null))
  order by ${refunds.createdAt} desc limit 1)`;

const ownReview = {
  id: serviceReviews.id,
  serviceType: serviceReviews.serviceType,
  secondLookOf: serviceReviews.secondLookOf,
  status: serviceReviews.status,
  createdAt: serviceReviews.createdAt,
  resumeFilePath: serviceReviews.resumeFilePath,
  portfolioUrl: serviceReviews.portfolioUrl,
  portfolioFilePath: serviceReviews.portfolioFilePath,
  // Nested, so that its columns keep the names of their tables.
  refund: sql<RefundState | null>`${lastRefund}`,
  ...dueColumns,
};

type Row = Parameters<typeof listMaterials>[0] &
  Parameters<typeof toDueView>[0] &
  Omit<OwnReview, "due" | "materials">;

function toOwnReview(row: Row): OwnReview {
  const { id, serviceType, secondLookOf, status, createdAt, refund } = row;
  const [materials, due] = [listMaterials(row), toDueView(row, now())];
  return { id, serviceType, secondLookOf, status, createdAt, due, materials, refund };
}
