import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "../../platform/tables.server.ts";
import { users } from "../tables.server.ts";
import type { ChoosableMail, MailChoice } from "./rules.ts";

/** How people want the mails that they may choose; no row is the first choice of its kind. */
export const chosenMails = pgTable(
  "chosen_mails",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").$type<ChoosableMail>().notNull(),
    choice: text("choice").$type<MailChoice>().notNull(),
    changedAt: moment("changed_at").notNull(),
    /** Of who has mails gathered: what happened until then has been told. */
    notifiedUntil: moment("notified_until"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.kind] }),
    index("chosen_mails_gathered")
      .on(table.kind, table.notifiedUntil)
      .where(sql`notified_until is not null`),
  ],
);
