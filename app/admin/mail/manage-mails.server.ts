import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import * as queue from "../../mail/unsent-mails.server.ts";
import type { MailState } from "../../mail/rules.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";

/** Lists emails of the last month, newest first, in pages, and counts those in each state. */
export async function listQueuedMails(
  db: Database,
  actor: Actor | null,
  query: { state: MailState | null; after: string | null },
) {
  authorize(actor, "mail.manage");
  const [page, counts] = await Promise.all([queue.listMails(db, query), queue.countMails(db)]);
  return { ...page, counts };
}

const notPending = "This email was sent, is being sent, or was discarded.";

/** Retries an email for another day. @throws {Conflict} when it isn't pending. */
export async function retryMail(db: Database, actor: Actor | null, mailId: string): Promise<void> {
  authorize(actor, "mail.manage");
  const retried = isUuid(mailId) ? await queue.retryMails(db, actor, mailId) : 0;
  if (retried === 0) throw new Conflict(notPending);
}

/** Retries all failed emails. @returns their number. */
export async function retryGivenUpMails(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "mail.manage");
  return queue.retryMails(db, actor, null);
}

/** Discards an email and deletes its text. @throws {Conflict} when it isn't pending. */
export async function cancelMail(db: Database, actor: Actor | null, mailId: string): Promise<void> {
  authorize(actor, "mail.manage");
  const isDropped = isUuid(mailId) && (await queue.cancelQueuedMail(db, actor, mailId));
  if (!isDropped) throw new Conflict(notPending);
}

/** Labels by the first part of an email's cause. The rest of a cause may contain private data. */
export const mailKinds: Record<string, string> = {
  confirm: "Email confirmation",
  "account-exists": "Sign-up with an existing account's email",
  recovery: "Password reset link",
  "password-changed": "Password changed",
  "new-address": "Confirmation of a new address",
  "address-changed": "Address changed",
  "reversal-asked": "Staff account locked (to the admins)",
  "new-device": "Sign-in from a new device",
  "factor-changed": "Second step changed",
  banned: "Account banned",
  "account-closed": "Account closed",
  "unused-account": "Account that nobody uses (warning)",
  "account-restored": "Closed account restored",
  "ban-lifted": "Ban lifted",
  "review-assigned": "Review assigned (to the customer)",
  "reviews-assigned": "Reviews assigned (to the reviewer)",
  "reviews-taken-back": "Reviews unassigned",
  "review-handed-back": "Review handed back (to an admin)",
  "review-completed": "Review completed",
  "question-asked": "Question about a review (to the reviewer)",
  "question-moved": "Question given to another reviewer",
  "question-answered": "Question about a review answered",
  "review-extended": "Due date extended",
  "review-half": "Review still unassigned halfway to its deadline",
  "review-due": "Review due soon (to the reviewer)",
  "review-late": "Review overdue",
  purchase: "Review purchased (to the customer)",
  "new-order": "New order (to an admin)",
  "new-orders": "Daily order summary (to an admin)",
  "second-payment": "Duplicate payment",
  "paid-without-account": "Payment from a deleted account",
  "wrong-amount": "Payment of a wrong amount",
  "order-given-up": "Payment that couldn't be settled",
  "refund-asked": "Refund requested",
  "refund-approved": "Refund under way",
  "refund-settled": "Refund completed",
  "refund-declined": "Refund declined",
  "refund-failed": "Refund failed",
  "job-unchecked": "Listing not checked yet (to its owner)",
  "first-checks": "Listings without a first check (to an admin)",
  "saved-job-closes": "Saved job that closes soon",
  "alert-confirmation": "Confirmation of a job alert",
  "alert-known": "Job alert that an address has already",
  "alert-full": "Job alert beyond the limit of an address",
  "alert-digest": "Job alert",
  "export-ready": "Copy of own data ready",
  "export-started": "Copy of own data started by staff",
  breach: "Notice of a breach",
  contact: "Contact message",
  "contact-confirmation": "Contact message confirmation",
  "contact-answer": "Reply to a contact message",
  "contact-follow-up": "Follow-up to a contact message",
  check: "Question if a job is still open (to its contact)",
  "messages-unread": "Contact messages not read yet (to an admin)",
  "report-confirmation": "Confirmation of a report on a listing",
  "work-email": "Confirmation of a work email",
  "company-claim": "Someone wants to post for a company (to its owner)",
  "company-claim-decision": "Decision about a claim on a company",
  "company-page-decision": "Decision about a change of a company's page (to its sender)",
  "listing-approved": "Listing approved, to be paid (to its company)",
  "listing-not-published": "Payment for a listing that can't be published",
  "listing-published": "Listing published (to its company)",
  "listing-returned": "Listing returned (to its company)",
  "job-reported": "Listing reported by several people (to an admin)",
  "messages-unsettled": "Contact messages not settled yet (to an admin)",
};

export function formatMailKind(cause: string): string {
  return mailKinds[cause.slice(0, cause.indexOf(":"))] ?? "Other";
}
