import { sql } from "drizzle-orm";
import { check, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "../../platform/tables.server.ts";
import { serviceReviews } from "../tables.server.ts";

/** What customers think of their completed reviews: one rating each. */
export const reviewRatings = pgTable(
  "review_ratings",
  {
    reviewId: uuid("review_id")
      .primaryKey()
      .references(() => serviceReviews.id, { onDelete: "cascade" }),
    rating: smallint("rating").notNull(),
    words: text("words"),
    /** From then on it can be changed for a week. */
    ratedAt: moment("rated_at").notNull(),
    changedAt: moment("changed_at"),
  },
  (table) => [check("review_ratings_range", sql`${table.rating} between 1 and 5`)],
);
