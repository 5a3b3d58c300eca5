import { eq } from "drizzle-orm";
import { notifyMember } from "../companies/notify-member.server.ts";
import {
  createCompanyJob,
  type PublishSettings,
  toPublishSettings,
} from "../jobs/manage/job-commands.server.ts";
import type { AuditEvent } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { ListingPublishedMail } from "./emails.tsx";
import { readListing } from "./listing-form.server.ts";
import type { DraftFields, SubmissionSource } from "./rules.ts";
import { jobSubmissions } from "./tables.server.ts";

export type DecisionSettings = PublishSettings &
  Pick<Config, "product" | "origin" | "listingPrice">;

/** Picks the settings with which listings are approved, returned and published. */
export function toDecisionSettings(config: Config): DecisionSettings {
  const { product, origin, listingPrice } = config;
  return { ...toPublishSettings(config), product, origin, listingPrice };
}

/** A submission that the transaction has locked. */
type LockedSubmission = { id: string; version: number; submittedBy: string | null };

/** A locked listing that an admin approved, with its company's name. */
type ApprovedListing = LockedSubmission & {
  companyId: string;
  company: string;
  fields: Partial<DraftFields>;
  /** The admin; null once their account is closed. */
  approvedBy: string | null;
  source?: SubmissionSource;
};

/** Returns who vouches for a listing when it is published: the company, or its list of jobs for an imported one. */
export function getChecker(source: SubmissionSource): "company" | "feed" {
  return source === "import" ? "feed" : "company";
}

/**
 * Publishes a new listing and tells its sender. The caller has checked its contacts.
 *
 * @throws {Invalid} if it can no longer be published, such as for a closing date in the past
 */
export async function createSubmittedJob(
  tx: Database,
  actor: AuditEvent["actor"],
  submission: ApprovedListing,
  settings: DecisionSettings,
): Promise<void> {
  const { companyId, submittedBy, approvedBy, source = "form" } = submission;
  const listing = readListing(submission.fields, submission.company, source);
  const posting = { listing, companyId, submittedBy, approvedBy, checkedBy: getChecker(source) };
  const jobId = await createCompanyJob(tx, actor, posting, settings);
  const published = { title: listing.title, jobId, change: null };
  await finishSubmission(tx, submission, published, settings);
}

/**
 * Deletes the text of a submission that was published, and tells its sender.
 *
 * @param published.change of a change, whether its listing is open; null for a new listing
 */
export async function finishSubmission(
  tx: Database,
  submission: LockedSubmission,
  { title, jobId, change }: { title: string; jobId: string; change: { isOpen: boolean } | null },
  { product, origin }: Pick<Config, "product" | "origin">,
): Promise<void> {
  const version = submission.version + 1;
  await tx
    .update(jobSubmissions)
    .set({ version, updatedAt: now(), state: "live", jobId, fields: {}, reason: null })
    .where(eq(jobSubmissions.id, submission.id));
  await notifySender(tx, submission, "published", {
    subject: change ? `Your change of “${title}” is published` : `Your listing “${title}” is live`,
    body: <ListingPublishedMail {...{ product, origin, title, jobId, change }} />,
  });
}

/** Queues the email about a decision to the member who sent a listing. */
export async function notifySender(
  tx: Database,
  { id, version, submittedBy }: LockedSubmission,
  decision: "published" | "approved" | "returned",
  { subject, body }: { subject: string; body: React.ReactElement },
): Promise<void> {
  const cause = `listing-${decision}:${id}:${version}`;
  await notifyMember(tx, submittedBy, { cause, subject, body });
}
