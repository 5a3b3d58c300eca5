/** What mails are about and what becomes of them, in words; safe for the browser. */
import { type MailState, mailStates } from "../../mail/rules.ts";
import type { Tone } from "../../ui/layout/card.tsx";

/** By the beginning of their causes; the rest of a cause may name what is nobody's business. */
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

export function mailKind(cause: string): string {
  return mailKinds[cause.slice(0, cause.indexOf(":"))] ?? "Another mail";
}

export const stateCopy: Record<MailState, { label: string; tone: Tone }> = {
  waiting: { label: "Waiting", tone: "info" },
  failing: { label: "Failing", tone: "warning" },
  "given-up": { label: "Given up", tone: "danger" },
  sent: { label: "Sent", tone: "success" },
  dropped: { label: "Called off", tone: "neutral" },
};

/** What the address of the list asks for. */
export type MailsQuery = { state: MailState | null; after: string | null; drop: string | null };

/** Anything that is not understood counts as absent. */
export function readMailsQuery(params: URLSearchParams): MailsQuery {
  return {
    state: mailStates.find((state) => state === params.get("state")) ?? null,
    after: params.get("after") || null,
    drop: params.get("drop") || null,
  };
}

export function mailsAddress(query: MailsQuery): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value);
  const text = params.toString();
  return text ? `?${text}` : ".";
}
