import { Denied, NotProved, SignedOut } from "../platform/errors.ts";
import type { Actor } from "./actor.server.ts";

type May = (actor: Actor) => boolean;

const allowAnyUser: May = () => true;
const allowGodAdmin: May = (actor) => actor.isGodAdmin;
const allowReviewer: May = (actor) => actor.isReviewer;
const allowJobAdder: May = (actor) => actor.isJobBoardAdder || actor.hasActiveSubscription;

/**
 * The one table of who may do what to whose things. Where only one's own things are meant, the
 * command's SQL filters by the actor: what is not one's own is not found.
 */
export const permissions = {
  /** See every review, whoever bought it or has it. */
  "review.oversee": allowGodAdmin,
  "review.assign": allowGodAdmin,
  "review.prioritise": allowGodAdmin,
  /** Set a later due date. */
  "review.extend": allowGodAdmin,
  /** Change the feedback and images of a completed review. */
  "review.edit": allowGodAdmin,

  /** Those of one's own open assignments. */
  "review.open": allowReviewer,
  "review.write": allowReviewer,
  "review.submit": allowReviewer,
  /** Pin remarks and score: as a reviewer while it is open, as a god admin once it is completed. */
  "review.remark": (actor) => allowReviewer(actor) || allowGodAdmin(actor),

  /** Say who one is to those whose work one reads; hide what a reviewer says. */
  "reviewer.introduce": allowReviewer,
  "reviewer.hide": allowGodAdmin,

  /** Show one's own completed review to others, by a link. */
  "review.share": allowAnyUser,
  /** What one buys oneself: say before what for, and afterwards what one thinks of it. */
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
  /** Give money back, or decide whether it goes back. */
  "order.refund": allowGodAdmin,
  /** Ask for one's own money back. */
  "refund.ask": allowAnyUser,

  /** Those of one's own account. */
  "session.end": allowAnyUser,
  "factor.change": allowAnyUser,
  "mail.choose": allowAnyUser,

  /** Those one created oneself. */
  "job.manage": (actor) => allowGodAdmin(actor) || allowJobAdder(actor),
  "job.manage-any": allowGodAdmin,
} satisfies Record<string, May>;

export type Permission = keyof typeof permissions;

/**
 * What is done to accounts, and money that goes back: an open session alone, such as that of a computer
 * somebody walked away from, is not enough for it. Their screens have `requireRecentSignIn`.
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
