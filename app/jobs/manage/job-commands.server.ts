import { createHash, randomUUID } from "node:crypto";
import { and, eq, getTableColumns, not, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize, permissions } from "../../accounts/permissions.server.ts";
import { type AuditEvent, recordAuditEvents } from "../../platform/audit.server.ts";
import { formatShortDate, getDayStart, now, toIsoDay } from "../../platform/clock.ts";
import type { CheckSettings, Config } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { defaultChecks, getLiveUntil } from "../check-rules.ts";
import { type JobDetails, noDetails } from "../details.ts";
import { isOpen } from "../find.server.ts";
import {
  getFirstCheck,
  getNextCheck,
  hasRemovedListing,
  recordCheck,
} from "../job-checks.server.ts";
import {
  type ContactSettings,
  countAddedContacts,
  requirePublishableContacts,
} from "../contact/stopped-contacts.server.ts";
import { isManagedBy, isCreatedBy } from "../own-listings.server.ts";
import { jobChecks, jobs } from "../tables.server.ts";
import { findContactAddress } from "../contact/contact-address.server.ts";
import { validateClosingDate } from "./details/closing-date.server.ts";
import { blankFields, type JobFields, type JobInput, messages } from "./rules.ts";

export type PublishSettings = CheckSettings & ContactSettings;

/** Picks the settings with which listings are published. */
export function toPublishSettings({ checks, secrets, rateLimits }: Config): PublishSettings {
  return { ...checks, secrets, rateLimits };
}

/** Settings without a secret, which recognize no removed contact. */
export const defaultPublishing: PublishSettings = {
  ...defaultChecks,
  secrets: [],
  rateLimits: "off",
};

/**
 * Publishes a listing for the actor. Staff vouch for theirs, which counts as a check. A subscriber's lapses unless staff
 * check it, and so does that of a person with a removed listing.
 *
 * @param formId the id of the form; sending the same form again publishes nothing new
 * @returns the id of the listing
 * @throws {SignedOut} for a visitor
 * @throws {Denied} without permission
 * @throws {Invalid} for a closing date in the past or too far ahead
 * @throws {Conflict} for a contact who had their name removed
 * @throws {TooMany} for too many contacts in a day
 */
export async function createJob(
  db: Database,
  actor: Actor | null,
  job: JobInput,
  formId?: string,
  settings: PublishSettings = defaultPublishing,
): Promise<string> {
  authorize(actor, "job.manage", messages.signedOut);
  validateClosingDate(job);
  await countAddedContacts(db, settings, { texts: job, old: null, personId: actor.id });
  return db.transaction(async (tx) => {
    await requirePublishableContacts(tx, settings, job);
    const id = isUuid(formId) ? formId : randomUUID();
    if (await insertJob(tx, actor, { id, job, settings })) return id;
    if (await isSameJob(tx, actor, id, job)) return id;
    // The form was sent before, and after Back it was sent again with other values.
    const other = randomUUID();
    await insertJob(tx, actor, { id: other, job, settings });
    return other;
  });
}

/** Returns false if the id is already in use. */
async function insertJob(
  tx: Database,
  actor: Actor,
  { id, job, settings }: { id: string; job: JobInput; settings: CheckSettings },
): Promise<boolean> {
  const at = now();
  const dates = { closesOn: job.closesOn ?? null, lapses: false };
  const period = await startCheckPeriod(tx, actor, dates, at, settings);
  const inserted = await tx
    .insert(jobs)
    .values({
      ...job,
      id,
      createdBy: actor.id,
      postedAt: at,
      publishedAt: at,
      contactNamedAt: at,
      isArchived: false,
      ...period,
    })
    .onConflictDoNothing({ target: jobs.id })
    .returning({ id: jobs.id });
  if (inserted.length === 0) return false;
  if (period.checkedAt) await recordOwnCheck(tx, actor, id, at);
  await recordAuditEvents(tx, [
    { actor, event: "job.create", subject: { type: "job", id }, after: job },
  ]);
  return true;
}

/**
 * Publishes a company's listing that an admin has approved, in the transaction of the approval or of its payment. It
 * belongs to the admin, since its company may only change it with an approval. The company's word counts as its first check,
 * and so does its list of jobs for an imported listing. The caller has checked its contacts, and that an admin approved it.
 *
 * @param posting.submittedBy the company's member; null for an imported listing and once their account is closed
 * @param posting.approvedBy the admin; null once their account is closed
 * @returns the id of the listing
 * @throws {Invalid} for a closing date in the past
 */
export async function createCompanyJob(
  tx: Database,
  actor: AuditEvent["actor"],
  posting: {
    listing: JobInput;
    companyId: string;
    submittedBy: string | null;
    approvedBy: string | null;
    checkedBy?: "company" | "feed";
  },
  settings: CheckSettings,
): Promise<string> {
  const { listing, companyId, submittedBy, approvedBy, checkedBy = "company" } = posting;
  validateClosingDate(listing);
  const [id, at] = [randomUUID(), now()];
  const dates = { closesOn: listing.closesOn ?? null, lapses: true };
  await tx.insert(jobs).values({
    ...listing,
    id,
    companyId,
    createdBy: approvedBy,
    postedAt: at,
    publishedAt: at,
    contactNamedAt: at,
    lapses: true,
    ...getNextCheck(dates, at, settings),
  });
  await tx
    .insert(jobChecks)
    .values({ jobId: id, at, kind: checkedBy, actorId: submittedBy, result: "open" });
  await recordAuditEvents(tx, [
    {
      actor,
      event: "job.create",
      subject: { type: "job", id },
      after: { ...listing, companyId, submittedBy },
    },
  ]);
  return id;
}

/** Returns the columns of a listing that its owner or an admin puts on the board. It is checked if staff vouch for it. */
async function startCheckPeriod(
  tx: Database,
  actor: Actor,
  job: { closesOn: string | null; lapses: boolean },
  at: Date,
  settings: CheckSettings,
) {
  const followsRemoval = await hasRemovedListing(tx, actor);
  return permissions["job.check"](actor) && !followsRemoval
    ? getNextCheck(job, at, settings)
    : { ...getFirstCheck(job, at), followsRemoval };
}

/** Records that staff vouch for a listing that they put on the board. */
async function recordOwnCheck(tx: Database, actor: Actor, jobId: string, at: Date): Promise<void> {
  await tx
    .insert(jobChecks)
    .values({ jobId, at, kind: "staff", actorId: actor.id, result: "open" });
}

async function isSameJob(tx: Database, actor: Actor, id: string, job: JobInput): Promise<boolean> {
  const [present] = await tx
    .select(columns)
    .from(jobs)
    .where(and(eq(jobs.id, id), isCreatedBy(actor)));
  if (!present) return false;
  return Object.keys(getJobChanges(toWrittenFields(present), job).after).length === 0;
}

/**
 * Updates a listing's fields, but not its creator and its posting date. Details that `job` doesn't have stay as they
 * are.
 *
 * @param version the version that the actor opened; without one, concurrent changes are not detected
 * @throws {NotFound} for a listing that the actor may not manage
 * @throws {Conflict} if the listing has changed since that version, or adds a contact who had their name removed
 * @throws {Invalid} for a new closing date in the past or too far ahead
 * @throws {TooMany} for too many contacts in a day
 */
export async function updateJob(
  db: Database,
  actor: Actor | null,
  id: string,
  job: JobInput,
  version?: string,
  settings: PublishSettings = defaultPublishing,
): Promise<void> {
  authorize(actor, "job.manage", messages.signedOut);
  const previous = await getOwnJob(db, actor, id);
  await countAddedContacts(db, settings, { texts: job, old: previous, personId: actor.id });
  await db.transaction(async (tx) => {
    await requirePublishableContacts(tx, settings, job, previous);
    const stored = await lockOwnJob(tx, actor, id);
    await writeJob(tx, actor, { stored, job, version }, settings);
  });
}

/**
 * Publishes a company's change of a listing that an admin has approved, in the transaction of the approval. Its dates and
 * its owner stay. The company's word counts as a check. A listing that is off the board stays there. The caller has
 * checked its contacts.
 *
 * @param change.stored the listing, locked
 * @param change.submittedBy the company's member; null for an imported change and once their account is closed
 * @throws {Denied} without permission
 * @throws {Invalid} for a new closing date in the past or too far ahead
 */
export async function updateCompanyJob(
  tx: Database,
  actor: Actor | null,
  {
    stored,
    listing,
    submittedBy,
    checkedBy = "company",
  }: {
    stored: StoredJob;
    listing: JobInput;
    submittedBy: string | null;
    checkedBy?: "company" | "feed";
  },
  settings: CheckSettings,
): Promise<void> {
  authorize(actor, "job.review");
  await writeJob(tx, actor, { stored, job: listing }, settings);
  const check = { kind: checkedBy, result: "open", actorId: submittedBy } as const;
  await recordCheck(tx, stored.id, check, settings);
}

/**
 * Sets the first closing date of a company's listing, or an earlier one. No admin has to approve it, since it adds neither
 * text nor time on the board. The caller has locked the listing, and knows that it is the actor's.
 *
 * @param closing.closesOn such as "2026-12-31"
 * @throws {Invalid} for a date in the past, too far ahead, or later than the present one
 */
export async function closeJobEarlier(
  tx: Database,
  actor: Actor | null,
  { stored, closesOn }: { stored: StoredJob; closesOn: string },
  settings: CheckSettings,
): Promise<void> {
  authorize(actor, "job.post");
  if (stored.closesOn && closesOn > stored.closesOn) {
    const present = formatShortDate(getDayStart(stored.closesOn));
    throw new Invalid({
      closesOn: `Choose a date before ${present}. For a later one, edit the listing: our team reads that first.`,
    });
  }
  await writeJob(tx, actor, { stored, job: { closesOn } }, settings);
}

/**
 * Writes the changed fields of a listing that the transaction has locked. Nothing is written if none changed.
 *
 * @throws {Conflict} if the listing has changed since the version
 * @throws {Invalid} for a new closing date in the past or too far ahead
 */
async function writeJob(
  tx: Database,
  actor: Actor,
  {
    stored,
    job,
    version,
  }: { stored: StoredJob; job: Partial<JobInput>; version?: string | undefined },
  settings: CheckSettings,
): Promise<void> {
  const written = toWrittenFields(stored);
  const { before, after } = getJobChanges(written, job);
  if (Object.keys(after).length === 0) return;
  if (version && version !== getJobVersion(written)) throw new Conflict(messages.changedMeanwhile);
  validateClosingDate(after, written.closesOn);
  const at = now();
  const isSameContact = findContactAddress(stored) === findContactAddress({ ...stored, ...after });
  await tx
    .update(jobs)
    .set({
      ...after,
      ...getNewEnd(stored, after, settings),
      ...(!isSameContact && { contactNamedAt: at }),
      updatedAt: at,
    })
    .where(eq(jobs.id, stored.id));
  await recordAuditEvents(tx, [
    { actor, event: "job.update", subject: { type: "job", id: stored.id }, before, after },
  ]);
}

/** Returns the time until which a listing is live after its closing date changed. A lapsed one stays lapsed. */
function getNewEnd(
  stored: StoredJob,
  { closesOn }: Partial<WrittenJob>,
  { lapsesAll }: CheckSettings,
): { liveUntil?: Date | null } {
  const hasLapsed = stored.liveUntil && stored.liveUntil <= now();
  if (closesOn === undefined || hasLapsed) return {};
  const { checkDueAt, lapses } = stored;
  return { liveUntil: getLiveUntil({ closesOn, checkDueAt, lapses: lapses || lapsesAll }) };
}

/** Returns a hash of a listing's fields and details, to detect concurrent changes. */
export function getJobVersion(written: WrittenJob): string {
  return createHash("sha256")
    .update(JSON.stringify(getValues(written, writtenNames)))
    .digest("hex");
}

/** Returns the changed fields with their values before and after. */
export function getJobChanges(written: WrittenJob, job: Partial<JobInput>) {
  const changed = writtenNames.filter(
    (name) => job[name] !== undefined && !isSameValue(written[name], job[name]),
  );
  return { before: getValues(written, changed), after: getValues(job, changed) };
}

/** Compares two values of a field. Lists are equal if they have the same items in the same order. */
function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function getValues<Source, Name extends keyof Source>(source: Source, names: readonly Name[]) {
  const entries = names.map((name) => [name, source[name]]);
  return Object.fromEntries(entries) as Pick<Source, Name>;
}

/**
 * Takes a listing off the public board. Does nothing if it is already archived.
 *
 * @returns the time of the change in the history; null if nothing changed
 * @throws {NotFound} for a listing that the actor may not manage
 */
export async function archiveJob(
  db: Database,
  actor: Actor | null,
  id: string,
): Promise<Date | null> {
  authorize(actor, "job.manage");
  return db.transaction(async (tx) => {
    const at = now();
    const changed = await tx
      .update(jobs)
      .set({ isArchived: true })
      .where(and(isOwnJob(actor, id), not(jobs.isArchived)))
      .returning({ id: jobs.id });
    if (changed.length === 0) {
      await lockOwnJob(tx, actor, id);
      return null;
    }
    await recordAuditEvents(tx, [
      {
        actor,
        event: "job.archive",
        subject: { type: "job", id },
        before: { isArchived: false },
        after: { isArchived: true },
        at,
      },
    ]);
    return at;
  });
}

/**
 * Puts an archived or lapsed listing back on the public board with its original date, and clears a past closing date.
 * Staff start a new check period. A subscriber's unchecked listing continues its first one. Does nothing if it is
 * already open.
 *
 * @returns the time of the change in the history; null if nothing changed
 * @throws {NotFound} for a listing that the actor may not manage
 * @throws {Conflict} for its owner, if we removed it after reports or nobody checked it in time; while an admin has to
 *   check its text; and for a contact who had their name removed
 */
export async function unarchiveJob(
  db: Database,
  actor: Actor | null,
  id: string,
  settings: PublishSettings = defaultPublishing,
): Promise<Date | null> {
  authorize(actor, "job.manage");
  return db.transaction(async (tx) => {
    await requirePublishableContacts(tx, settings, await getOwnJob(tx, actor, id));
    const stored = await lockOwnJob(tx, actor, id);
    const { closesOn, archivedReason } = stored;
    if (archivedReason === "named") throw new Conflict(messages.named);
    if (archivedReason === "reported" && !permissions["job.manage-any"](actor))
      throw new Conflict(messages.removed);
    const at = now();
    const isOver = closesOn !== null && closesOn < toIsoDay(at);
    const dates = { closesOn: isOver ? null : closesOn, lapses: stored.lapses };
    const started = await startCheckPeriod(tx, actor, dates, at, settings);
    const period = started.checkedAt ? started : getFirstPeriod(stored, dates, started);
    if (period.liveUntil && period.liveUntil <= at) throw new Conflict(messages.notCheckedInTime);
    const changed = await tx
      .update(jobs)
      .set({
        isArchived: false,
        archivedReason: null,
        closesOn: dates.closesOn,
        contactNamedAt: stored.contactNamedAt ?? at,
        ...period,
      })
      .where(and(isOwnJob(actor, id), not(isOpen)))
      .returning({ id: jobs.id });
    if (changed.length === 0) return null;
    if (period.checkedAt) await recordOwnCheck(tx, actor, id, at);
    await recordAuditEvents(tx, [
      {
        actor,
        event: "job.unarchive",
        subject: { type: "job", id },
        before: { isArchived: true, archivedReason, ...(isOver && { closesOn }) },
        after: { isArchived: false, archivedReason: null, ...(isOver && { closesOn: null }) },
        at,
      },
    ]);
    return at;
  });
}

/**
 * Keeps the dates of a listing that nobody has checked, so that archiving and unarchiving it doesn't renew its time on
 * the board.
 *
 * @param started the period for a listing that was checked before
 */
function getFirstPeriod<Period extends ReturnType<typeof getFirstCheck>>(
  { checkedAt, checkDueAt, lapses }: StoredJob,
  { closesOn }: { closesOn: string | null },
  started: Period,
): Period {
  if (checkedAt || !lapses) return started;
  return { ...started, checkDueAt, liveUntil: getLiveUntil({ closesOn, checkDueAt, lapses }) };
}

/**
 * Deletes a listing permanently. Its text stays in the audit trail.
 *
 * @throws {NotFound} for a listing that the actor may not manage, or that was deleted before
 * @throws {Conflict} for its owner, if we removed it after reports or are checking them
 */
export async function deleteJob(db: Database, actor: Actor | null, id: string): Promise<void> {
  authorize(actor, "job.manage");
  await db.transaction(async (tx) => {
    const before = await lockOwnJob(tx, actor, id);
    if (!permissions["job.manage-any"](actor)) {
      // Otherwise the owner could delete it and add it again without its reports.
      if (before.archivedReason === "reported") throw new Conflict(messages.removedStays);
      if (before.reportedAt) throw new Conflict(messages.reportedStays);
    }
    await tx.delete(jobs).where(eq(jobs.id, id));
    await recordAuditEvents(tx, [
      { actor, event: "job.delete", subject: { type: "job", id }, before, after: null },
    ]);
  });
}

/**
 * Matches this listing in SQL if the actor may manage it: their own, or any for god admins.
 *
 * @throws {NotFound} for an invalid id
 */
function isOwnJob(actor: Actor, id: string): SQL | undefined {
  if (!isUuid(id)) throw new NotFound(messages.notFound);
  return and(eq(jobs.id, id), isManagedBy(actor));
}

/** Returns a listing that the actor may manage, without a lock. @throws {NotFound} for any other */
export async function getOwnJob(tx: Database, actor: Actor, id: string) {
  const [job] = await tx.select(columns).from(jobs).where(isOwnJob(actor, id));
  if (!job) throw new NotFound(messages.notFound);
  return job;
}

/** Locks a listing that the actor may manage, for the rest of the transaction. */
export async function lockOwnJob(tx: Database, actor: Actor, id: string) {
  const [job] = await tx.select(columns).from(jobs).where(isOwnJob(actor, id)).for("no key update");
  if (!job) throw new NotFound(messages.notFound);
  return job;
}

const { searchText: _text, facets: _facets, payYear: _payYear, ...columns } = getTableColumns(jobs);
/** A listing's columns without those that the database computes. */
export { columns };

export type StoredJob = Pick<typeof jobs.$inferSelect, keyof typeof columns>;

/** The fields and details of a listing that people write. */
export type WrittenJob = Record<keyof JobFields, string | null> &
  JobDetails & { closesOn: string | null };

const fieldNames = Object.keys(blankFields) as (keyof JobFields)[];
const detailNames = Object.keys(noDetails) as (keyof JobDetails)[];
const writtenNames = [...fieldNames, ...detailNames, "closesOn" as const];

/** Picks the fields and details that people write from a complete row. */
export function toWrittenFields(job: StoredJob): WrittenJob {
  return getValues(job, writtenNames);
}
