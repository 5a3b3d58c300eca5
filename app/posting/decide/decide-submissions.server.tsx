import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { setCompanyState } from "../../companies/decide/decide-companies.server.tsx";
import { companies } from "../../companies/tables.server.ts";
import { requirePublishableContacts } from "../../jobs/contact/stopped-contacts.server.ts";
import {
  getBaseVersion,
  lockCompanyJob,
  updateCompanyJob,
} from "../../jobs/manage/company-changes.server.ts";
import {
  createCompanyJob,
  type PublishSettings,
  toPublishSettings,
} from "../../jobs/manage/job-commands.server.ts";
import type { JobInput } from "../../jobs/manage/rules.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, isExpected } from "../../platform/errors.ts";
import { ListingPublishedMail, ListingReturnedMail } from "../emails.tsx";
import { readListing } from "../listing-form.server.ts";
import { messages } from "../rules.ts";
import { jobSubmissions } from "../tables.server.ts";

type DecisionSettings = PublishSettings & Pick<Config, "product" | "origin">;

/** Picks the settings with which admins decide about listings. */
export function toDecisionSettings(config: Config): DecisionSettings {
  return { ...toPublishSettings(config), product: config.product, origin: config.origin };
}

/** A listing as the admin read it. */
type ReadSubmission = {
  id: string;
  version: number;
  /** The version of the published listing that the admin saw beside a change. Without it, that of the change must be current. */
  baseVersion?: string | undefined;
};

/**
 * Publishes listings and changes that wait, each in its own transaction. The first of a new company approves the company
 * too.
 *
 * @returns the reasons for those that couldn't be published
 * @throws {Denied} without permission
 */
export async function approveSubmissions(
  db: Database,
  actor: Actor | null,
  submissions: readonly ReadSubmission[],
  settings: DecisionSettings,
): Promise<{ published: number; refusals: string[] }> {
  authorize(actor, "job.review");
  const refusals: string[] = [];
  for (const submission of submissions)
    try {
      await approveSubmission(db, actor, submission, settings);
    } catch (error) {
      if (!isExpected(error)) throw error;
      refusals.push(error.message);
    }
  return { published: submissions.length - refusals.length, refusals };
}

async function approveSubmission(
  db: Database,
  actor: Actor,
  read: ReadSubmission,
  settings: DecisionSettings,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { fields, company } = await getUndecided(tx, read);
    await requirePublishableContacts(tx, settings, readListing(fields, company));
    const waiting = await lockWaiting(tx, read);
    const listing = readListing(waiting.fields, waiting.company);
    if (waiting.companyState === "new")
      await setCompanyState(tx, actor, { companyId: waiting.companyId, state: "approved" });
    const jobId = await writeListing(tx, actor, { waiting, listing, read }, settings);
    await tx
      .update(jobSubmissions)
      .set({ ...buildDecision(actor, waiting), state: "live", jobId, fields: {}, reason: null })
      .where(eq(jobSubmissions.id, waiting.id));
    const isChange = waiting.baseVersion !== null;
    await notifySender(tx, waiting, "published", {
      subject: isChange
        ? `Your change of “${listing.title}” is published`
        : `Your listing “${listing.title}” is live`,
      body: (
        <ListingPublishedMail
          product={settings.product}
          origin={settings.origin}
          title={listing.title}
          jobId={jobId}
          change={isChange ? { isOpen: waiting.job!.isOpen } : null}
        />
      ),
    });
  });
}

/** Publishes a new listing, or a change of one that the admin has seen. @returns the id of the listing */
async function writeListing(
  tx: Database,
  actor: Actor,
  { waiting, listing, read }: { waiting: Waiting; listing: JobInput; read: ReadSubmission },
  settings: DecisionSettings,
): Promise<string> {
  const { companyId, submittedBy, baseVersion, job } = waiting;
  if (baseVersion === null)
    return createCompanyJob(tx, actor, { listing, companyId, submittedBy }, settings);
  if (!job) throw new Conflict(messages.listingDeleted);
  if (getBaseVersion(job) !== (read.baseVersion ?? baseVersion))
    throw new Conflict(messages.listingChanged);
  await updateCompanyJob(tx, actor, { stored: job, listing, submittedBy }, settings);
  return job.id;
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

async function notifySender(
  tx: Database,
  { id, version, submittedBy }: Waiting,
  decision: "published" | "returned",
  { subject, body }: { subject: string; body: React.ReactElement },
): Promise<void> {
  if (submittedBy === null) return;
  const [sender] = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, submittedBy), isNotBanned()));
  if (!sender) return;
  await queueMail(tx, {
    cause: `listing-${decision}:${id}:${version}`,
    to: sender.email,
    subject,
    body,
  });
}
