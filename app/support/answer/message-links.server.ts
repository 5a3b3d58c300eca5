import { eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import type { ReviewStatus } from "../../reviews/rules.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import type { LinkedKind } from "../rules.ts";
import { supportMessages } from "../tables.server.ts";
import { lockMessage, type Message } from "./read-message.server.ts";

type LinkColumns = Pick<Message, "orderId" | "reviewId" | "jobId">;

const columns = {
  order: "orderId",
  review: "reviewId",
  job: "jobId",
} as const satisfies Record<LinkedKind, keyof LinkColumns>;

/** Something that a message is about, with the admin screen where it is found. */
type MessageLink = { kind: LinkedKind; label: string; to: OwnPath };

const reviewLists: Record<ReviewStatus, (id: string) => OwnPath> = {
  pending: () => "/admin/reviews",
  under_review: () => "/admin/reviews/assigned",
  completed: (id) => `/admin/reviews/${id}/remarks`,
};

/** Lists what a message is about. Check permission before calling it. */
export async function listMessageLinks(
  db: Database,
  { orderId, reviewId, jobId }: LinkColumns,
): Promise<MessageLink[]> {
  const [[review], [job]] = await Promise.all([
    reviewId === null
      ? []
      : db
          .select({
            serviceType: serviceReviews.serviceType,
            secondLookOf: serviceReviews.secondLookOf,
            status: serviceReviews.status,
          })
          .from(serviceReviews)
          .where(eq(serviceReviews.id, reviewId)),
    jobId === null
      ? []
      : db
          .select({ title: jobs.title, company: jobs.company })
          .from(jobs)
          .where(eq(jobs.id, jobId)),
  ]);
  const links: MessageLink[] = [];
  if (orderId)
    links.push({ kind: "order", label: `Order ${orderId}`, to: `/admin/orders/${orderId}` });
  if (review && reviewId)
    links.push({
      kind: "review",
      label: getBoughtService(review).label,
      to: reviewLists[review.status](reviewId),
    });
  if (job) links.push({ kind: "job", label: `${job.title}, ${job.company}`, to: `/jobs/${jobId}` });
  return links;
}

const nothingFound = "No order, review or job has this ID or address.";

/**
 * Links a message to the order, review or job that it is about. It replaces a link of the same kind.
 *
 * @param target an id, or the address of a page about it
 * @throws {Invalid} when nothing has this id.
 * @throws {NotFound} when there is no such ticket.
 */
export async function addMessageLink(
  db: Database,
  actor: Actor | null,
  { ticket, target }: { ticket: string; target: string },
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const { id } = await lockMessage(tx, ticket);
    const link = await findTarget(tx, target);
    if (!link) throw new Invalid({ target: nothingFound });
    await tx.update(supportMessages).set(link).where(eq(supportMessages.id, id));
  });
}

async function findTarget(tx: Database, target: string): Promise<Partial<LinkColumns> | null> {
  for (const part of target.split(/[/?#&=\s]+/).toReversed()) {
    if (isUuid(part)) {
      if ((await tx.$count(serviceReviews, eq(serviceReviews.id, part))) > 0)
        return { reviewId: part };
      if ((await tx.$count(jobs, eq(jobs.id, part))) > 0) return { jobId: part };
    } else if (part && (await tx.$count(orders, sql`${orders.orderId} = ${part}`)) > 0)
      return { orderId: part };
  }
  return null;
}

/**
 * Removes a link from a message. Removing it twice changes nothing.
 *
 * @throws {NotFound} when there is no such ticket.
 */
export async function removeMessageLink(
  db: Database,
  actor: Actor | null,
  { ticket, kind }: { ticket: string; kind: LinkedKind },
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const { id } = await lockMessage(tx, ticket);
    await tx
      .update(supportMessages)
      .set({ [columns[kind]]: null })
      .where(eq(supportMessages.id, id));
  });
}
