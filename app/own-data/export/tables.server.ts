import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { users } from "../../accounts/tables.server.ts";
import { checkValues, createMomentColumn } from "../../platform/tables.server.ts";
import { exportStarters, exportStates } from "./rules.ts";

/** Exports of people's own data. The file is in the store until `expiresAt`, and the row for two weeks. */
export const dataExports = pgTable(
  "data_exports",
  {
    /** Also the name of the file in the store. */
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    startedBy: text("started_by", { enum: exportStarters }).notNull(),
    requestedAt: createMomentColumn("requested_at").notNull(),
    state: text("state", { enum: exportStates }).notNull().default("preparing"),
    /** The number of times that a process started to write the file. */
    attempts: smallint("attempts").notNull().default(0),
    /** In bytes. */
    size: bigint("size", { mode: "number" }),
    readyAt: createMomentColumn("ready_at"),
    expiresAt: createMomentColumn("expires_at"),
  },
  (table) => [
    index("data_exports_user").on(table.userId, table.requestedAt),
    index("data_exports_requested").on(table.requestedAt),
    index("data_exports_preparing")
      .on(table.requestedAt)
      .where(sql`state = 'preparing'`),
    checkValues("data_exports_starter_known", table.startedBy, exportStarters),
    checkValues("data_exports_state_known", table.state, exportStates),
    check(
      "data_exports_ready",
      sql`${table.state} <> 'ready' or (${table.size} is not null and ${table.readyAt} is not null and ${table.expiresAt} is not null)`,
    ),
  ],
);
