import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { users } from "../../accounts/tables.server.ts";
import { moment } from "../../platform/tables.server.ts";

/** Who a reviewer is, in their own words, for those whose work they read. Empty words were taken back. */
export const reviewerProfiles = pgTable("reviewer_profiles", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  firstName: text("first_name").notNull(),
  field: text("field").notNull(),
  about: text("about").notNull(),
  updatedAt: moment("updated_at").notNull(),
  /** When an admin hid it from customers; whatever is written afterwards stays hidden. */
  hiddenAt: moment("hidden_at"),
});
