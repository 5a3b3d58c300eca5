import { and, count, eq, inArray } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { isMemberOf, lockOwnCompany } from "../../companies/own-companies.server.ts";
import {
  countAddedContacts,
  requirePublishableContacts,
} from "../../jobs/contact/stopped-contacts.server.ts";
import { findCompanyJob, isJobChanged } from "../../jobs/manage/company-changes.server.ts";
import type { PublishSettings } from "../../jobs/manage/job-commands.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { readListing } from "../listing-form.server.ts";
import {
  type DraftFields,
  editableStates,
  getKind,
  maxDrafts,
  maxWaiting,
  messages,
  type SubmissionKind,
  type SubmissionState,
} from "../rules.ts";
import { jobSubmissions } from "../tables.server.ts";
import { getOwnSubmission, lockOwnSubmission } from "./own-submissions.server.ts";

/**
 * Starts a listing for a company.
 *
 * @param draft.id the id of the form; sending it twice starts one listing
 * @returns the id of the draft
 * @throws {NotFound} for a company for which the person may not post, and for an id of another company's listing
 * @throws {Conflict} for a company with too many drafts
 */
export async function createDraft(
  db: Database,
  actor: Actor | null,
  { id, companyId }: { id: string; companyId: string },
): Promise<string> {
  authorize(actor, "job.post");
  return db.transaction(async (tx) => {
    await lockOwnCompany(tx, actor, companyId);
    const [present] = await tx
      .select({ id: jobSubmissions.id })
      .from(jobSubmissions)
      .where(and(eq(jobSubmissions.id, id), isMemberOf(actor, jobSubmissions.companyId)));
    if (present) return present.id;
    await requireRoomForDraft(tx, companyId);
    const at = now();
    const draft = { id, companyId, submittedBy: actor.id, fields: {} };
    const inserted = await tx
      .insert(jobSubmissions)
      .values({ ...draft, createdAt: at, updatedAt: at })
      .onConflictDoNothing()
      .returning({ id: jobSubmissions.id });
    if (inserted.length === 0) throw new NotFound(messages.notFound);
    return id;
  });
}

/** The company is locked. @throws {Conflict} for a company with too many drafts */
export async function requireRoomForDraft(tx: Database, companyId: string): Promise<void> {
  if ((await countInState(tx, companyId, [...editableStates, "payable"])) >= maxDrafts)
    throw new Conflict(messages.tooManyDrafts);
}

/** Counts the listings that members wrote. Imported ones don't take their places. */
async function countInState(
  tx: Database,
  companyId: string,
  states: readonly SubmissionState[],
): Promise<number> {
  const [counted] = await tx
    .select({ listings: count() })
    .from(jobSubmissions)
    .where(
      and(
        eq(jobSubmissions.companyId, companyId),
        inArray(jobSubmissions.state, [...states]),
        eq(jobSubmissions.source, "form"),
      ),
    );
  return counted!.listings;
}

/** The version that the person opened, and the text that they typed. */
type Change = { id: string; version: number; fields: Partial<DraftFields> };

/**
 * Saves the text of a draft or a returned listing, new or changed.
 *
 * @throws {NotFound} for another company's listing
 * @throws {Conflict} if it waits or is published, and if someone else changed it meanwhile
 */
export async function saveDraft(
  db: Database,
  actor: Actor | null,
  { id, version, fields }: Change,
): Promise<SubmissionKind> {
  authorize(actor, "job.post");
  return db.transaction(async (tx) => {
    const stored = await lockEditable(tx, actor, { id, version });
    if (JSON.stringify(sortFields(stored.fields)) !== JSON.stringify(sortFields(fields)))
      await updateSubmission(tx, stored, { fields });
    return getKind(stored);
  });
}

/**
 * Saves the text of a complete listing, before its preview.
 *
 * @throws {NotFound} for another company's listing
 * @throws {Invalid} with a message for each field that is missing or wrong; then nothing is saved
 * @throws {Conflict} as `saveDraft`
 */
export async function saveComplete(
  db: Database,
  actor: Actor | null,
  change: Change,
): Promise<void> {
  authorize(actor, "job.post");
  const { company } = await getOwnSubmission(db, actor, change.id);
  readListing(change.fields, company);
  await saveDraft(db, actor, change);
}

function sortFields(fields: Partial<DraftFields>): [string, string | undefined][] {
  return Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Saves a listing and sends it to the admins. It must be complete. A change whose listing was deleted is sent as a new
 * listing.
 *
 * @param change.fields without them, the stored text is sent
 * @throws {NotFound} for another company's listing
 * @throws {Invalid} with a message for each field that is missing or wrong
 * @throws {Conflict} if it waits or is published, if someone else changed it meanwhile, if five listings of the company wait,
 *   for a contact who had their name removed, and for a change that changes nothing or whose listing is off the board
 * @throws {TooMany} for too many contacts in a day
 */
export async function sendSubmission(
  db: Database,
  actor: Actor | null,
  { id, version, ...change }: Omit<Change, "fields"> & Partial<Change>,
  settings: PublishSettings,
): Promise<SubmissionKind> {
  authorize(actor, "job.post");
  const { company, companyId, ...opened } = await getOwnSubmission(db, actor, id);
  const fields = change.fields ?? opened.fields;
  const listing = readListing(fields, company);
  await countAddedContacts(db, settings, { texts: listing, old: null, personId: actor.id });
  return db.transaction(async (tx) => {
    await requirePublishableContacts(tx, settings, listing);
    await lockOwnCompany(tx, actor, companyId);
    const stored = await lockEditable(tx, actor, { id, version });
    const job = await findCompanyJob(tx, stored.jobId);
    if (job && !job.isOpen) throw new Conflict(messages.cannotSend);
    if (job && !isJobChanged(job, listing)) throw new Conflict(messages.nothingChanged);
    const baseVersion = job && stored.baseVersion;
    if ((await countInState(tx, companyId, ["waiting"])) >= maxWaiting)
      throw new Conflict(messages.tooManyWaiting);
    const sentAt = now();
    await updateSubmission(tx, stored, {
      fields,
      state: "waiting",
      baseVersion,
      source: "form",
      submittedBy: actor.id,
      reason: null,
      sentAt,
    });
    return getKind({ baseVersion });
  });
}

/**
 * Takes a listing back that waits for an admin or for its payment, to change it.
 *
 * @throws {NotFound} for another company's listing
 * @throws {Conflict} if it doesn't wait
 */
export async function withdrawSubmission(
  db: Database,
  actor: Actor | null,
  id: string,
): Promise<void> {
  authorize(actor, "job.post");
  await db.transaction(async (tx) => {
    const stored = await lockOwnSubmission(tx, actor, id);
    if (stored.state !== "waiting" && stored.state !== "payable")
      throw new Conflict(messages.notWaiting);
    await updateSubmission(tx, stored, {
      state: "draft",
      sentAt: null,
      price: null,
      payableUntil: null,
    });
  });
}

/**
 * Discards a draft or a returned listing, new or changed, and deletes its text. The published listing stays.
 *
 * @throws {NotFound} for another company's listing, and a discarded one
 * @throws {Conflict} if it waits or is published
 */
export async function removeSubmission(
  db: Database,
  actor: Actor | null,
  id: string,
): Promise<SubmissionKind> {
  authorize(actor, "job.post");
  return db.transaction(async (tx) => {
    const stored = await lockOwnSubmission(tx, actor, id);
    if (!editableStates.includes(stored.state)) throw new Conflict(messages.notEditable);
    await updateSubmission(tx, stored, { state: "discarded", fields: {} });
    return getKind(stored);
  });
}

async function lockEditable(
  tx: Database,
  actor: Actor,
  { id, version }: Pick<Change, "id" | "version">,
) {
  const stored = await lockOwnSubmission(tx, actor, id);
  if (!editableStates.includes(stored.state)) throw new Conflict(messages.notEditable);
  if (stored.version !== version) throw new Conflict(messages.changedMeanwhile);
  return stored;
}

/** Changes a locked listing and increases its version. */
export async function updateSubmission(
  tx: Database,
  { id, version }: { id: string; version: number },
  columns: Partial<typeof jobSubmissions.$inferInsert>,
): Promise<void> {
  await tx
    .update(jobSubmissions)
    .set({ ...columns, version: version + 1, updatedAt: now() })
    .where(eq(jobSubmissions.id, id));
}
