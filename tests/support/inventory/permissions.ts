/** The people that tests tell apart, and what they may do besides opening screens. */
export const everyone = [
  "visitor",
  "customer",
  "subscriber",
  "adder",
  "reviewer",
  "admin",
] as const;
export type Persona = (typeof everyone)[number];
export const signedIn: Persona[] = ["customer", "subscriber", "adder", "reviewer", "admin"];

/** The senders of forms. `former` lost every role, `banned` has every role; both have an open session. */
export const senders = [
  "visitor",
  "owner",
  "customer",
  "subscriber",
  "adder",
  "other adder",
  "reviewer",
  "other reviewer",
  "admin",
  "former",
  "banned",
] as const;
export type Sender = (typeof senders)[number];

/** Permissions and their holders. Ownership is tested with each command. */
export const eventsOf: Record<string, readonly Persona[]> = {
  "review.oversee": ["admin"],
  "review.assign": ["admin"],
  "review.extend": ["admin"],
  "review.prioritise": ["admin"],
  "review.edit": ["admin"],
  "product.oversee": ["admin"],
  "user.oversee": ["admin"],
  "user.reset-password": ["admin"],
  "user.change-role": ["admin"],
  "user.ban": ["admin"],
  "user.reverse-address": ["admin"],
  "mail.manage": ["admin"],
  "message.answer": ["admin"],
  "order.resolve": ["admin"],
  "order.refund": ["admin"],
  "invoice.export": ["admin"],
  "refund.ask": signedIn,
  "review.open": ["reviewer"],
  "review.write": ["reviewer"],
  "review.submit": ["reviewer"],
  "review.remark": ["reviewer", "admin"],
  "reviewer.introduce": ["reviewer"],
  "reviewer.hide": ["admin"],
  "reviewer.set-availability": ["reviewer"],
  "review.share": signedIn,
  "review.brief": signedIn,
  "review.rate": signedIn,
  "session.end": signedIn,
  "factor.change": signedIn,
  "account.correct": signedIn,
  "mail.choose": signedIn,
  "consent.change": signedIn,
  "tracker.keep": signedIn,
  "alert.keep": signedIn,
  "job.manage": ["subscriber", "adder", "admin"],
  "job.manage-any": ["admin"],
  "company.manage": signedIn,
  "company.approve": ["admin"],
  "job.post": signedIn,
  "job.review": ["admin"],
  "report.decide": ["admin"],
  "contact.decide": ["admin"],
  "job.check": ["adder", "admin"],
};
