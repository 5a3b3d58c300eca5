import { index, pgTable, uuid } from "drizzle-orm/pg-core";
import { users } from "../../accounts/tables.server.ts";
import { reviewShares } from "../../annotations/share/tables.server.ts";

/** The people whose messages don't show their portfolio address. */
export const messageLinks = pgTable(
  "message_links",
  {
    userId: uuid("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The review to show instead, as long as it is shared; null to show nothing. */
    shareId: uuid("share_id").references(() => reviewShares.id, { onDelete: "cascade" }),
  },
  (table) => [index("message_links_share").on(table.shareId)],
);
