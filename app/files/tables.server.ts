import { bigint, boolean, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { checkValues, createMomentColumn } from "../platform/tables.server.ts";
import { buckets } from "./rules.ts";

/** Files that passed their checks and are in the store. */
export const storedFiles = pgTable(
  "stored_files",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    bucket: text("bucket", { enum: buckets }).notNull(),
    path: text("path").notNull(),
    /** A user's id, without a foreign key since a file outlives its uploader. */
    uploadedBy: uuid("uploaded_by"),
    originalName: text("original_name").notNull(),
    mimeType: text("mime_type").notNull(),
    size: bigint("size", { mode: "number" }).notNull(),
    /** True if browsers may show it. Other files are downloads. */
    showable: boolean("showable").notNull().default(false),
    createdAt: createMomentColumn("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("stored_files_address").on(table.bucket, table.path),
    index("stored_files_uploader").on(table.uploadedBy, table.createdAt),
    checkValues("stored_files_bucket_known", table.bucket, buckets),
  ],
);
