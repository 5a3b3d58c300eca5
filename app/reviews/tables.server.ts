import { sql, type SQLWrapper } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import { storedFiles } from "../files/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { checkValues, createMomentColumn, listKeys } from "../platform/tables.server.ts";
import type { CopyRequest, PageBox } from "./black-out.ts";
import type { Brief } from "./brief.ts";
import type { Language, ReviewField } from "./fields-and-languages.ts";
import { handBackReasons } from "./hand-back-reasons.ts";

const serviceTypes = ["resume_review", "portfolio_review", "combined_review"] as const;
const fileViewers = ["reviewer", "admin"] as const;
const statuses = ["pending", "under_review", "completed"] as const;

/** The default of columns that a trigger fills on every insert. */
const getTriggerDefault = () => sql`default`;

/** Builds the sort key of lists by due date: rows without a date come last. */
export const buildDueSortKey = (due: SQLWrapper) =>
  sql`coalesce(${due}, '9999-12-31T00:00:00Z'::timestamptz)`;

/** A customer's unpaid draft, one for each kind of review and one for each second look. */
export const reviewDrafts = pgTable(
  "review_drafts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    serviceType: text("service_type", { enum: serviceTypes }).notNull(),
    resumeFileId: uuid("resume_file_id").references(() => storedFiles.id, { onDelete: "set null" }),
    portfolioFileId: uuid("portfolio_file_id").references(() => storedFiles.id, {
      onDelete: "set null",
    }),
    /** The blacked-out copy that the customer asked for, until it is made. */
    resumeCopy: jsonb("resume_copy").$type<CopyRequest>(),
    portfolioCopy: jsonb("portfolio_copy").$type<CopyRequest>(),
    portfolioUrl: text("portfolio_url"),
    /**
     * The time at which the owner confirmed that the URL opens for everyone. A new URL needs a new
     * confirmation.
     */
    portfolioSeenAt: createMomentColumn("portfolio_seen_at"),
    /** The customer's brief. It does not change what is bought, so it does not count as a revision. */
    brief: jsonb("brief").$type<Brief>(),
    /** The completed review that a second look was started for; null for a first review. */
    secondLookOf: uuid("second_look_of").references((): AnyPgColumn => serviceReviews.id, {
      onDelete: "cascade",
    }),
    /** The number of changes, so that a payment clears only the draft that it was started with. */
    revision: integer("revision").notNull().default(1),
    createdAt: createMomentColumn("created_at").notNull(),
    updatedAt: createMomentColumn("updated_at").notNull(),
  },
  (table) => [
    unique("review_drafts_user_type")
      .on(table.userId, table.serviceType, table.secondLookOf)
      .nullsNotDistinct(),
  ],
);

/** Blacked-out copies of customers' files. A copy is handed in instead of its original. */
export const blackOuts = pgTable(
  "black_outs",
  {
    id: uuid("id").primaryKey(),
    copyFileId: uuid("copy_file_id")
      .notNull()
      .references(() => storedFiles.id, { onDelete: "cascade" }),
    /** Null once the original is deleted, which is before the copy. */
    originalFileId: uuid("original_file_id").references(() => storedFiles.id, {
      onDelete: "set null",
    }),
    boxes: jsonb("boxes").$type<PageBox[]>().notNull(),
    createdAt: createMomentColumn("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("black_outs_copy").on(table.copyFileId),
    index("black_outs_original").on(table.originalFileId),
  ],
);

/** The materials of each order for a review, as they were when the payment started. */
export const reviewOrders = pgTable(
  "review_orders",
  {
    orderId: text("order_id")
      .primaryKey()
      .references(() => orders.orderId, { onDelete: "cascade" }),
    /** The paid draft, which is deleted after the payment. */
    draftId: uuid("draft_id").notNull(),
    draftRevision: integer("draft_revision").notNull(),
    serviceType: text("service_type", { enum: serviceTypes }).notNull(),
    /** Path in the bucket "resumes". */
    resumeFilePath: text("resume_file_path"),
    portfolioUrl: text("portfolio_url"),
    /** Path in the bucket "portfolios". */
    portfolioFilePath: text("portfolio_file_path"),
    brief: jsonb("brief").$type<Brief>(),
    /** The review that is looked at again; null for a first review, and after that review was deleted. */
    secondLookOf: uuid("second_look_of").references((): AnyPgColumn => serviceReviews.id, {
      onDelete: "set null",
    }),
  },
  (table) => [
    index("review_orders_draft").on(table.draftId, table.draftRevision),
    checkValues("review_orders_type_known", table.serviceType, serviceTypes),
  ],
);

export const serviceReviews = pgTable(
  "service_reviews",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The paid order; each has one review. Imported rows have none, and neither have those of orders that were deleted. */
    orderId: text("order_id").references(() => orders.orderId, { onDelete: "set null" }),
    serviceType: text("service_type", { enum: serviceTypes }).notNull(),
    status: text("status", { enum: statuses }).notNull(),
    /** Path in the bucket "resumes". */
    resumeFilePath: text("resume_file_path"),
    portfolioUrl: text("portfolio_url"),
    /** Path in the bucket "portfolios". */
    portfolioFilePath: text("portfolio_file_path"),
    reviewerFeedback: text("reviewer_feedback"),
    /** 0 None, 1 Low, 2 Medium, 3 High */
    priority: smallint("priority").notNull().default(0),
    createdAt: createMomentColumn("created_at").notNull(),
    /** The promised date: the payment's date plus the hours bought. Imported reviews have none. */
    dueAt: createMomentColumn("due_at"),
    /** A later date set by an admin. Refunds and figures use the first. */
    extendedTo: createMomentColumn("extended_to"),
    /** The date of the refund. Refunded reviews are in no queue or figure. */
    withdrawnAt: createMomentColumn("withdrawn_at"),
    /** The review that is looked at again; null for a first review, and after that review was deleted. */
    secondLookOf: uuid("second_look_of").references((): AnyPgColumn => serviceReviews.id, {
      onDelete: "set null",
    }),
    /** The customer's email and name in the form that searches use. Triggers copy them. */
    searchText: text("search_text").notNull().$defaultFn(getTriggerDefault),
  },
  (table) => [
    uniqueIndex("service_reviews_order").on(table.orderId),
    index("service_reviews_user").on(table.userId, table.createdAt),
    index("service_reviews_status").on(table.status, table.createdAt, table.id),
    // Reviews whose deadlines are checked every minute.
    index("service_reviews_open")
      .on(table.id)
      .where(sql`status <> 'completed' and due_at is not null`),
    // The queue: most urgent first, then oldest.
    index("service_reviews_queue")
      .on(sql`(-${table.priority})`, table.createdAt, table.id)
      .where(sql`status = 'pending'`),
    // Open reviews by effective due date.
    index("service_reviews_due")
      .on(
        table.status,
        buildDueSortKey(sql`coalesce(${table.extendedTo}, ${table.dueAt})`),
        table.id,
      )
      .where(sql`status <> 'completed'`),
    // Searches match any part of a name or an address.
    index("service_reviews_search").using("gin", table.searchText.op("gin_trgm_ops")),
    index("service_reviews_search_short").using("gin", sql`pairs_in(${table.searchText})`),
    checkValues("service_reviews_status_known", table.status, statuses),
    checkValues("service_reviews_type_known", table.serviceType, serviceTypes),
    check("service_reviews_priority_range", sql`${table.priority} between 0 and 3`),
  ],
);

export const reviewAssignments = pgTable(
  "review_assignments",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    reviewId: uuid("review_id")
      .notNull()
      .references(() => serviceReviews.id, { onDelete: "cascade" }),
    reviewerId: uuid("reviewer_id")
      .notNull()
      .references(() => users.id),
    assignedAt: createMomentColumn("assigned_at").notNull(),
    completedAt: createMomentColumn("completed_at"),
    /** Unsubmitted feedback of the assignment, private to its reviewer. */
    draftFeedback: text("draft_feedback"),
    draftSavedAt: createMomentColumn("draft_saved_at"),
    /** The reviewer's fee in paise when the review was submitted; null if none was set. It never changes. */
    feePaise: integer("fee_paise"),
    /** The time at which an admin took the fee of a refunded review back, and why. */
    feeTakenBackAt: createMomentColumn("fee_taken_back_at"),
    feeTakenBackReason: text("fee_taken_back_reason"),
    // Columns for sorting and filtering lists. Triggers copy them, so that one index serves each list.
    serviceType: text("service_type", { enum: serviceTypes })
      .notNull()
      .$defaultFn(getTriggerDefault),
    reviewStatus: text("review_status", { enum: statuses }).notNull().$defaultFn(getTriggerDefault),
    priority: smallint("priority").notNull().$defaultFn(getTriggerDefault),
    submittedAt: createMomentColumn("submitted_at").notNull().$defaultFn(getTriggerDefault),
    /** The effective due date: a later one if an admin has set it. */
    shownDueAt: createMomentColumn("shown_due_at"),
    /** The first due date of a completed review that wasn't refunded; null for reviews that no figure counts. */
    countedDueAt: createMomentColumn("counted_due_at"),
    /** Display names, kept up to date while the assignment is open. */
    buyerName: text("buyer_name").notNull().$defaultFn(getTriggerDefault),
    reviewerName: text("reviewer_name").notNull().$defaultFn(getTriggerDefault),
    /** True while neither the review nor the assignment is completed. */
    isOpen: boolean("is_open")
      .notNull()
      .generatedAlwaysAs(sql`completed_at is null and review_status <> 'completed'`),
  },
  (table) => {
    const { assignedAt, id, isOpen, priority, reviewerId } = table;
    const isAssigned = sql`completed_at is null and review_status = 'under_review'`;
    return [
      uniqueIndex("review_assignments_review").on(table.reviewId),
      index("review_assignments_own").on(reviewerId, isOpen, assignedAt, id),
      index("review_assignments_own_urgent").on(reviewerId, isOpen, priority, assignedAt, id),
      index("review_assignments_own_patient").on(
        reviewerId,
        isOpen,
        sql`(-${priority})`,
        assignedAt,
        id,
      ),
      index("review_assignments_own_due").on(
        reviewerId,
        isOpen,
        buildDueSortKey(table.shownDueAt),
        id,
      ),
      index("review_assignments_reviewer_open")
        .on(reviewerId)
        .where(sql`completed_at is null`),
      index("review_assignments_open").on(assignedAt, id).where(isAssigned),
      index("review_assignments_open_submitted").on(table.submittedAt, id).where(isAssigned),
      index("review_assignments_open_due")
        .on(buildDueSortKey(table.shownDueAt), id)
        .where(isAssigned),
      index("review_assignments_open_type").on(table.serviceType, id).where(isAssigned),
      index("review_assignments_open_buyer")
        .on(sql`${table.buyerName} collate "und-x-icu"`, id)
        .where(isAssigned),
      index("review_assignments_open_reviewer")
        .on(sql`${table.reviewerName} collate "und-x-icu"`, id)
        .where(isAssigned),
      index("review_assignments_completed")
        .on(table.completedAt, id)
        .where(sql`completed_at is not null and review_status = 'completed'`),
    ];
  },
);

/**
 * The numbers of completed reviews with a due date, without refunded ones, by the day of completion in India and by the
 * hours from payment to completion, rounded up. Triggers of `review_assignments` write it.
 */
export const reviewDays = pgTable(
  "review_days",
  {
    day: date("day", { mode: "string" }).notNull(),
    hours: integer("hours").notNull(),
    completed: integer("completed").notNull(),
    /** The number completed by their first due date. */
    onTime: integer("on_time").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.hours] })],
);

/** Screenshots of a review. `imageUrl` is a bucket and path of ours, or an address an admin gave. */
export const reviewImages = pgTable(
  "review_images",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    reviewId: uuid("review_id")
      .notNull()
      .references(() => serviceReviews.id, { onDelete: "cascade" }),
    imageUrl: text("image_url").notNull(),
    annotation: text("annotation"),
    createdAt: createMomentColumn("created_at").notNull(),
  },
  (table) => [index("review_images_review").on(table.reviewId, table.createdAt)],
);

/** Files from a reviewer. `fileUrl` is a bucket and path of ours. */
export const reviewFiles = pgTable(
  "review_files",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    reviewId: uuid("review_id")
      .notNull()
      .references(() => serviceReviews.id, { onDelete: "cascade" }),
    fileUrl: text("file_url").notNull(),
    fileName: text("file_name").notNull(),
    fileType: text("file_type").notNull(),
    description: text("description"),
    createdAt: createMomentColumn("created_at").notNull(),
  },
  (table) => [index("review_files_review").on(table.reviewId, table.createdAt)],
);

/** The customer's brief at the time of the payment. */
export const reviewBriefs = pgTable("review_briefs", {
  reviewId: uuid("review_id")
    .primaryKey()
    .references(() => serviceReviews.id, { onDelete: "cascade" }),
  role: text("role"),
  /** The company of a job on our board, copied since the job may change or be deleted. */
  company: text("company"),
  years: smallint("years"),
  /** The field and the language that the customer wished the reviewer to know. */
  wishedField: text("wished_field").$type<ReviewField>(),
  wishedLanguage: text("wished_language").$type<Language>(),
});

/** The questions of a brief, and the reviewer's answers. */
export const reviewQuestions = pgTable(
  "review_questions",
  {
    reviewId: uuid("review_id")
      .notNull()
      .references(() => reviewBriefs.reviewId, { onDelete: "cascade" }),
    position: smallint("position").notNull(),
    question: text("question").notNull(),
    /** Visible to the customer once the review is completed. */
    answer: text("answer"),
    answeredAt: createMomentColumn("answered_at"),
  },
  (table) => [
    primaryKey({ columns: [table.reviewId, table.position] }),
    check("review_questions_position", sql`${table.position} between 1 and 3`),
  ],
);

/** The work of reviewers who handed a review back. Each hand back has a row, even if nothing was written. */
export const handedBackDrafts = pgTable(
  "handed_back_drafts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    reviewId: uuid("review_id")
      .notNull()
      .references(() => serviceReviews.id, { onDelete: "cascade" }),
    formerReviewerId: uuid("former_reviewer_id").references(() => users.id, {
      onDelete: "set null",
    }),
    reason: text("reason", { enum: listKeys(handBackReasons) }).notNull(),
    /** A sentence for the admins. */
    note: text("note"),
    handedBackAt: createMomentColumn("handed_back_at").notNull(),
    /** Feedback, remarks, scores and the rest. It is validated whenever it is read. */
    content: jsonb("content").$type<unknown>().notNull(),
    /** Buckets and paths of its screenshots and files. */
    attachments: text("attachments").array().notNull(),
    /** The time at which another reviewer used the draft or discarded it, and who. */
    takenAt: createMomentColumn("taken_at"),
    discardedAt: createMomentColumn("discarded_at"),
    settledBy: uuid("settled_by").references(() => users.id, { onDelete: "set null" }),
  },
  (table) => [
    index("handed_back_drafts_review").on(table.reviewId, table.handedBackAt),
    index("handed_back_drafts_former_reviewer").on(table.formerReviewerId),
    index("handed_back_drafts_settled_by").on(table.settledBy),
    index("handed_back_drafts_date").on(table.handedBackAt),
    checkValues("handed_back_drafts_reason_known", table.reason, listKeys(handBackReasons)),
    check(
      "handed_back_drafts_settled",
      sql`${table.takenAt} is null or ${table.discardedAt} is null`,
    ),
  ],
);

/** Customers' ratings of completed reviews, one each. */
export const reviewRatings = pgTable(
  "review_ratings",
  {
    reviewId: uuid("review_id")
      .primaryKey()
      .references(() => serviceReviews.id, { onDelete: "cascade" }),
    rating: smallint("rating").notNull(),
    words: text("words"),
    /** It can be changed for a week from this date. */
    ratedAt: createMomentColumn("rated_at").notNull(),
    changedAt: createMomentColumn("changed_at"),
  },
  (table) => [check("review_ratings_range", sql`${table.rating} between 1 and 5`)],
);

/** When reviewers are away, and how many reviews they take in a day. */
export const reviewerAvailability = pgTable(
  "reviewer_availability",
  {
    userId: uuid("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The last day on which they are away, in India. */
    awayUntil: date("away_until", { mode: "string" }),
    reviewsADay: smallint("reviews_a_day"),
    updatedAt: createMomentColumn("updated_at").notNull(),
  },
  (table) => [
    check("reviewer_availability_reviews_a_day", sql`${table.reviewsADay} between 1 and 50`),
  ],
);

/** Reviewers' introductions for their customers, and what they know. An empty text was withdrawn. */
export const reviewerProfiles = pgTable("reviewer_profiles", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  firstName: text("first_name").notNull(),
  field: text("field").notNull(),
  about: text("about").notNull(),
  /** The fields of design and the languages that they know. */
  knownFields: text("known_fields").array().$type<ReviewField[]>().notNull().default([]),
  languages: text("languages").array().$type<Language[]>().notNull().default([]),
  updatedAt: createMomentColumn("updated_at").notNull(),
  /** The time at which an admin hid it from customers. Later edits stay hidden. */
  hiddenAt: createMomentColumn("hidden_at"),
  /** The time at which the reviewer agreed to be shown to everyone; null without consent. */
  publicAt: createMomentColumn("public_at"),
  /**
   * The time at which they agreed to show their fields, languages and record too. Null if they agreed before records
   * existed.
   */
  recordPublicAt: createMomentColumn("record_public_at"),
});

/** Views of customers' files: a row for each file, viewer and day in India, with the first view of that day. */
export const fileViews = pgTable(
  "file_views",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    fileId: uuid("file_id")
      .notNull()
      .references(() => storedFiles.id, { onDelete: "cascade" }),
    viewerId: uuid("viewer_id").references(() => users.id, { onDelete: "set null" }),
    /** The review's reviewer, or an admin. */
    openedAs: text("opened_as", { enum: fileViewers }).notNull(),
    day: date("day", { mode: "string" }).notNull(),
    at: createMomentColumn("at").notNull(),
  },
  (table) => [
    uniqueIndex("file_views_day").on(table.fileId, table.viewerId, table.day),
    // For deleting old rows, and when an account is deleted.
    index("file_views_at").on(table.at),
    index("file_views_viewer").on(table.viewerId),
    checkValues("file_views_viewer_known", table.openedAs, fileViewers),
  ],
);
