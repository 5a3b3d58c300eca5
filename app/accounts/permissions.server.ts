import { Denied, NotProved, SignedOut } from "../platform/errors.ts";
import type { Actor } from "./actor.server.ts";

type May = (actor: Actor) => boolean;

const allowAnyUser: May = () => true;
const allowGodAdmin: May = (actor) => actor.isGodAdmin;
const allowReviewer: May = (actor) => actor.isReviewer;
const allowJobAdder: May = (actor) => actor.isJobBoardAdder || actor.hasActiveSubscription;

/**
 * The only table of permissions. Where it covers only a person's own things, the command's SQL filters by the
 * actor: other people's things are not found.
 */
export const permissions = {
  /** See every review, regardless of its buyer and reviewer. */
  "review.oversee": allowGodAdmin,
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
  /** Pin remarks and score: as a reviewer while it is open, as a god admin once it is completed. */
  "review.remark": (actor) => allowReviewer(actor) || allowGodAdmin(actor),

  /** Say who one is to those whose work one reads; hide what a reviewer says. */
  "reviewer.introduce": allowReviewer,
  "reviewer.hide": allowGodAdmin,

  /** Share their own completed review by a link. */
  "review.share": allowAnyUser,
  /** Add a brief to their own purchase, and rate it afterwards. */
  "review.brief": allowAnyUser,
  "review.rate": allowAnyUser,

  /** See the numbers of the whole product, and who did what. */
  "product.oversee": allowGodAdmin,
  "user.oversee": allowGodAdmin,
  "user.reset-password": allowGodAdmin,
  "user.change-role": allowGodAdmin,
  "user.ban": allowGodAdmin,

  /** See, send again and call off what is mailed. */
  "mail.manage": allowGodAdmin,
  /** Read and answer what people wrote to us. */
  "message.answer": allowGodAdmin,
  /** Look into payments that time alone does not settle. */
  "order.look-into": allowGodAdmin,
  /** Refund money, or decide about a refund. */
  "order.refund": allowGodAdmin,
  /** Request a refund of their own payment. */
  "refund.ask": allowAnyUser,

  /** The sessions of their own account. */
  "session.end": allowAnyUser,
  "factor.change": allowAnyUser,
  "mail.choose": allowAnyUser,

  /** Listings that they created. */
  "job.manage": (actor) => allowGodAdmin(actor) || allowJobAdder(actor),
  "job.manage-any": allowGodAdmin,
} satisfies Record<string, May>;

export type Permission = keyof typeof permissions;

/**
 * Changes to accounts and refunds. An open session is not enough for them, since it may be on a shared
 * computer. Their screens use `requireRecentSignIn`.
 */
const sensitive: ReadonlySet<Permission> = new Set([
  "user.reset-password",
  "user.change-role",
  "user.ban",
  "order.refund",
  "factor.change",
]);

/**
 * The first line of each command: `authorize(actor, "review.assign")`.
 *
 * @param signedOut what a visitor is told, where it is not the usual
 * @throws {SignedOut} for a visitor.
 * @throws {Denied} for a person who may not do this.
 * @throws {NotProved} for a person who has to sign in again before.
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
