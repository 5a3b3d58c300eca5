import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../accounts/tables.server.ts";
import type { PageText } from "../files/inspect/page-text.ts";
import { storedFiles } from "../files/tables.server.ts";
import { checkValues, createMomentColumn, listKeys } from "../platform/tables.server.ts";
import { reviewImages, serviceReviews } from "../reviews/tables.server.ts";
import { severities } from "./severities.ts";

const outcomes = ["solved", "partly", "open"] as const;
const states = ["waiting", "rendering", "done", "failed"] as const;

/** The rendering state of each file and renderer version. Orders of the same file share it. */
export const renderedFiles = pgTable(
  "rendered_files",
  {
    fileId: uuid("file_id")
      .notNull()
      .references(() => storedFiles.id, { onDelete: "cascade" }),
    renderer: smallint("renderer").notNull(),
    state: text("state", { enum: states }).notNull(),
    /** The file's number of pages; null until it was opened. Some may not be rendered. */
    pageCount: integer("page_count"),
    /** A sentence about missing pages, for a failed file. */
    problem: text("problem"),
    /** The number of attempts. */
    tries: smallint("tries").notNull().default(0),
    /** The time of the last progress. A file without progress was lost in a crash. */
    touchedAt: createMomentColumn("touched_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.renderer] }),
    checkValues("rendered_files_state_known", table.state, states),
  ],
);

/** The rendered pages. Their picture names in the store derive from these rows. */
export const reviewPages = pgTable(
  "review_pages",
  {
    fileId: uuid("file_id").notNull(),
    renderer: smallint("renderer").notNull(),
    number: smallint("number").notNull(),
    /** In points (1/72 inch), of the page as shown. */
    width: doublePrecision("width").notNull(),
    height: doublePrecision("height").notNull(),
    /** Bands from top to bottom, as fractions of the height. */
    bands: jsonb("bands").$type<{ top: number; height: number }[]>().notNull(),
    text: jsonb("text").$type<PageText>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.renderer, table.number] }),
    foreignKey({
      columns: [table.fileId, table.renderer],
      foreignColumns: [renderedFiles.fileId, renderedFiles.renderer],
      name: "review_pages_file",
    }).onDelete("cascade"),
  ],
);

const buildReviewReference = () =>
  uuid("review_id")
    .notNull()
    .references(() => serviceReviews.id, { onDelete: "cascade" });

/** Reviewers' remarks on pages and screenshots. They outlive the assignment. */
export const reviewRemarks = pgTable(
  "review_remarks",
  {
    /** Generated in the browser. */
    id: uuid("id").primaryKey(),
    reviewId: buildReviewReference(),
    /** The author. The next reviewer decides whether their remarks stay. */
    authorId: uuid("author_id").references(() => users.id, { onDelete: "set null" }),
    /** A page of the resume or the portfolio, or a screenshot; neither after the screenshot was removed. */
    part: text("part", { enum: ["resume", "portfolio"] }),
    page: integer("page"),
    imageId: uuid("image_id").references((): AnyPgColumn => reviewImages.id, {
      onDelete: "set null",
    }),
    /** Fractions of the page or picture, from 0 to 1; all null for a remark on all of it. */
    x: doublePrecision("x"),
    y: doublePrecision("y"),
    width: doublePrecision("width"),
    height: doublePrecision("height"),
    severity: text("severity", { enum: listKeys(severities) }).notNull(),
    criterion: text("criterion"),
    text: text("text").notNull(),
    quote: text("quote"),
    suggestion: text("suggestion"),
    /** 1 to 3 for the first things to do. */
    rank: smallint("rank"),
    /** Its number for the customer, stored when the review is submitted. */
    number: smallint("number"),
    version: integer("version").notNull().default(1),
    createdAt: createMomentColumn("created_at").notNull(),
    updatedAt: createMomentColumn("updated_at").notNull(),
    /** The time at which the customer ticked it off. */
    doneAt: createMomentColumn("done_at"),
  },
  (table) => [
    index("review_remarks_review").on(table.reviewId, table.createdAt, table.id),
    index("review_remarks_image").on(table.imageId),
    uniqueIndex("review_remarks_rank")
      .on(table.reviewId, table.rank)
      .where(sql`${table.rank} is not null`),
    check(
      "review_remarks_target",
      sql`(${table.part} is null) = (${table.page} is null) and (${table.page} is null or ${table.imageId} is null)`,
    ),
    check(
      "review_remarks_area",
      sql`num_nulls(${table.x}, ${table.y}, ${table.width}, ${table.height}) in (0, 4)`,
    ),
    checkValues("review_remarks_severity_known", table.severity, listKeys(severities)),
    check("review_remarks_rank_range", sql`${table.rank} between 1 and 3`),
  ],
);

/** A second look's finding for each remark of the earlier review, and its place on the new pages. */
export const remarkOutcomes = pgTable(
  "remark_outcomes",
  {
    /** The second look. */
    reviewId: buildReviewReference(),
    /** A remark of the earlier review, or of one before it if it stayed open. */
    remarkId: uuid("remark_id")
      .notNull()
      .references(() => reviewRemarks.id, { onDelete: "cascade" }),
    /** Null until the reviewer has decided. */
    outcome: text("outcome", { enum: outcomes }),
    /** A sentence for the customer, needed unless it is solved. */
    note: text("note"),
    /** The page and area that the reviewer confirmed or chose. Proposals aren't stored. */
    part: text("part", { enum: ["resume", "portfolio"] }),
    page: integer("page"),
    x: doublePrecision("x"),
    y: doublePrecision("y"),
    width: doublePrecision("width"),
    height: doublePrecision("height"),
    version: integer("version").notNull().default(1),
    updatedAt: createMomentColumn("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.reviewId, table.remarkId] }),
    index("remark_outcomes_remark").on(table.remarkId),
    checkValues("remark_outcomes_outcome_known", table.outcome, outcomes),
    check(
      "remark_outcomes_place",
      sql`(${table.part} is null) = (${table.page} is null)
        and num_nulls(${table.x}, ${table.y}, ${table.width}, ${table.height}) in (0, 4)
        and (${table.page} is not null or ${table.x} is null)`,
    ),
  ],
);

/** The scores of reviews: 1 to 5 for each scored criterion. */
export const reviewScores = pgTable(
  "review_scores",
  {
    reviewId: buildReviewReference(),
    criterion: text("criterion").notNull(),
    score: smallint("score").notNull(),
    updatedAt: createMomentColumn("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.reviewId, table.criterion] }),
    check("review_scores_range", sql`${table.score} between 1 and 5`),
  ],
);

/** Texts that a reviewer uses often, private to them. */
export const reviewerPhrases = pgTable(
  "reviewer_phrases",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    text: text("text").notNull(),
    createdAt: createMomentColumn("created_at").notNull(),
  },
  (table) => [uniqueIndex("reviewer_phrases_text").on(table.userId, sql`md5(${table.text})`)],
);
