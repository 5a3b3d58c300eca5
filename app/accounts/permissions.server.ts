import { Denied, NotProved, SignedOut } from "../platform/errors.ts";
import type { Actor } from "./actor.server.ts";

type Rule = (actor: Actor) => boolean;

const allowAnyUser: Rule = () => true;
const allowGodAdmin: Rule = (actor) => actor.isGodAdmin;
const allowReviewer: Rule = (actor) => actor.isReviewer;
const allowJobAdder: Rule = (actor) => actor.isJobBoardAdder || actor.hasActiveSubscription;

/**
 * The only table of permissions. For a person's own data, the command's SQL also filters by the actor, so
 * that other people's data is not found.
 */
export const permissions = {
  /** See every review, regardless of its buyer and reviewer. */
  "review.oversee": allowGodAdmin,
  /** Assign, reassign and unassign reviews, and give a customer's question to another reviewer. */
  "review.assign": allowGodAdmin,
  "review.prioritise": allowGodAdmin,
  /** Set a later due date. */
  "review.extend": allowGodAdmin,
  /** Change the feedback and images of a completed review. */
  "review.edit": allowGodAdmin,

  /** The reviewer's own open assignments. */
  "review.open": allowReviewer,
  "review.write": allowReviewer,
  "review.submit": allowReviewer,
  "review.hand-back": allowReviewer,
  /** Pin remarks and score: reviewers on open reviews, god admins on completed ones. */
  "review.remark": (actor) => allowReviewer(actor) || allowGodAdmin(actor),

  /** Write an introduction for customers, and hide a reviewer's introduction. */
  "reviewer.introduce": allowReviewer,
  "reviewer.hide": allowGodAdmin,
  /** Read their own earnings, and give their PAN. */
  "earnings.own": allowReviewer,
  /** Read reviewers' fees, record what was paid, and take back the fee of a refunded review. */
  "payout.manage": allowGodAdmin,
  /** See a reviewer's PAN. */
  "pan.read": allowGodAdmin,
  /** Set when they are away, and how many reviews they take in a day. */
  "reviewer.set-availability": allowReviewer,

  /** Share their own completed review with a link. */
  "review.share": allowAnyUser,
  /** Add a brief to their own purchase, and rate it afterwards. */
  "review.brief": allowAnyUser,
  "review.rate": allowAnyUser,
  /** Ask one question about their own completed review. */
  "question.ask": allowAnyUser,
  /** Answer a question that is theirs to answer, as the SQL says. */
  "question.answer": allowReviewer,
  /** Black out parts of the files in their own draft. */
  "review.black-out": allowAnyUser,

  /** See product-wide figures and the audit log. */
  "product.oversee": allowGodAdmin,
  "user.oversee": allowGodAdmin,
  "user.reset-password": allowGodAdmin,
  "user.change-role": allowGodAdmin,
  "user.ban": allowGodAdmin,
  /** Give an account of staff back to its earlier address. */
  "user.reverse-address": allowGodAdmin,
  /** Close the account of a person who wrote to us. */
  "account.close-for": allowGodAdmin,

  /** See, resend and cancel email. */
  "mail.manage": allowGodAdmin,
  /** Read and answer contact messages. */
  "message.answer": allowGodAdmin,
  /** Resolve orders that need a person's decision. */
  "order.resolve": allowGodAdmin,
  /** Read a month's sums, and download its invoices and credit notes. */
  "invoice.export": allowGodAdmin,
  /** Refund money, or decide on a refund request. */
  "order.refund": allowGodAdmin,
  /** Request a refund of their own payment. */
  "refund.ask": allowAnyUser,

  /** Manage their own account. */
  "session.end": allowAnyUser,
  "factor.change": allowAnyUser,
  /** Correct their own name and email address. */
  "account.correct": allowAnyUser,
  "account.close": allowAnyUser,
  "mail.choose": allowAnyUser,
  /** Give and withdraw their own consents. */
  "consent.change": allowAnyUser,
  /** Get a copy of their own data. */
  "data.export": allowAnyUser,
  /** Start such a copy for a person who asked for it. Only that person can download it. */
  "data.export-for": allowGodAdmin,
  /** Keep their own list of jobs. */
  "tracker.keep": allowAnyUser,
  /** Get new jobs by email. */
  "alert.keep": allowAnyUser,

  /** Listings that they created. */
  "job.manage": (actor) => allowGodAdmin(actor) || allowJobAdder(actor),
  "job.manage-any": allowGodAdmin,
  /** Ask to post for a company, and manage one: members only, as the SQL says. */
  "company.manage": allowAnyUser,
  /** Decide about claims on companies, and hide a company. */
  "company.approve": allowGodAdmin,
  /** Write listings of the companies for which they may post, as the SQL says. */
  "job.post": allowAnyUser,
  /** Publish or return the listings that companies send. */
  "job.review": allowGodAdmin,
  /** Read reports on listings, and archive a listing or dismiss its reports. */
  "report.decide": allowGodAdmin,
  "contact.decide": allowGodAdmin,
  /** Say that their own listings are open, filled or closed. With `job.manage-any`, all listings. */
  "job.check": (actor) => allowGodAdmin(actor) || actor.isJobBoardAdder,
} satisfies Record<string, Rule>;

export type Permission = keyof typeof permissions;

/**
 * Permissions that need a recent sign-in, since an open session may be on a shared computer. Their screens
 * use `requireRecentSignIn`.
 */
const sensitive: ReadonlySet<Permission> = new Set([
  "user.reset-password",
  "user.change-role",
  "user.ban",
  "user.reverse-address",
  "order.refund",
  "pan.read",
  "factor.change",
  "account.correct",
  "data.export",
  "data.export-for",
  "account.close",
  "account.close-for",
]);

/**
 * The first line of each command: `authorize(actor, "review.assign")`.
 *
 * @param signedOut the message for visitors, if not the default
 * @throws {SignedOut} for a visitor.
 * @throws {Denied} for a person without the permission.
 * @throws {NotProved} for a person who has to sign in again first.
 */
export function authorize(
  actor: Actor | null,
  permission: Permission,
  signedOut?: string,
): asserts actor is Actor {
  if (!actor) throw new SignedOut(signedOut);
  if (!permissions[permission](actor)) throw new Denied();
  if (sensitive.has(permission) && !actor.isProved) throw new NotProved();
}
