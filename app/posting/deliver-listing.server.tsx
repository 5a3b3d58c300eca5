import { and, eq } from "drizzle-orm";
import { users } from "../accounts/tables.server.ts";
import { companies } from "../companies/tables.server.ts";
import { requirePublishableContacts } from "../jobs/contact/stopped-contacts.server.ts";
import { queueMail } from "../mail/deliver-mail.server.ts";
import { reportPaidWithoutAccountLater } from "../payments/emails.tsx";
import { recordUndeliverable } from "../payments/order-records.server.ts";
import type { PaidOrder, PurchaseFact } from "../payments/payments.server.ts";
import type { Database } from "../platform/database.server.ts";
import { Conflict, isExpected } from "../platform/errors.ts";
import { jobs } from "../jobs/tables.server.ts";
import { UndeliverableMail } from "./emails.tsx";
import { type DecisionSettings, createSubmittedJob } from "./create-submitted-job.server.tsx";
import { readListing } from "./listing-form.server.ts";
import { type ListingPurpose, messages } from "./rules.ts";
import { jobSubmissions } from "./tables.server.ts";

type PaidListing = Omit<PaidOrder, "purpose"> & { purpose: ListingPurpose };

/**
 * Publishes the listing that an order paid for, in the transaction that settles the order. A payment that started in time
 * publishes it, however late it is confirmed. If the listing changed, is published or can't be published any more, an admin
 * refunds the order and its buyer gets an email. If the buyer's account is deleted, support is notified instead.
 */
export async function deliverListing(
  tx: Database,
  settings: DecisionSettings,
  { orderId, buyerId, purpose }: PaidListing,
): Promise<void> {
  if (!buyerId) return reportPaidWithoutAccountLater(tx, settings, orderId);
  if (await isPublished(tx, settings, purpose)) return;
  await recordUndeliverable(tx, orderId);
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, buyerId));
  if (!buyer) return;
  await queueMail(tx, {
    cause: `listing-not-published:${orderId}`,
    to: buyer.email,
    replyTo: settings.product.supportEmail,
    subject: "We refund your payment for a listing",
    body: <UndeliverableMail {...settings} orderId={orderId} />,
  });
}

/** Publishes a listing if it still has the text that was approved. @returns false if it can't be published */
async function isPublished(
  tx: Database,
  settings: DecisionSettings,
  { submissionId, version }: ListingPurpose,
): Promise<boolean> {
  const [read] = await selectPayable(tx, submissionId);
  if (!read) return false;
  try {
    await tx.transaction(async (savepoint) => {
      // Contacts are locked first, as their removal does, and then the company, as when its members send a listing.
      const texts = readListing(read.fields, read.company);
      await requirePublishableContacts(savepoint, settings, texts);
      await savepoint
        .select({ id: companies.id })
        .from(companies)
        .where(eq(companies.id, read.companyId))
        .for("no key update");
      const [approved] = await selectPayable(savepoint, submissionId).for("update", {
        of: jobSubmissions,
      });
      if (approved?.version !== version || approved.companyState !== "approved")
        throw new Conflict(messages.notPayable);
      await createSubmittedJob(savepoint, "payment", approved, settings);
    });
    return true;
  } catch (error) {
    if (isExpected(error)) return false;
    throw error;
  }
}

function selectPayable(db: Database, id: string) {
  return db
    .select({
      id: jobSubmissions.id,
      version: jobSubmissions.version,
      companyId: companies.id,
      company: companies.name,
      companyState: companies.state,
      submittedBy: jobSubmissions.submittedBy,
      fields: jobSubmissions.fields,
      approvedBy: jobSubmissions.decidedBy,
    })
    .from(jobSubmissions)
    .innerJoin(companies, eq(companies.id, jobSubmissions.companyId))
    .where(and(eq(jobSubmissions.id, id), eq(jobSubmissions.state, "payable")))
    .$dynamic();
}

/** Returns the facts about a paid listing that its buyer sees first. */
export async function describePaidListing(
  db: Database,
  purpose: ListingPurpose,
): Promise<PurchaseFact[]> {
  const listing = await findPaidListing(db, purpose);
  if (!listing) return [];
  const stations = ["Approved", "Paid", "On the board"].map((label) => ({
    label,
    state: "passed" as const,
  }));
  const words = `“${listing.title}” is on the board`;
  return [{ name: "Your listing", words, way: { stations, isLate: false } }];
}

/** Finds the listing that a payment published; null if it published none, or the listing was deleted. */
export async function findPaidListing(
  db: Database,
  { submissionId }: ListingPurpose,
): Promise<{ id: string; title: string } | null> {
  const [listing] = await db
    .select({ id: jobs.id, title: jobs.title })
    .from(jobSubmissions)
    .innerJoin(jobs, eq(jobs.id, jobSubmissions.jobId))
    .where(eq(jobSubmissions.id, submissionId));
  return listing ?? null;
}
