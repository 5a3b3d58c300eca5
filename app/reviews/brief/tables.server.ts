import { sql } from "drizzle-orm";
import { check, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "../../platform/tables.server.ts";
import { serviceReviews } from "../tables.server.ts";

/** What a customer wanted a review to be read for, as it was when they paid. */
export const reviewBriefs = pgTable("review_briefs", {
  reviewId: uuid("review_id")
    .primaryKey()
    .references(() => serviceReviews.id, { onDelete: "cascade" }),
  role: text("role"),
  /** Of a job of our board, copied: the job may change or go. */
  company: text("company"),
  years: smallint("years"),
});

/** The questions of a brief, and what the reviewer answers to each. */
export const reviewQuestions = pgTable(
  "review_questions",
  {
    reviewId: uuid("review_id")
      .notNull()
      .references(() => reviewBriefs.reviewId, { onDelete: "cascade" }),
    position: smallint("position").notNull(),
    question: text("question").notNull(),
    /** The customer's to read once the review is completed. */
    answer: text("answer"),
    answeredAt: moment("answered_at"),
  },
  (table) => [
    primaryKey({ columns: [table.reviewId, table.position] }),
    check("review_questions_position", sql`${table.position} between 1 and 3`),
  ],
);
