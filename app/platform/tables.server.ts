import { type SQL, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

/** A time in UTC with milliseconds, the precision of JavaScript dates, since page cursors compare exactly. */
export const createMomentColumn = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/** Bytes that are part of a row. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

export function checkValues(name: string, column: AnyPgColumn, values: readonly string[]) {
  return check(name, sql`${column} in ${listInSql(values)}`);
}

/** Lists the keys of a table of values, as the values of a column. */
export function listKeys<Key extends string>(table: Record<Key, unknown>): [Key, ...Key[]] {
  return Object.keys(table) as [Key, ...Key[]];
}

/** Writes values without quotes as a list in SQL: ('open', 'closed'). */
export function listInSql(values: readonly string[]): SQL {
  return sql.raw(`(${values.map((value) => `'${value}'`).join(", ")})`);
}

/** Counts of attempts within a window. Losing them in a crash is harmless. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text("key").notNull(),
    windowStart: createMomentColumn("window_start").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.windowStart] })],
);

/** Leases for work that only one process may do at a time. Losing them in a crash is harmless. */
export const leases = pgTable(
  "leases",
  {
    name: text("name").primaryKey(),
    holder: uuid("holder").notNull(),
    expiresAt: createMomentColumn("expires_at").notNull(),
    /** Another holder is waiting for it. */
    isAskedFor: boolean("is_asked_for").notNull().default(false),
  },
  (table) => [index("leases_holder").on(table.holder)],
);

/** Points in time that the product must remember. */
export const milestones = pgTable("milestones", {
  name: text("name").primaryKey(),
  at: createMomentColumn("at").notNull(),
});

/**
 * The audit log, with the state before and after each event. Rows are only added. Removing the contact of a job erases
 * them from its events.
 */
export const auditEvents = pgTable(
  "audit_events",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    at: createMomentColumn("at").notNull(),
    /** Null for the operator on the command line, and for the contact of a job. */
    actorId: uuid("actor_id"),
    actorName: text("actor_name").notNull(),
    event: text("event").notNull(),
    subjectType: text("subject_type").notNull(),
    subjectId: text("subject_id").notNull(),
    before: jsonb("before"),
    after: jsonb("after"),
  },
  (table) => [
    index("audit_events_at").on(table.at, table.id),
    index("audit_events_type").on(table.subjectType, table.at, table.id),
    index("audit_events_subject").on(table.subjectId, table.at, table.id),
    index("audit_events_actor").on(table.actorId, table.at, table.id),
    check("audit_events_event_named", sql`length(${table.event}) > 0`),
  ],
);
