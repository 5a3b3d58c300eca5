import { and, eq, inArray } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { lockReview } from "../../reviews/locks.server.ts";
import { priorityNames } from "../../reviews/rules.ts";
import { messages } from "../../reviews/staff-rules.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import type { PriorityOutcome, RestoredPriorities } from "./assignment-messages.ts";
import { lockReviews, validateSelection } from "./assign-reviews.server.ts";

/**
 * Sets how urgent a review is: 0 None, 1 Low, 2 Medium, 3 High.
 *
 * @returns the time of the change for {@link restorePriorities}; null if the review had this priority before
 * @throws {Invalid} for any other priority.
 * @throws {NotFound} for a review that does not exist.
 */
export async function setPriority(
  db: Database,
  actor: Actor | null,
  { reviewId, priority }: { reviewId: string; priority: number },
): Promise<Date | null> {
  authorize(actor, "review.prioritise");
  validatePriority(priority);
  return db.transaction(async (tx) => {
    const review = await lockReview(tx, reviewId);
    if (review.priority === priority) return null;
    return changePriorities(tx, actor, [{ ...review, to: priority }]);
  });
}

/**
 * Sets the priority of several open reviews in one transaction.
 *
 * @throws {Invalid} for an unknown priority, an empty selection, or one that is too large.
 * @throws {Conflict} when none of the reviews changes.
 */
export async function setPriorities(
  db: Database,
  actor: Actor | null,
  { reviewIds, priority }: { reviewIds: string[]; priority: number },
): Promise<PriorityOutcome> {
  authorize(actor, "review.prioritise");
  validatePriority(priority);
  const ids = validateSelection(reviewIds, messages.nothingSelected);
  return db.transaction(async (tx) => {
    const chosen = await lockReviews(tx, ids);
    const open = chosen.filter(({ status, withdrawnAt }) => status !== "completed" && !withdrawnAt);
    const changes = open.filter((review) => review.priority !== priority);
    if (open.length === 0) throw new Conflict(messages.noneOpen);
    if (changes.length === 0)
      throw new Conflict(messages.allPrioritised, { code: "nothing-to-do" });
    const at = await changePriorities(
      tx,
      actor,
      changes.map((review) => ({ ...review, to: priority })),
    );
    return {
      at,
      priority,
      changed: changes.length,
      same: open.length - changes.length,
      gone: ids.length - open.length,
    };
  });
}

/**
 * Gives the reviews of one change their earlier priorities. Reviews whose priority was changed again stay as they are.
 *
 * @param change.at the time of the actor's change
 * @throws {Conflict} when none of them can be restored.
 */
export async function restorePriorities(
  db: Database,
  actor: Actor | null,
  { at }: { at: Date },
): Promise<RestoredPriorities> {
  authorize(actor, "review.prioritise");
  return db.transaction(async (tx) => {
    const events = await listPriorityEvents(tx, actor, at);
    const reviews = await lockReviews(
      tx,
      events.map(({ reviewId }) => reviewId),
    );
    const unchanged = reviews.flatMap((review) => {
      const { from, to } = events.find(({ reviewId }) => reviewId === review.id)!;
      return review.priority === to ? [{ ...review, to: from }] : [];
    });
    if (unchanged.length === 0) throw new Conflict(messages.priorityChanged);
    await changePriorities(tx, actor, unchanged);
    return { restored: unchanged.length, changed: events.length - unchanged.length };
  });
}

/** The history has what each change replaced, so an undo needs no list of reviews from the browser. */
async function listPriorityEvents(tx: Database, actor: Actor, at: Date) {
  const { actorId, event, subjectId, before, after } = auditEvents;
  const isOfChange = and(eq(actorId, actor.id), eq(auditEvents.at, at), eq(event, prioritised));
  const rows = await tx.select({ subjectId, before, after }).from(auditEvents).where(isOfChange);
  return rows.map((row) => ({
    reviewId: row.subjectId,
    from: (row.before as { priority: number }).priority,
    to: (row.after as { priority: number }).priority,
  }));
}

const prioritised = "review.prioritise";

function validatePriority(priority: number): void {
  if (!(priority in priorityNames)) throw new Invalid({ priority: "Please select a priority" });
}

/** Writes the priorities of locked reviews. Returns the time by which the history has them. */
async function changePriorities(
  tx: Database,
  actor: Actor,
  changes: readonly { id: string; priority: number; to: number }[],
): Promise<Date> {
  const at = now();
  for (const priority of new Set(changes.map(({ to }) => to))) {
    const ids = changes.filter(({ to }) => to === priority).map(({ id }) => id);
    await tx.update(serviceReviews).set({ priority }).where(inArray(serviceReviews.id, ids));
  }
  await recordAuditEvents(
    tx,
    changes.map(({ id, priority, to }) => ({
      actor,
      event: prioritised,
      subject: { type: "review", id },
      before: { priority },
      after: { priority: to },
      at,
    })),
  );
  return at;
}
