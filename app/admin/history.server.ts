import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { truncateToCharacters } from "../platform/text/cut-text.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { profiles, users } from "../accounts/tables.server.ts";
import { detailLabels, formatDetail, isDetail } from "../jobs/job-facts.server.ts";
import { companies } from "../companies/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { formatDecimalRupees } from "../payments/money.ts";
import { formatShortDate, formatShortDateTime } from "../platform/clock.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import { buildOrder, type ListPage, readPageOrLast } from "../platform/lists/list.server.ts";
import { auditEvents } from "../platform/tables.server.ts";
import { parseStoredAddress } from "../reviews/addresses.ts";
import { priorityNames, toStatusBadge } from "../reviews/rules.ts";
import { getBoughtService } from "../reviews/second-looks.ts";
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
  /** Limits the list to one type of subject; null lists all. */
  type: string | null;
  /** Limits the list to the subject with this id. */
  id: string | null;
  /** Limits the list to actions of the person with this id. */
  by?: string | null;
  after: string | null;
};

/**
 * Lists actions of staff and the operator, newest first, in pages.
 *
 * @returns `names`: the names of people and things that the events mention, by id
 */
export async function listHistory(
  db: Database,
  actor: Actor | null,
  { type, id, by = null, after }: HistoryQuery,
): Promise<
  { events: ListedEvent[]; names: Record<string, string> } & Omit<ListPage<ListedEvent>, "rows">
> {
  authorize(actor, "product.oversee");
  const { rows, ...cursors } = await readPageOrLast(
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
  const closed = await listClosedActors(db, rows);
  const events = rows.map((event) =>
    event.actorId !== null && closed.has(event.actorId)
      ? { ...event, actorName: formatPersonName(null) }
      : event,
  );
  return { events, names: await listMentionedNames(db, rows, by), ...cursors };
}

/** The name of a closed account is hidden, and erased when the account is purged. */
async function listClosedActors(db: Database, events: { actorId: string | null }[]) {
  const ids = events.flatMap(({ actorId }) => actorId ?? []);
  const closed = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, ids), isNotNull(users.closedAt)));
  return new Set(closed.map(({ id }) => id));
}

/** An invalid id matches nothing. */
function isByActor(by: string): SQL {
  return isUuid(by) ? eq(auditEvents.actorId, by) : sql`false`;
}

const newestFirst = buildOrder("desc", { at: auditEvents.at, id: auditEvents.id });

/** Returns the names of the people and things in these events, by id. */
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
  const idsIn = (field: string) =>
    events.flatMap(({ before, after }) =>
      [before, after].map((state) => String((state as Record<string, unknown> | null)?.[field])),
    );
  const [namedPeople, namedReviews, namedJobs, namedCompanies] = await Promise.all([
    db
      .select({ id: profiles.id, fullName: profiles.fullName })
      .from(profiles)
      .where(
        inArray(profiles.id, [...idsOf("user"), ...idsIn("reviewerId"), by ?? ""].filter(isUuid)),
      ),
    db
      .select({
        id: serviceReviews.id,
        serviceType: serviceReviews.serviceType,
        secondLookOf: serviceReviews.secondLookOf,
        fullName: profiles.fullName,
      })
      .from(serviceReviews)
      .leftJoin(profiles, eq(profiles.id, serviceReviews.userId))
      .where(inArray(serviceReviews.id, idsOf("review").filter(isUuid))),
    db
      .select({ id: jobs.id, title: jobs.title })
      .from(jobs)
      .where(inArray(jobs.id, idsOf("job").filter(isUuid))),
    db
      .select({ id: companies.id, name: companies.name })
      .from(companies)
      .where(inArray(companies.id, [...idsOf("company"), ...idsIn("companyId")].filter(isUuid))),
  ]);
  return Object.fromEntries([
    ...namedPeople.map(({ id, fullName }) => [id, formatPersonName(fullName)]),
    ...namedReviews.map(({ id, fullName, ...bought }) => [
      id,
      `${getBoughtService(bought).shortLabel} of ${formatPersonName(fullName)}`,
    ]),
    ...namedJobs.map(({ id, title }) => [id, title]),
    ...namedCompanies.map(({ id, name }) => [id, name]),
  ]);
}

const formatPersonName = (fullName: string | null) => fullName?.trim() || "Unknown User";

/** Returns the label of an event, or its name if it has none. */
export function formatEvent(event: string): string {
  return eventLabels[event] ?? event;
}

const eventLabels: Record<string, string> = {
  "review.assign": "Assigned a review",
  "review.reassign": "Reassigned a review",
  "review.unassign": "Unassigned a review",
  "review.prioritise": "Changed a review's priority",
  "review.extend": "Extended the due date of a review",
  "review.open": "Opened a review",
  "review.upload": "Added a file to a review",
  "review.remove-upload": "Removed a file from a review",
  "review.submit": "Submitted a review",
  "review.hand-back": "Handed a review back",
  "review.edit": "Edited a completed review",
  "review.edit-answer": "Edited an answer in a completed review",
  "review.edit-outcome": "Changed the outcome of an earlier remark in a completed second look",
  "review.edit-remark": "Changed a remark in a completed review",
  "review.rank-remarks": "Changed the priorities in a completed review",
  "review.edit-score": "Changed a score in a completed review",
  "review.add-image": "Added an image to a review",
  "review.update-image": "Changed an image of a review",
  "review.delete-image": "Deleted an image of a review",
  "question.ask": "Asked a question about a completed review",
  "question.answer": "Answered a customer's question",
  "question.assign": "Gave a customer's question to another reviewer",
  "reviewer.introduce": "Updated their reviewer profile",
  "reviewer.set-availability": "Changed when they take reviews",
  "reviewer.hide": "Hid a reviewer profile",
  "reviewer.show": "Showed a reviewer profile again",
  "payout.record": "Recorded a payout to a reviewer",
  "payout.withdraw-fee": "Took back the fee of a review",
  "payout.export": "Downloaded a month's payouts",
  "pan.save": "Gave their PAN",
  "pan.read": "Saw a reviewer's PAN",
  "job.create": "Published a job",
  "job.update": "Edited a job",
  "job.accept-details": "Added proposed details to a job",
  "job.archive": "Archived a job",
  "job.unarchive": "Unarchived a job",
  "job.delete": "Deleted a job",
  "company.add": "Added a company",
  "company.claim": "Asked to post for a company",
  "company.approve-claim": "Let a person post for a company",
  "company.decline-claim": "Declined a request to post for a company",
  "company.invite": "Invited a person to a company",
  "company.withdraw-invitation": "Withdrew an invitation to a company",
  "company.join": "Joined a company",
  "company.remove-member": "Removed a member of a company",
  "company.make-owner": "Made a member the owner of a company",
  "company.leave": "Left a company",
  "company.send-change": "Sent a change of a company's page",
  "company.withdraw-change": "Withdrew a change of a company's page",
  "company.publish-change": "Published a change of a company's page",
  "company.return-change": "Returned a change of a company's page",
  "company.approve": "Approved a company",
  "company.hide": "Hid a company",
  "company.link": "Linked a listing to a company",
  "company.unlink": "Unlinked a listing from a company",
  "listing.approve": "Approved a company's listing, to be paid",
  "listing.return": "Returned a company's listing",
  "listing.import": "Imported a company's listings",
  "report.archive": "Archived a job after reports",
  "report.dismiss": "Dismissed the reports on a job",
  "job.answer": "Answered if a job is open",
  "job.remove-contact": "Had their name removed from a job",
  "contact.erase-text": "Erased a removed contact from a text",
  "contact.keep-text": "Kept a text with a removed contact",
  "job.check": "Checked a job",
  "job.lapse": "Archived a lapsed job",
  "data.export": "Started a copy of their own data",
  "data.export-for": "Started a copy of a person's data",
  "breach.notify": "Emailed people about a breach",
  "user.create": "Created an account",
  "user.reset-password": "Sent a password reset email",
  "user.ban": "Banned a user",
  "user.rename": "Changed their name",
  "user.change-address": "Changed their email address",
  "user.reverse-address": "Gave an account back to its earlier address",
  "factor.add": "Set up an authenticator app",
  "factor.remove": "Removed an authenticator app",
  "factor.renew-codes": "Created new recovery codes",
  "factor.use-recovery-code": "Signed in with a recovery code",
  "passkey.add": "Added a passkey",
  "passkey.remove": "Removed a passkey",
  "factor.reset": "Reset a second factor",
  "user.unban": "Lifted a user's ban",
  "user.close": "Closed an account",
  "user.restore": "Restored a closed account",
  "user.purge": "Deleted the data of a closed account",
  "role.grant": "Granted a role",
  "role.revoke": "Revoked a role",
  "data.import": "Imported data",
  "mail.retry": "Resent an email",
  "mail.drop": "Discarded an email",
  "message.answer": "Replied to a message",
  "message.close": "Closed a message",
  "message.take-over": "Took over a message",
  "message.reopen": "Reopened a message",
  "order.resolve": "Resolved a payment",
  // The name in older rows.
  "order.ask": "Checked a payment with PayU",
  "order.refund": "Refunded a payment",
  "invoice.export": "Downloaded a month's invoices",
  "order.approve-refund": "Approved a refund request",
  "order.decline-refund": "Declined a refund request",
  "backup.write": "Created a backup",
  "subscription.grant": "Granted a subscription",
  "subscription.end": "Ended a subscription",
  "subscription.cancel": "Cancelled their subscription",
};

export type Change = { what: string; before: string | null; after: string | null };

const maxLength = 120;

/** The fields that identify a job. */
const summaryFields = new Set(["title", "company", "location"]);

/**
 * Lists the changed fields of an event. A job that was created or deleted shows only the fields that identify it.
 *
 * @param names of people, by id
 */
export function listChanges(
  event: string,
  before: unknown,
  after: unknown,
  names: Record<string, string>,
): Change[] {
  const [old, current] = [toFields(before), toFields(after)];
  const isSummary = event === "job.create" || event === "job.delete";
  return [...new Set([...Object.keys(old), ...Object.keys(current)])]
    .filter((field) => !isSummary || summaryFields.has(field))
    .map((field) => ({
      what: formatFieldName(field),
      before: formatField(field, old[field], names),
      after: formatField(field, current[field], names),
    }))
    .filter((change) => change.before !== change.after);
}

function toFields(state: unknown): Record<string, unknown> {
  if (state === null || state === undefined) return {};
  return typeof state === "object" ? (state as Record<string, unknown>) : { value: state };
}

const fieldNames: Record<string, string> = {
  ...detailLabels,
  reviewerId: "Reviewer",
  companyId: "Company's page",
  dueAt: "Due",
  isArchived: "Archived",
  archivedReason: "Reason",
  checkedAt: "Last check",
  isSubscribed: "Subscribed",
  isRecurring: "Recurring",
  subscriptionId: "Subscription ID",
  subscriptionEndsAt: "Subscription ends",
  capturedPaise: "Captured",
  feePaise: "Fee",
  paise: "Amount",
  imageUrl: "Image",
  pocName: "POC name",
  pocContact: "POC contact",
};

/** "portalApplicationLink" → "Portal application link" */
function formatFieldName(field: string): string {
  const spaced = field.replace(/([A-Z]+)/g, " $1").toLowerCase();
  return fieldNames[field] ?? `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`;
}

function formatField(field: string, value: unknown, names: Record<string, string>): string | null {
  if (value === null || value === undefined) return null;
  const text = isDetail(field) ? formatDetail(field, value) : formatValue(field, value, names);
  if (text === null) return null;
  const truncated = truncateToCharacters(text, maxLength);
  return truncated === text ? text : `${truncated}…`;
}

const rupeeFields = new Set(["capturedPaise", "feePaise", "paise"]);

function formatValue(field: string, value: unknown, names: Record<string, string>): string {
  if (field === "priority" && typeof value === "number") return priorityNames[value] ?? `${value}`;
  if (rupeeFields.has(field) && typeof value === "number") return `₹${formatDecimalRupees(value)}`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "string") return JSON.stringify(value);
  if (field === "dueAt" || field === "checkedAt") return formatShortDateTime(new Date(value));
  if (field === "bannedUntil" || field === "subscriptionEndsAt")
    return formatShortDate(new Date(value));
  if (field === "status") return toStatusBadge(value)?.label ?? value;
  if (field === "file" || field === "imageUrl") return extractFileName(value);
  return names[value] ?? value;
}

/** Returns the name of a stored file without its random prefix. Other addresses are returned unchanged. */
function extractFileName(address: string): string {
  const stored = parseStoredAddress(address);
  if (!stored) return address;
  return stored.path.slice(stored.path.lastIndexOf("/") + 1).replace(/^[\da-f-]{36}-/, "");
}
