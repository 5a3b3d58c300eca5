import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { truncateToCharacters } from "../platform/text/cut-text.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { formatDecimalRupees } from "../payments/money.ts";
import { formatShortDate, formatShortDateTime } from "../platform/clock.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import { type ListPage, type Order, readPageOrLast } from "../platform/list.server.ts";
import { auditEvents } from "../platform/tables.server.ts";
import { parseStoredAddress } from "../reviews/addresses.ts";
import { priorityNames, services, toStatusBadge } from "../reviews/rules.ts";
import { serviceReviews } from "../reviews/tables.server.ts";

const eventsPerPage = 50;

export type ListedEvent = {
  id: string;
  at: Date;
  actorName: string;
  event: string;
  subjectType: string;
  subjectId: string;
  before: unknown;
  after: unknown;
};

export type HistoryQuery = {
  /** Limits the list to one kind of thing; null lists all. */
  type: string | null;
  /** Limits the list to the thing with this id. */
  id: string | null;
  /** Limits the list to what the person with this id did. */
  by?: string | null;
  after: string | null;
};

/**
 * Lists what staff and the operator did, the newest first, in pages.
 *
 * @returns `names`, what the lines mention by id is called
 */
export async function listHistory(
  db: Database,
  actor: Actor | null,
  { type, id, by = null, after }: HistoryQuery,
): Promise<
  { events: ListedEvent[]; names: Record<string, string> } & Omit<ListPage<ListedEvent>, "rows">
> {
  authorize(actor, "product.oversee");
  const { rows, ...beside } = await readPageOrLast(
    newestFirst,
    { cursor: after, size: eventsPerPage },
    (part) =>
      db
        .select()
        .from(auditEvents)
        .where(
          and(
            type === null ? undefined : eq(auditEvents.subjectType, type),
            id === null ? undefined : eq(auditEvents.subjectId, id),
            by === null ? undefined : isByActor(by),
            part.where,
          ),
        )
        .orderBy(...part.orderBy)
        .limit(part.limit),
  );
  return { events: rows, names: await listMentionedNames(db, rows, by), ...beside };
}

/** An invalid id matches nothing. */
function isByActor(by: string): SQL {
  return isUuid(by) ? eq(auditEvents.actorId, by) : sql`false`;
}

const newestFirst: Order<ListedEvent> = {
  keys: [
    { by: auditEvents.at, type: "timestamptz", of: ({ at }) => at },
    { by: auditEvents.id, type: "uuid", of: ({ id }) => id },
  ],
  direction: "desc",
};

/** Returns the names of the things and people in these lines, by their ids. */
async function listMentionedNames(
  db: Database,
  events: ListedEvent[],
  by: string | null,
): Promise<Record<string, string>> {
  const idsOf = (type: string) => [
    ...new Set(
      events.filter((event) => event.subjectType === type).map((event) => event.subjectId),
    ),
  ];
  const holders = events.flatMap(({ before, after }) =>
    [before, after].map((state) => String((state as { reviewerId?: unknown } | null)?.reviewerId)),
  );
  const [people, ofReviews, ofJobs] = await Promise.all([
    db
      .select({ id: profiles.id, fullName: profiles.fullName })
      .from(profiles)
      .where(inArray(profiles.id, [...idsOf("user"), ...holders, by ?? ""].filter(isUuid))),
    db
      .select({
        id: serviceReviews.id,
        serviceType: serviceReviews.serviceType,
        fullName: profiles.fullName,
      })
      .from(serviceReviews)
      .leftJoin(profiles, eq(profiles.id, serviceReviews.userId))
      .where(inArray(serviceReviews.id, idsOf("review").filter(isUuid))),
    db
      .select({ id: jobs.id, title: jobs.title })
      .from(jobs)
      .where(inArray(jobs.id, idsOf("job").filter(isUuid))),
  ]);
  return Object.fromEntries([
    ...people.map(({ id, fullName }) => [id, formatPersonName(fullName)]),
    ...ofReviews.map(({ id, serviceType, fullName }) => [
      id,
      `${services[serviceType].shortLabel} of ${formatPersonName(fullName)}`,
    ]),
    ...ofJobs.map(({ id, title }) => [id, title]),
  ]);
}

const formatPersonName = (fullName: string | null) => fullName?.trim() || "Unknown User";

/** Formats what was done. An event without a label is shown by its name. */
export function formatEvent(event: string): string {
  return eventLabels[event] ?? event;
}

const eventLabels: Record<string, string> = {
  "review.assign": "Assigned a review",
  "review.reassign": "Reassigned a review",
  "review.unassign": "Unassigned a review",
  "review.prioritise": "Changed a review's priority",
  "review.extend": "Set a later due date for a review",
  "review.open": "Opened a review",
  "review.upload": "Added a file to a review",
  "review.remove-upload": "Removed a file from a review",
  "review.submit": "Submitted a review",
  "review.edit": "Edited a completed review",
  "review.edit-answer": "Edited an answer of a completed review",
  "review.edit-remark": "Changed a remark of a completed review",
  "review.rank-remarks": "Chose what comes first in a completed review",
  "review.edit-score": "Changed a score of a completed review",
  "review.add-image": "Added an image to a review",
  "review.update-image": "Changed an image of a review",
  "review.delete-image": "Deleted an image of a review",
  "reviewer.introduce": "Wrote about themselves for customers",
  "reviewer.hide": "Hid what a reviewer wrote about themselves",
  "reviewer.show": "Showed what a reviewer wrote about themselves again",
  "job.create": "Published a job",
  "job.update": "Edited a job",
  "job.archive": "Archived a job",
  "job.unarchive": "Unarchived a job",
  "job.delete": "Deleted a job",
  "user.create": "Created an account",
  "user.reset-password": "Sent a password reset email",
  "user.ban": "Banned a user",
  "factor.add": "Set up an authenticator app",
  "factor.remove": "Turned an authenticator app off",
  "factor.renew-codes": "Made new recovery codes",
  "factor.use-recovery-code": "Signed in with a recovery code",
  "passkey.add": "Added a passkey",
  "passkey.remove": "Removed a passkey",
  "factor.reset": "Reset a lost second factor",
  "user.unban": "Lifted a user's ban",
  "role.grant": "Granted a role",
  "role.revoke": "Revoked a role",
  "data.import": "Imported data",
  "mail.retry": "Had a mail sent again",
  "mail.drop": "Called off a mail",
  "message.answer": "Answered a message to us",
  "message.close": "Closed a message to us",
  "message.reopen": "Opened a message to us again",
  "order.look-into": "Looked into a payment",
  "order.ask": "Asked the provider about a payment",
  "order.refund": "Refunded a payment",
  "order.approve-refund": "Approved a refund that was asked for",
  "order.decline-refund": "Declined a refund that was asked for",
  "backup.write": "Wrote a backup",
  "subscription.grant": "Granted a subscription",
  "subscription.end": "Ended a subscription",
  "subscription.cancel": "Cancelled their subscription",
};

export type Change = { what: string; before: string | null; after: string | null };

const longest = 120;

/** The parts that identify a job. */
const summaryParts = new Set(["title", "company", "location"]);

/**
 * Lists what changed, part by part. Unchanged parts are left out, and most parts of things that were created or
 * deleted.
 *
 * @param names of people, by their ids
 */
export function listChanges(
  event: string,
  before: unknown,
  after: unknown,
  names: Record<string, string>,
): Change[] {
  const [old, now] = [toParts(before), toParts(after)];
  const isWhole = event === "job.create" || event === "job.delete";
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((part) => !isWhole || summaryParts.has(part))
    .map((part) => ({
      what: formatPartName(part),
      before: formatPart(part, old[part], names),
      after: formatPart(part, now[part], names),
    }))
    .filter((change) => change.before !== change.after);
}

function toParts(state: unknown): Record<string, unknown> {
  if (state === null || state === undefined) return {};
  return typeof state === "object" ? (state as Record<string, unknown>) : { value: state };
}

const changedPartNames: Record<string, string> = {
  reviewerId: "Reviewer",
  dueAt: "Due",
  isArchived: "Archived",
  isSubscribed: "Subscribed",
  isRecurring: "Recurring",
  subscriptionId: "Subscription ID",
  subscriptionEndsAt: "Subscription ends",
  capturedPaise: "Captured",
  imageUrl: "Image",
  pocName: "POC name",
  pocContact: "POC contact",
};

/** "portalApplicationLink" → "Portal application link" */
function formatPartName(part: string): string {
  const spaced = part.replace(/([A-Z]+)/g, " $1").toLowerCase();
  return changedPartNames[part] ?? `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`;
}

function formatPart(part: string, value: unknown, names: Record<string, string>): string | null {
  if (value === null || value === undefined) return null;
  const text = formatValue(part, value, names);
  const beginning = truncateToCharacters(text, longest);
  return beginning === text ? text : `${beginning}…`;
}

function formatValue(part: string, value: unknown, names: Record<string, string>): string {
  if (part === "priority" && typeof value === "number") return priorityNames[value] ?? `${value}`;
  if (part === "capturedPaise" && typeof value === "number")
    return `₹${formatDecimalRupees(value)}`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "string") return JSON.stringify(value);
  if (part === "dueAt") return formatShortDateTime(new Date(value));
  if (part === "bannedUntil" || part === "subscriptionEndsAt")
    return formatShortDate(new Date(value));
  if (part === "status") return toStatusBadge(value)?.label ?? value;
  if (part === "file" || part === "imageUrl") return extractFileName(value);
  return names[value] ?? value;
}

/** Extracts the name of one of our files, without its random beginning. Other addresses stay complete. */
function extractFileName(address: string): string {
  const own = parseStoredAddress(address);
  if (!own) return address;
  return own.path.slice(own.path.lastIndexOf("/") + 1).replace(/^[\da-f-]{36}-/, "");
}
