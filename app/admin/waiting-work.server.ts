import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import type { WaitingWork } from "../accounts/waiting-work.ts";
import { claimsToDecide, pagesToDecide } from "../companies/decide/waiting-work.server.ts";
import { reportedListings } from "../checks/decide/waiting-work.server.ts";
import { textsToDecide } from "../checks/question/waiting-work.server.ts";
import { listingsToCheck } from "../checks/queue/waiting-work.server.ts";
import { ordersToResolve, refundsToDecide } from "../payments/resolve/waiting-work.server.ts";
import type { Database } from "../platform/database.server.ts";
import { countLabel } from "../platform/lists/lists.ts";
import { listingsToPublish } from "../posting/decide/waiting-work.server.ts";
import {
  overdueReviews,
  questionsToMove,
  unassignedReviews,
} from "../review-staff/assign/waiting-work.server.ts";
import { handedBackReviews } from "../review-staff/hand-back/waiting-work.server.ts";
import { messagesToAnswer } from "../support/answer/waiting-work.server.ts";

/** All kinds of work that wait for god admins, the most urgent first. */
const kinds: WaitingWork[] = [
  overdueReviews,
  handedBackReviews,
  unassignedReviews,
  questionsToMove,
  refundsToDecide,
  messagesToAnswer,
  reportedListings,
  listingsToPublish,
  claimsToDecide,
  pagesToDecide,
  textsToDecide,
  listingsToCheck,
  ordersToResolve,
];

/** Lists the work that waits; kinds without any are left out. */
export async function listWaitingWork(db: Database, actor: Actor | null) {
  authorize(actor, "product.oversee");
  const listed = await Promise.all(
    kinds.map(async ({ count, one, several, ...kind }) => {
      const { note = null, ...waiting } = await count(db, actor);
      const text = waiting.counted === 1 ? one : several;
      return { ...kind, counted: waiting.counted, count: countLabel(waiting), text, note };
    }),
  );
  return listed.filter(({ counted }) => counted > 0);
}

export type ListedWork = Awaited<ReturnType<typeof listWaitingWork>>[number];
