import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { users } from "../../accounts/tables.server.ts";
import { createMomentColumn } from "../../platform/tables.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { reviewRemarks } from "../tables.server.ts";

/**
 * The one question that a customer can ask about a completed review. The question is a draft until `askedAt`, and its
 * answer until `answeredAt`.
 */
export const followUpQuestions = pgTable(
  "follow_up_questions",
  {
    reviewId: uuid("review_id")
      .primaryKey()
      .references(() => serviceReviews.id, { onDelete: "cascade" }),
    question: text("question").notNull(),
    /** The remark that the question is about; null for the complete review. */
    remarkId: uuid("remark_id").references(() => reviewRemarks.id, { onDelete: "set null" }),
    /** Counts the saves of the question's draft. */
    version: integer("version").notNull().default(1),
    askedAt: createMomentColumn("asked_at"),
    dueAt: createMomentColumn("due_at"),
    /** The reviewer who answers it; an admin can choose another one. */
    reviewerId: uuid("reviewer_id").references(() => users.id, { onDelete: "set null" }),
    answer: text("answer").notNull().default(""),
    /** Another remark that the answer links to. */
    answerRemarkId: uuid("answer_remark_id").references(() => reviewRemarks.id, {
      onDelete: "set null",
    }),
    /** Counts the saves of the answer's draft. */
    answerVersion: integer("answer_version").notNull().default(0),
    answeredAt: createMomentColumn("answered_at"),
    answeredBy: uuid("answered_by").references(() => users.id, { onDelete: "set null" }),
  },
  (table) => {
    const isOpen = sql`asked_at is not null and answered_at is null`;
    return [
      index("follow_up_questions_due").on(table.dueAt),
      index("follow_up_questions_open").on(table.dueAt).where(isOpen),
      index("follow_up_questions_reviewer").on(table.reviewerId, table.dueAt),
      index("follow_up_questions_answered_by").on(table.answeredBy),
      index("follow_up_questions_remark").on(table.remarkId),
      index("follow_up_questions_answer_remark").on(table.answerRemarkId),
      check(
        "follow_up_questions_asked",
        sql`num_nulls(${table.askedAt}, ${table.dueAt}) in (0, 2)`,
      ),
      check(
        "follow_up_questions_answered",
        sql`${table.answeredAt} is null or ${table.askedAt} is not null`,
      ),
    ];
  },
);
