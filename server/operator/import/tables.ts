import { z } from "zod";
import { isSafePath, cleanName } from "../../../app/files/names.server.ts";
import { type Bucket, buckets } from "../../../app/files/rules.ts";
import { cleanLines, normalizeEmail } from "../../../app/platform/text/text.ts";
import { isWebAddress, toStoredAddress } from "../../../app/reviews/addresses.ts";

/** A column of the data that is brought in: how a value is read, and what it is to PostgreSQL. */
type Column = {
  schema: z.ZodType;
  type: "uuid" | "text" | "timestamptz" | "boolean" | "smallint";
  /** True when a file without this column is refused. Other columns may be missing, and are then empty. */
  isRequired: boolean;
};

/** Referenced tables come first. */
export const tableNames = [
  "users",
  "profiles",
  "reviewers",
  "jobs",
  "service_reviews",
  "review_assignments",
  "review_images",
  "review_files",
  "orders",
  "contact_messages",
] as const;
export type TableName = (typeof tableNames)[number];

/** Every table that can be brought in, with the columns that are read of it. */
export const importedTables: Record<TableName, Record<string, Column>> = {
  users: {
    id: createIdColumn(),
    email: createRequiredColumn("text", createEmailSchema()),
    encrypted_password: createRequiredColumn("text", createBcryptSchema()),
    email_confirmed_at: createRequiredColumn("timestamptz", createMomentSchema().nullable()),
    created_at: createRequiredColumn("timestamptz", createMomentSchema()),
    banned_until: createOptionalColumn("timestamptz", createMomentSchema()),
    deleted_at: createOptionalColumn("timestamptz", createMomentSchema()),
    // Only the name is taken from the sign-up data.
    raw_user_meta_data: createOptionalColumn("text", extractFullName()),
  },
  profiles: {
    id: createIdColumn(),
    full_name: createRequiredColumn("text", createTextSchema().nullable(), cleanLines),
    created_at: createOptionalColumn("timestamptz", createMomentSchema()),
    is_subscribed: createOptionalColumn("boolean", createFlagSchema()),
    subscription_ends_at: createOptionalColumn("timestamptz", createMomentSchema()),
    subscription_id: createOptionalColumn("text", createTextSchema()),
    is_recurring: createOptionalColumn("boolean", createFlagSchema()),
  },
  reviewers: {
    id: createIdColumn(),
    full_name: createOptionalColumn("text", createTextSchema(), cleanLines),
    role: createRequiredColumn("text", createTextSchema().nullable()),
  },
  jobs: {
    id: createIdColumn(),
    title: createRequiredColumn("text", createTextSchema(), cleanLines),
    company: createRequiredColumn("text", createTextSchema(), cleanLines),
    location: createRequiredColumn("text", createTextSchema(), cleanLines),
    job_type: createRequiredColumn(
      "text",
      createEnumSchema("Full-time", "Part-time", "Internship"),
    ),
    compensation: createOptionalColumn("text", createTextSchema(), cleanLines),
    description: createRequiredColumn("text", createTextSchema().nullable(), cleanLines),
    large_description: createOptionalColumn("text", createTextSchema(), cleanLines),
    poc_name: createOptionalColumn("text", createTextSchema(), cleanLines),
    poc_contact: createOptionalColumn("text", createTextSchema(), cleanLines),
    portal_application_link: createOptionalColumn("text", createTextSchema(), cleanLines),
    direct_application_link: createOptionalColumn("text", createTextSchema(), cleanLines),
    created_by: createOptionalColumn("uuid", createUuidSchema()),
    posted_at: createRequiredColumn("timestamptz", createMomentSchema()),
    updated_at: createOptionalColumn("timestamptz", createMomentSchema()),
    is_archived: createOptionalColumn("boolean", createFlagSchema()),
  },
  service_reviews: {
    id: createIdColumn(),
    user_id: createIdColumn(),
    service_type: createRequiredColumn(
      "text",
      createEnumSchema("resume_review", "portfolio_review", "combined_review"),
    ),
    status: createRequiredColumn("text", createEnumSchema("pending", "under_review", "completed")),
    resume_file_path: createOptionalColumn("text", createPathSchema("resumes")),
    portfolio_url: createOptionalColumn("text", createTextSchema()),
    portfolio_file_path: createOptionalColumn("text", createPathSchema("portfolios")),
    reviewer_feedback: createOptionalColumn("text", createTextSchema(), cleanLines),
    priority: createOptionalColumn("smallint", createPrioritySchema()),
    created_at: createRequiredColumn("timestamptz", createMomentSchema()),
  },
  review_assignments: {
    id: createIdColumn(),
    review_id: createIdColumn(),
    reviewer_id: createIdColumn(),
    assigned_at: createRequiredColumn("timestamptz", createMomentSchema()),
    completed_at: createOptionalColumn("timestamptz", createMomentSchema()),
  },
  review_images: {
    id: createIdColumn(),
    review_id: createIdColumn(),
    image_url: createRequiredColumn("text", createAddressSchema()),
    annotation: createOptionalColumn("text", createTextSchema(), cleanLines),
    created_at: createRequiredColumn("timestamptz", createMomentSchema()),
  },
  review_files: {
    id: createIdColumn(),
    review_id: createIdColumn(),
    file_url: createRequiredColumn("text", createAddressSchema()),
    file_name: createRequiredColumn("text", createTextSchema()),
    file_type: createOptionalColumn("text", createTextSchema()),
    description: createOptionalColumn("text", createTextSchema(), cleanLines),
    created_at: createRequiredColumn("timestamptz", createMomentSchema()),
  },
  orders: {
    order_id: createRequiredColumn("text", createTextSchema()),
    amount: createRequiredColumn("text", createAmountSchema()),
    status: createRequiredColumn("text", createEnumSchema("pending", "success", "failed")),
    created_at: createRequiredColumn("timestamptz", createMomentSchema()),
    user_id: createOptionalColumn("uuid", createUuidSchema()),
  },
  contact_messages: {
    id: createIdColumn(),
    name: createRequiredColumn("text", createTextSchema(), cleanLines),
    email: createRequiredColumn("text", createEmailSchema()),
    subject: createRequiredColumn("text", createTextSchema(), cleanLines),
    message: createRequiredColumn("text", createTextSchema(), cleanLines),
    created_at: createRequiredColumn("timestamptz", createMomentSchema()),
  },
};

/** Builds the schema for the rows of a table. Problems are reported by column. */
export function buildRowSchema(table: TableName): z.ZodObject {
  const columns = Object.entries(importedTables[table]);
  return z.object(Object.fromEntries(columns.map(([name, { schema }]) => [name, schema])));
}

/** The file that an address of the former system's storage, or of ours, names; null for any other text. */
function parseStoredAddress(text: string): { bucket: Bucket; path: string } | null {
  const place = /^(?:https?:\/\/[^/]+)?\/storage\/v1\/object\/(?:public|sign|authenticated)\//;
  const isAddress = place.test(text);
  const [named = ""] = isAddress ? text.replace(place, "").split("?") : [text];
  const [, name, rest = ""] = /^\/?([^/]+)\/(.+)$/s.exec(named) ?? [];
  const bucket = buckets.find((known) => known === name);
  if (!bucket) return null;
  const path = toStorePath(isAddress ? decodePath(rest) : rest);
  return path === null ? null : { bucket, path };
}

/** Returns the path of an imported file. Names that the store refuses are cleaned. */
export function toStorePath(path: string): string | null {
  if (isSafePath(path)) return path;
  const segments = path.split("/").filter(Boolean);
  if (segments.some((segment) => segment === "..")) return null;
  const clean = segments.map(cleanName).join("/");
  return isSafePath(clean) ? clean : null;
}

type Clean = (text: string) => string;

/** @param clean for a text that people typed or pasted: brings it to the form in which forms store it */
function createRequiredColumn(type: Column["type"], schema: z.ZodType, clean?: Clean): Column {
  return { type, schema: z.preprocess(createBlankToNull(clean), schema), isRequired: true };
}

function createOptionalColumn(type: Column["type"], schema: z.ZodType, clean?: Clean): Column {
  return {
    type,
    schema: z.preprocess(createBlankToNull(clean), schema.nullable()),
    isRequired: false,
  };
}

/** A file of comma-separated values does not tell an empty text from none. */
function createBlankToNull(clean: Clean = (text) => text): (value: unknown) => unknown {
  return (value) => {
    const cleaned = typeof value === "string" && isStorable(value) ? clean(value) : value;
    return cleaned === undefined || cleaned === "" ? null : cleaned;
  };
}

function createIdColumn(): Column {
  return createRequiredColumn("uuid", createUuidSchema());
}

function createUuidSchema() {
  return z.guid("must be an id like 123e4567-e89b-12d3-a456-426614174000").toLowerCase();
}

function createTextSchema() {
  return z.string("must not be empty").refine(isStorable, "holds the zero character");
}

/** PostgreSQL keeps no zero character in a text. */
function isStorable(value: string): boolean {
  return !value.includes("\u0000");
}

function createEmailSchema() {
  return z
    .string("must not be empty")
    .transform(normalizeEmail)
    .pipe(z.email("must be a mail address"));
}

/** The other system's format: `$2a$`, `$2b$` or `$2y$`, two digits of cost, 53 characters. */
function createBcryptSchema() {
  return z
    .string()
    .regex(/^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z\d]{53}$/, "must be a hash of bcrypt, or empty")
    .nullable();
}

/** The formats of PostgreSQL and JSON; without a zone, the date is in UTC. */
function createMomentSchema() {
  return z.string("must be a moment").transform((written, context) => {
    const [, date, time = "00:00:00", zone = "Z"] = momentPattern.exec(written.trim()) ?? [];
    const read = new Date(`${date}T${time}${normalizeZone(zone)}`);
    if (date && !Number.isNaN(read.getTime())) return read.toISOString();
    context.addIssue({ code: "custom", message: "must be a moment like 2026-01-31T10:00:00Z" });
    return z.NEVER;
  });
}

const momentPattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** "+05:30" of any spelling. */
function normalizeZone(zone: string): string {
  if (zone.toUpperCase() === "Z") return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function createFlagSchema() {
  const spelt: Record<string, boolean> = {
    true: true,
    t: true,
    1: true,
    false: false,
    f: false,
    0: false,
  };
  return z.preprocess(
    (value) => (typeof value === "string" ? (spelt[value.toLowerCase()] ?? value) : value),
    z.boolean("must be true or false"),
  );
}

function createPrioritySchema() {
  const message = "must be a whole number from 0 to 3";
  return z.coerce.number(message).int(message).min(0, message).max(3, message);
}

function createEnumSchema(...names: string[]) {
  return z.enum(names, `must be one of ${names.join(", ")}`);
}

/** Rupees, as text or number. */
function createAmountSchema() {
  return z
    .union([z.string(), z.number().transform(String)], "must be an amount")
    .pipe(createTextSchema());
}

/** The name within what JSON holds, or the text of it. */
function extractFullName() {
  return z.unknown().transform((value, context) => {
    try {
      const said = typeof value === "string" ? (JSON.parse(value) as unknown) : value;
      const name = (said as { full_name?: unknown } | null)?.full_name;
      return typeof name === "string" && isStorable(name) ? cleanLines(name) : null;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  });
}

/** A path within a bucket, or the address of a file there. */
function createPathSchema(bucket: Bucket) {
  return createTextSchema().transform((value, context) => {
    const stored = parseStoredAddress(value);
    const path = stored?.bucket === bucket ? stored.path : toStorePath(value);
    if (path !== null && !URL.canParse(value)) return path;
    if (stored?.bucket === bucket) return stored.path;
    context.addIssue({ code: "custom", message: `must be a path in the bucket ${bucket}` });
    return z.NEVER;
  });
}

/** A file of ours, by bucket and path, or the address of a picture elsewhere. */
function createAddressSchema() {
  return createTextSchema().transform((value, context) => {
    const stored = parseStoredAddress(value);
    if (stored) return toStoredAddress(stored);
    if (isWebAddress(value)) return value;
    context.addIssue({ code: "custom", message: "must be the address of a file" });
    return z.NEVER;
  });
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
