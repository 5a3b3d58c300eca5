import { z } from "zod";
import { isSafePath, cleanName } from "../../../app/files/names.server.ts";
import { type Bucket, buckets } from "../../../app/files/rules.ts";
import { cleanLines, plainAddress } from "../../../app/platform/text/text.ts";
import { isWebAddress, toStoredAddress } from "../../../app/reviews/addresses.ts";

/** A column of the data that is brought in: how a value is read, and what it is to PostgreSQL. */
type Column = {
  schema: z.ZodType;
  type: "uuid" | "text" | "timestamptz" | "boolean" | "smallint";
  /** Whether a file without it is refused; any other column may be missing, and is empty then. */
  isRequired: boolean;
};

/** Those first that others refer to. */
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
    id: id(),
    email: required("text", mailAddress()),
    encrypted_password: required("text", bcryptHash()),
    email_confirmed_at: required("timestamptz", moment().nullable()),
    created_at: required("timestamptz", moment()),
    banned_until: optional("timestamptz", moment()),
    deleted_at: optional("timestamptz", moment()),
    // Of what was said at the sign-up, only the name.
    raw_user_meta_data: optional("text", fullNameWithin()),
  },
  profiles: {
    id: id(),
    full_name: required("text", text().nullable(), cleanLines),
    created_at: optional("timestamptz", moment()),
    is_subscribed: optional("boolean", flag()),
    subscription_ends_at: optional("timestamptz", moment()),
    subscription_id: optional("text", text()),
    is_recurring: optional("boolean", flag()),
  },
  reviewers: {
    id: id(),
    full_name: optional("text", text(), cleanLines),
    role: required("text", text().nullable()),
  },
  jobs: {
    id: id(),
    title: required("text", text(), cleanLines),
    company: required("text", text(), cleanLines),
    location: required("text", text(), cleanLines),
    job_type: required("text", oneOf("Full-time", "Part-time", "Internship")),
    compensation: optional("text", text(), cleanLines),
    description: required("text", text().nullable(), cleanLines),
    large_description: optional("text", text(), cleanLines),
    poc_name: optional("text", text(), cleanLines),
    poc_contact: optional("text", text(), cleanLines),
    portal_application_link: optional("text", text(), cleanLines),
    direct_application_link: optional("text", text(), cleanLines),
    created_by: optional("uuid", uuid()),
    posted_at: required("timestamptz", moment()),
    updated_at: optional("timestamptz", moment()),
    is_archived: optional("boolean", flag()),
  },
  service_reviews: {
    id: id(),
    user_id: id(),
    service_type: required("text", oneOf("resume_review", "portfolio_review", "combined_review")),
    status: required("text", oneOf("pending", "under_review", "completed")),
    resume_file_path: optional("text", pathIn("resumes")),
    portfolio_url: optional("text", text()),
    portfolio_file_path: optional("text", pathIn("portfolios")),
    reviewer_feedback: optional("text", text(), cleanLines),
    priority: optional("smallint", priority()),
    created_at: required("timestamptz", moment()),
  },
  review_assignments: {
    id: id(),
    review_id: id(),
    reviewer_id: id(),
    assigned_at: required("timestamptz", moment()),
    completed_at: optional("timestamptz", moment()),
  },
  review_images: {
    id: id(),
    review_id: id(),
    image_url: required("text", address()),
    annotation: optional("text", text(), cleanLines),
    created_at: required("timestamptz", moment()),
  },
  review_files: {
    id: id(),
    review_id: id(),
    file_url: required("text", address()),
    file_name: required("text", text()),
    file_type: optional("text", text()),
    description: optional("text", text(), cleanLines),
    created_at: required("timestamptz", moment()),
  },
  orders: {
    order_id: required("text", text()),
    amount: required("text", amount()),
    status: required("text", oneOf("pending", "success", "failed")),
    created_at: required("timestamptz", moment()),
    user_id: optional("uuid", uuid()),
  },
  contact_messages: {
    id: id(),
    name: required("text", text(), cleanLines),
    email: required("text", mailAddress()),
    subject: required("text", text(), cleanLines),
    message: required("text", text(), cleanLines),
    created_at: required("timestamptz", moment()),
  },
};

/** How the rows of a table are read: what is wrong with one is said by column. */
export function rowSchema(table: TableName): z.ZodObject {
  const columns = Object.entries(importedTables[table]);
  return z.object(Object.fromEntries(columns.map(([name, { schema }]) => [name, schema])));
}

/** The file that an address of the former system's storage, or of ours, names; null for any other text. */
function storedAddress(text: string): { bucket: Bucket; path: string } | null {
  const place = /^(?:https?:\/\/[^/]+)?\/storage\/v1\/object\/(?:public|sign|authenticated)\//;
  const isAddress = place.test(text);
  const [named = ""] = isAddress ? text.replace(place, "").split("?") : [text];
  const [, name, rest = ""] = /^\/?([^/]+)\/(.+)$/s.exec(named) ?? [];
  const bucket = buckets.find((known) => known === name);
  if (!bucket) return null;
  const path = storePath(isAddress ? decoded(rest) : rest);
  return path === null ? null : { bucket, path };
}

/** Where a file of the former system lies here: names that the store does not take are cleaned. */
export function storePath(path: string): string | null {
  if (isSafePath(path)) return path;
  const segments = path.split("/").filter(Boolean);
  if (segments.some((segment) => segment === "..")) return null;
  const clean = segments.map(cleanName).join("/");
  return isSafePath(clean) ? clean : null;
}

type Clean = (text: string) => string;

/** @param clean for a text that people typed or pasted: brings it to the form in which forms store it */
function required(type: Column["type"], schema: z.ZodType, clean?: Clean): Column {
  return { type, schema: z.preprocess(blankAsNull(clean), schema), isRequired: true };
}

function optional(type: Column["type"], schema: z.ZodType, clean?: Clean): Column {
  return { type, schema: z.preprocess(blankAsNull(clean), schema.nullable()), isRequired: false };
}

/** A file of comma-separated values does not tell an empty text from none. */
function blankAsNull(clean: Clean = (text) => text): (value: unknown) => unknown {
  return (value) => {
    const cleaned = typeof value === "string" && isStorable(value) ? clean(value) : value;
    return cleaned === undefined || cleaned === "" ? null : cleaned;
  };
}

function id(): Column {
  return required("uuid", uuid());
}

function uuid() {
  return z.guid("must be an id like 123e4567-e89b-12d3-a456-426614174000").toLowerCase();
}

function text() {
  return z.string("must not be empty").refine(isStorable, "holds the zero character");
}

/** PostgreSQL keeps no zero character in a text. */
function isStorable(value: string): boolean {
  return !value.includes("\u0000");
}

function mailAddress() {
  return z
    .string("must not be empty")
    .transform(plainAddress)
    .pipe(z.email("must be a mail address"));
}

/** As the former system made them: `$2a$`, `$2b$` or `$2y$`, two digits of cost, 53 characters. */
function bcryptHash() {
  return z
    .string()
    .regex(/^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z\d]{53}$/, "must be a hash of bcrypt, or empty")
    .nullable();
}

/** As PostgreSQL and JSON write moments; one without a zone is in UTC. */
function moment() {
  return z.string("must be a moment").transform((written, context) => {
    const [, date, time = "00:00:00", zone = "Z"] = momentPattern.exec(written.trim()) ?? [];
    const read = new Date(`${date}T${time}${zoneOf(zone)}`);
    if (date && !Number.isNaN(read.getTime())) return read.toISOString();
    context.addIssue({ code: "custom", message: "must be a moment like 2026-01-31T10:00:00Z" });
    return z.NEVER;
  });
}

const momentPattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** "+05:30" of any spelling. */
function zoneOf(zone: string): string {
  if (zone.toUpperCase() === "Z") return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function flag() {
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

function priority() {
  const message = "must be a whole number from 0 to 3";
  return z.coerce.number(message).int(message).min(0, message).max(3, message);
}

function oneOf(...names: string[]) {
  return z.enum(names, `must be one of ${names.join(", ")}`);
}

/** Rupees, as text or number. */
function amount() {
  return z.union([z.string(), z.number().transform(String)], "must be an amount").pipe(text());
}

/** The name within what JSON holds, or the text of it. */
function fullNameWithin() {
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
function pathIn(bucket: Bucket) {
  return text().transform((value, context) => {
    const stored = storedAddress(value);
    const path = stored?.bucket === bucket ? stored.path : storePath(value);
    if (path !== null && !URL.canParse(value)) return path;
    if (stored?.bucket === bucket) return stored.path;
    context.addIssue({ code: "custom", message: `must be a path in the bucket ${bucket}` });
    return z.NEVER;
  });
}

/** A file of ours, by bucket and path, or the address of a picture elsewhere. */
function address() {
  return text().transform((value, context) => {
    const stored = storedAddress(value);
    if (stored) return toStoredAddress(stored);
    if (isWebAddress(value)) return value;
    context.addIssue({ code: "custom", message: "must be the address of a file" });
    return z.NEVER;
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
