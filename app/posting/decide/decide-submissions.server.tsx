import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { setCompanyState } from "../../companies/decide/decide-companies.server.tsx";
import { companies } from "../../companies/tables.server.ts";
import { requirePublishableContacts } from "../../jobs/contact/stopped-contacts.server.ts";
import { getBaseVersion, lockCompanyJob } from "../../jobs/manage/company-changes.server.ts";
import { updateCompanyJob } from "../../jobs/manage/job-commands.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { formatShortDateTime, now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, isExpected } from "../../platform/errors.ts";
import { ListingApprovedMail, ListingReturnedMail } from "../emails.tsx";
import { readListing } from "../listing-form.server.ts";
import {
  type DecisionSettings,
  finishSubmission,
  createSubmittedJob,
  getChecker,
  notifySender,
} from "../create-submitted-job.server.tsx";
import { messages, payableFor } from "../rules.ts";
import { jobSubmissions } from "../tables.server.ts";

/** A listing as the admin read it. */
type ReadSubmission = {
  id: string;
  version: number;
  /** The version of the published listing that the admin saw beside a change. Without it, that of the change must be current. */
  baseVersion?: string | undefined;
};

/**
 * Approves listings and changes that wait, each in its own transaction. They are published at once, or when their company
 * has paid. The first of a new company approves the company too.
 *
 * @returns the numbers of both, and the reasons for those that couldn't be approved
 * @throws {Denied} without permission
 */
export async function approveSubmissions(
  db: Database,
  actor: Actor | null,
  submissions: readonly ReadSubmission[],
  settings: DecisionSettings,
): Promise<{ published: number; payable: number; refusals: string[] }> {
  authorize(actor, "job.review");
  const approved = { published: 0, payable: 0 };
  const refusals: string[] = [];
  for (const submission of submissions)
    try {
      approved[await approveSubmission(db, actor, submission, settings)] += 1;
    } catch (error) {
      if (!isExpected(error)) throw error;
      refusals.push(error.message);
    }
  return { ...approved, refusals };
}

async function approveSubmission(
  db: Database,
  actor: Actor,
  read: ReadSubmission,
  settings: DecisionSettings,
): Promise<"published" | "payable"> {
  return db.transaction(async (tx) => {
    const { fields, company, source } = await getUndecided(tx, read);
    await requirePublishableContacts(tx, settings, readListing(fields, company, source));
    const waiting = await lockWaiting(tx, read);
    const { id, companyId, companyState } = waiting;
    if (companyState === "new") await setCompanyState(tx, actor, { companyId, state: "approved" });
    const decision = { decidedBy: actor.id, decidedAt: now() };
    await tx.update(jobSubmissions).set(decision).where(eq(jobSubmissions.id, id));
    if (waiting.baseVersion !== null) await writeChange(tx, actor, { waiting, read }, settings);
    // The operator's own imports are free.
    else if (settings.listingPrice === null || waiting.source === "import")
      await createSubmittedJob(tx, actor, { ...waiting, approvedBy: actor.id }, settings);
    else {
      await requestPayment(tx, actor, waiting, { ...settings, price: settings.listingPrice });
      return "payable";
    }
    return "published";
  });
}

/** Publishes a change of a listing that the admin has seen. */
async function writeChange(
  tx: Database,
  actor: Actor,
  { waiting, read }: { waiting: Waiting; read: ReadSubmission },
  settings: DecisionSettings,
): Promise<void> {
  const { submittedBy, baseVersion, source, job: stored } = waiting;
  const listing = readListing(waiting.fields, waiting.company, source);
  if (!stored) throw new Conflict(messages.listingDeleted);
  if (getBaseVersion(stored) !== (read.baseVersion ?? baseVersion))
    throw new Conflict(messages.listingChanged);
  const checkedBy = getChecker(source);
  await updateCompanyJob(tx, actor, { stored, listing, submittedBy, checkedBy }, settings);
  const { isOpen } = stored;
  const published = { title: listing.title, jobId: stored.id, change: { isOpen } };
  await finishSubmission(tx, waiting, published, settings);
}

/**
 * Keeps an approved listing until its company has paid.
 *
 * @throws {Invalid} as `createSubmittedJob`, so that nobody pays for what can't be published
 */
async function requestPayment(
  tx: Database,
  actor: Actor,
  waiting: Waiting,
  { price, ...settings }: DecisionSettings & { price: number },
): Promise<void> {
  const listing = readListing(waiting.fields, waiting.company);
  const at = now();
  const payableUntil = new Date(at.getTime() + payableFor);
  const version = waiting.version + 1;
  await tx
    .update(jobSubmissions)
    .set({ version, updatedAt: at, state: "payable", reason: null, price, payableUntil })
    .where(eq(jobSubmissions.id, waiting.id));
  await recordAuditEvents(tx, [
    {
      actor,
      event: "listing.approve",
      subject: { type: "submission", id: waiting.id },
      after: { price, payableUntil },
    },
  ]);
  await notifySender(tx, waiting, "approved", {
    subject: `Your listing “${listing.title}” is approved`,
    body: (
      <ListingApprovedMail
        product={settings.product}
        origin={settings.origin}
        title={listing.title}
        price={formatRupees(price)}
        until={formatShortDateTime(payableUntil)}
        submissionId={waiting.id}
      />
    ),
  });
}

/**
 * Returns a listing that waits to its company, with a reason that is mailed.
 *
 * @throws {Conflict} if it doesn't wait, or has changed since the admin read it
 */
export async function returnSubmission(
  db: Database,
  actor: Actor | null,
  { reason, ...read }: ReadSubmission & { reason: string },
  settings: DecisionSettings,
): Promise<void> {
  authorize(actor, "job.review");
  await db.transaction(async (tx) => {
    const waiting = await lockWaiting(tx, read);
    const title = waiting.fields.title ?? "";
    const isChange = waiting.baseVersion !== null;
    await tx
      .update(jobSubmissions)
      .set({ ...buildDecision(actor, waiting), state: "returned", reason })
      .where(eq(jobSubmissions.id, waiting.id));
    await recordAuditEvents(tx, [
      {
        actor,
        event: "listing.return",
        subject: { type: "submission", id: waiting.id },
        after: { reason },
      },
    ]);
    await notifySender(tx, waiting, "returned", {
      subject: isChange
        ? `Please edit your change of “${title}”`
        : `Please change your listing “${title}”`,
      body: (
        <ListingReturnedMail
          product={settings.product}
          origin={settings.origin}
          title={title}
          reason={reason}
          submissionId={waiting.id}
          isChange={isChange}
        />
      ),
    });
  });
}

function buildDecision(actor: Actor, { version }: Waiting) {
  const at = now();
  return { version: version + 1, decidedBy: actor.id, decidedAt: at, updatedAt: at };
}

type Waiting = Awaited<ReturnType<typeof lockWaiting>>;

/** Locks the company first, as its members do when they send a listing, then the published listing, as its deletion does. */
async function lockWaiting(tx: Database, read: ReadSubmission) {
  const { companyId, jobId } = await getUndecided(tx, read);
  await tx
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for("no key update");
  const job = await lockCompanyJob(tx, jobId);
  return { ...(await getUndecided(tx, read, "lock")), job };
}

/**
 * Returns a listing that waits as the admin read it.
 *
 * @throws {Conflict} if it doesn't wait, or has changed, and for a hidden company
 */
async function getUndecided(tx: Database, { id, version }: ReadSubmission, lock?: "lock") {
  const query = tx
    .select({
      id: jobSubmissions.id,
      jobId: jobSubmissions.jobId,
      baseVersion: jobSubmissions.baseVersion,
      companyId: companies.id,
      company: companies.name,
      companyState: companies.state,
      submittedBy: jobSubmissions.submittedBy,
      source: jobSubmissions.source,
      fields: jobSubmissions.fields,
      version: jobSubmissions.version,
    })
    .from(jobSubmissions)
    .innerJoin(companies, eq(companies.id, jobSubmissions.companyId))
    .where(
      and(isUuid(id) ? eq(jobSubmissions.id, id) : sql`false`, eq(jobSubmissions.state, "waiting")),
    )
    .$dynamic();
  const [waiting] = await (lock ? query.for("update", { of: jobSubmissions }) : query);
  if (!waiting) throw new Conflict(messages.notWaiting);
  if (waiting.version !== version) throw new Conflict(messages.changedSince);
  if (waiting.companyState === "hidden") throw new Conflict("Its company is hidden.");
  return waiting;
}
