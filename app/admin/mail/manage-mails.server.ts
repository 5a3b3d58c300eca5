import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import * as queue from "../../mail/unsent-mails.server.ts";
import type { MailState } from "../../mail/rules.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";

/** Lists mails of the last month, the newest first, in pages, and counts those of each state. */
export async function listQueuedMails(
  db: Database,
  actor: Actor | null,
  query: { state: MailState | null; after: string | null },
) {
  authorize(actor, "mail.manage");
  const [page, counts] = await Promise.all([queue.listMails(db, query), queue.countMails(db)]);
  return { ...page, counts };
}

const gone = "It has left, is just leaving, or was called off.";

/** Has one mail tried again for a day. @throws {Conflict} when it does not wait. */
export async function retryMail(db: Database, actor: Actor | null, mailId: string): Promise<void> {
  authorize(actor, "mail.manage");
  const retried = isUuid(mailId) ? await queue.retryMails(db, actor, mailId) : 0;
  if (retried === 0) throw new Conflict(gone);
}

/** Has all mails tried again that were given up. @returns how many. */
export async function retryGivenUpMails(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "mail.manage");
  return queue.retryMails(db, actor, null);
}

/** Calls off a mail: it is never sent, and its text goes. @throws {Conflict} when it does not wait. */
export async function cancelMail(db: Database, actor: Actor | null, mailId: string): Promise<void> {
  authorize(actor, "mail.manage");
  const isDropped = isUuid(mailId) && (await queue.cancelQueuedMail(db, actor, mailId));
  if (!isDropped) throw new Conflict(gone);
}

/** Kinds of mail by the beginning of their cause. The rest of a cause may contain private facts. */
export const mailKinds: Record<string, string> = {
  confirm: "Confirmation of an address",
  "account-exists": "Sign-up of an address that has an account",
  recovery: "Link for a new password",
  "password-changed": "A password was changed",
  "new-device": "A sign-in on a new device",
  "factor-changed": "A change of how somebody signs in",
  banned: "A ban",
  "ban-lifted": "A ban was lifted",
  "review-assigned": "A review was assigned, to its buyer",
  "reviews-assigned": "Reviews were assigned, to the reviewer",
  "reviews-taken-back": "Reviews were taken back",
  "review-completed": "A review is completed",
  "review-extended": "A review is due later",
  "review-half": "Nobody has a review at half of its time",
  "review-due": "A review is due soon, to the reviewer",
  "review-late": "A review is overdue",
  purchase: "A review was paid for",
  "new-order": "A review was bought, to an admin",
  "new-orders": "What was bought since a morning, to an admin",
  "second-payment": "The same was paid for twice",
  "paid-without-account": "A payment of an account that is gone",
  "wrong-amount": "A payment of a wrong amount",
  "order-given-up": "A payment that could not be settled",
  "refund-asked": "A refund is asked for",
  "refund-approved": "A refund is under way",
  "refund-settled": "A refund is settled",
  "refund-declined": "A refund was declined",
  "refund-failed": "A refund failed",
  contact: "A message to us",
  "contact-confirmation": "Confirmation of a message to us",
  "contact-answer": "Answer to a message to us",
};

export function formatMailKind(cause: string): string {
  return mailKinds[cause.slice(0, cause.indexOf(":"))] ?? "Another mail";
}
