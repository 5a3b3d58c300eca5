import { sql } from "drizzle-orm";
import {
  check,
  doublePrecision,
  foreignKey,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type { PageText } from "../../files/inspect/pdfium-page.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { moment } from "../../platform/tables.server.ts";

const states = ["waiting", "rendering", "done", "failed"] as const;

/** How far the pages of a file are, by each version of the renderer. Orders of the same file share them. */
export const renderedFiles = pgTable(
  "rendered_files",
  {
    fileId: uuid("file_id")
      .notNull()
      .references(() => storedFiles.id, { onDelete: "cascade" }),
    renderer: smallint("renderer").notNull(),
    state: text("state", { enum: states }).notNull(),
    /** How many the file has; null until it was opened. Not all of them need to be rendered. */
    pageCount: integer("page_count"),
    /** What is missing, in a sentence, of one that failed. */
    problem: text("problem"),
    /** How often it was begun. */
    tries: smallint("tries").notNull().default(0),
    /** When something last happened: what stands still for long was lost in a crash. */
    touchedAt: moment("touched_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.renderer] }),
    check(
      "rendered_files_state_known",
      sql`${table.state} in ('waiting', 'rendering', 'done', 'failed')`,
    ),
  ],
);

/** The pages that are rendered. Their pictures lie in the store, under names that follow from these. */
export const reviewPages = pgTable(
  "review_pages",
  {
    fileId: uuid("file_id").notNull(),
    renderer: smallint("renderer").notNull(),
    number: smallint("number").notNull(),
    /** In points (1/72 inch), as the page is shown. */
    width: doublePrecision("width").notNull(),
    height: doublePrecision("height").notNull(),
    /** From top to bottom, as fractions of the height. */
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
