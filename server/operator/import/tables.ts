import { z } from "zod";
import { isSafePath, cleanName } from "../../../app/files/names.server.ts";
import { type Bucket, buckets } from "../../../app/files/rules.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { orders } from "../../../app/payments/tables.server.ts";
import { cleanLines, normalizeEmail } from "../../../app/platform/text/text.ts";
import { isWebAddress, toStoredAddress } from "../../../app/reviews/addresses.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";

/** A column of the imported data: the schema of its values, and its type in PostgreSQL. */
type Column = {
  schema: z.ZodType;
  type: "uuid" | "text" | "timestamptz" | "boolean" | "smallint";
  /** True if a file must have this column. Missing optional columns are empty. */
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

/** The tables that can be imported, with the columns that are read. */
export const importedTables: Record<TableName, Record<string, Column>> = {
  users: {
    id: createIdColumn(),
    email: createRequiredColumn("text", createEmailSchema()),
    encrypted_password: createRequiredColumn("text", createBcryptSchema()),
    email_confirmed_at: createRequiredColumn("timestamptz", createMomentSchema().nullable()),
    created_at: createRequiredColumn("timestamptz", createMomentSchema()),
    banned_until: createOptionalColumn("timestamptz", createMomentSchema()),
    deleted_at: createOptionalColumn("timestamptz", createMomentSchema()),
    // The sign-up data is read only for the name.
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
    job_type: createRequiredColumn("text", createEnumSchema(...jobs.jobType.enumValues)),
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
      createEnumSchema(...serviceReviews.serviceType.enumValues),
    ),
    status: createRequiredColumn("text", createEnumSchema(...serviceReviews.status.enumValues)),
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
    status: createRequiredColumn("text", createEnumSchema(...orders.status.enumValues)),
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

/** Parses a storage URL of the former system or of Naksha; null for any other text. */
function parseStoredAddress(text: string): { bucket: Bucket; path: string } | null {
  const storagePrefix =
    /^(?:https?:\/\/[^/]+)?\/storage\/v1\/object\/(?:public|sign|authenticated)\//;
  const isAddress = storagePrefix.test(text);
  const [bucketAndPath = ""] = isAddress ? text.replace(storagePrefix, "").split("?") : [text];
  const [, name, rest = ""] = /^\/?([^/]+)\/(.+)$/s.exec(bucketAndPath) ?? [];
  const bucket = buckets.find((candidate) => candidate === name);
  if (!bucket) return null;
  const path = toStorePath(isAddress ? decodePath(rest) : rest);
  return path === null ? null : { bucket, path };
}

/** Returns the store path of an imported file. Characters that the store refuses are replaced. */
export function toStorePath(path: string): string | null {
  if (isSafePath(path)) return path;
  const segments = path.split("/").filter(Boolean);
  if (segments.some((segment) => segment === "..")) return null;
  const clean = segments.map(cleanName).join("/");
  return isSafePath(clean) ? clean : null;
}

type Clean = (text: string) => string;

/** @param clean normalizes text that people typed, as forms do */
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

/** Turns empty text into null, because CSV cannot tell them apart. */
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
  return z.string("must not be empty").refine(isStorable, "contains a null character");
}

/** PostgreSQL cannot store null characters in text. */
function isStorable(value: string): boolean {
  return !value.includes("\u0000");
}

function createEmailSchema() {
  return z
    .string("must not be empty")
    .transform(normalizeEmail)
    .pipe(z.email("must be an email address"));
}

/** The former system's format: `$2a$`, `$2b$` or `$2y$`, two digits of cost, 53 characters. */
function createBcryptSchema() {
  return z
    .string()
    .regex(/^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z\d]{53}$/, "must be a bcrypt hash, or empty")
    .nullable();
}

/** Accepts timestamps as PostgreSQL and JSON write them; without a time zone they are in UTC. */
function createMomentSchema() {
  return z.string("must be a timestamp").transform((text, context) => {
    const [, date, time = "00:00:00", zone = "Z"] = momentPattern.exec(text.trim()) ?? [];
    const parsed = new Date(`${date}T${time}${normalizeZone(zone)}`);
    if (date && !Number.isNaN(parsed.getTime())) return parsed.toISOString();
    context.addIssue({ code: "custom", message: "must be a timestamp like 2026-01-31T10:00:00Z" });
    return z.NEVER;
  });
}

const momentPattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Returns a zone such as "+0530" or "+05" as "+05:30" or "+05:00". */
function normalizeZone(zone: string): string {
  if (zone.toUpperCase() === "Z") return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function createFlagSchema() {
  const flags: Record<string, boolean> = {
    true: true,
    t: true,
    1: true,
    false: false,
    f: false,
    0: false,
  };
  return z.preprocess(
    (value) => (typeof value === "string" ? (flags[value.toLowerCase()] ?? value) : value),
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

/** Accepts an amount in rupees as text or number. */
function createAmountSchema() {
  return z
    .union([z.string(), z.number().transform(String)], "must be an amount")
    .pipe(createTextSchema());
}

/** Reads the full name from an object or its JSON text. */
function extractFullName() {
  return z.unknown().transform((value, context) => {
    try {
      const metadata = typeof value === "string" ? (JSON.parse(value) as unknown) : value;
      const name = (metadata as { full_name?: unknown } | null)?.full_name;
      return typeof name === "string" && isStorable(name) ? cleanLines(name) : null;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  });
}

/** Accepts a path within a bucket, or the URL of a file in it. */
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

/** Accepts a stored file, by bucket and path, or the URL of an external picture. */
function createAddressSchema() {
  return createTextSchema().transform((value, context) => {
    const stored = parseStoredAddress(value);
    if (stored) return toStoredAddress(stored);
    if (isWebAddress(value)) return value;
    context.addIssue({ code: "custom", message: "must be the URL of a file" });
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
