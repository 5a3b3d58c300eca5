import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
  pendingReview,
  pendingReviews,
  reviewRow,
} from "../../../tests/support/rows/review-states.ts";
import { now } from "../../platform/clock.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { restorePriorities, setPriorities, setPriority } from "./set-priority.server.ts";

const { db } = await testDatabase();
const who = everybody(db);

beforeEach(async () => {
  await db.delete(serviceReviews);
});

const setAll = (reviewIds: string[], priority: number, actor = who.gita) =>
  setPriorities(db, actor, { reviewIds, priority });
const priorityOf = async (id: string) => (await reviewRow(db, id)).review.priority;

test("the priority of open reviews changes at once, and each change is in the history", async () => {
  const pending = await pendingReview(db, who.asha, { priority: 1 });
  const assigned = await assignedReview(db, who.asha, who.meera);
  const high = await pendingReview(db, who.asha, { priority: 3 });
  const completed = await completedReview(db, who.asha, who.meera);
  const refunded = await pendingReview(db, who.asha);
  await db
    .update(serviceReviews)
    .set({ withdrawnAt: now() })
    .where(eq(serviceReviews.id, refunded));
  const missing = randomUUID();
  const chosen = [pending, assigned, high, completed, refunded, missing, "no id"];
  expect(await setAll(chosen, 3)).toMatchObject({ priority: 3, changed: 2, same: 1, gone: 4 });
  expect(await Promise.all([pending, assigned, high].map(priorityOf))).toEqual([3, 3, 3]);
  expect(await priorityOf(completed)).toBe(0);
  const events = await db.select().from(auditEvents).where(eq(auditEvents.subjectId, pending));
  expect(events).toMatchObject([
    { event: "review.prioritise", before: { priority: 1 }, after: { priority: 3 } },
  ]);
  expect(await eventsOn(db, high)).toEqual([]);
});

test("a priority of no open review is refused", async () => {
  const completed = await completedReview(db, who.asha, who.meera);
  const high = await pendingReview(db, who.asha, { priority: 3 });
  await expect(setAll([completed], 2)).rejects.toThrow("no longer open");
  await expect(setAll([high], 3)).rejects.toThrow("already have this priority");
  await expect(setAll([], 3)).rejects.toThrow("select at least one review");
  for (const priority of [-1, 4, 1.5, NaN])
    await expect(setAll([high], priority)).rejects.toThrow(Invalid);
  const many = Array.from({ length: 201 }, () => randomUUID());
  await expect(setAll(many, 1)).rejects.toThrow("at most 200 reviews");
});

test("an undo restores the priority that each review had", async () => {
  const ids = await Promise.all(
    [0, 1, 2].map((priority) => pendingReview(db, who.asha, { priority })),
  );
  const { at } = await setAll(ids, 3);
  expect(await restorePriorities(db, who.gita, { at })).toEqual({ restored: 3, changed: 0 });
  expect(await Promise.all(ids.map(priorityOf))).toEqual([0, 1, 2]);
  expect(await eventsOn(db, ids[0]!)).toEqual(["review.prioritise", "review.prioritise"]);
  await expect(restorePriorities(db, who.gita, { at })).rejects.toThrow(Conflict);
});

test("an undo leaves reviews that were changed again", async () => {
  const [one = "", two = ""] = await pendingReviews(db, who.asha, 2);
  const { at } = await setAll([one, two], 3);
  await setPriority(db, who.gita, { reviewId: one, priority: 1 });
  expect(await restorePriorities(db, who.gita, { at })).toEqual({ restored: 1, changed: 1 });
  expect([await priorityOf(one), await priorityOf(two)]).toEqual([1, 0]);
  const single = await setPriority(db, who.gita, { reviewId: two, priority: 2 });
  await db.delete(serviceReviews).where(eq(serviceReviews.id, two));
  await expect(restorePriorities(db, who.gita, { at: single! })).rejects.toThrow("changed again");
});

test("an undo concerns the actor's own change", async () => {
  const id = await pendingReview(db, who.asha);
  const at = await setPriority(db, who.gita, { reviewId: id, priority: 3 });
  const other = { ...who.gita, id: who.meera.id };
  await expect(restorePriorities(db, other, { at: at! })).rejects.toThrow(Conflict);
  expect(await setPriority(db, who.gita, { reviewId: id, priority: 3 })).toBeNull();
  expect(await priorityOf(id)).toBe(3);
});

test("an undo and another change of the same reviews wait for each other", async () => {
  const ids = await pendingReviews(db, who.asha, 5);
  const { at } = await setAll(ids, 3);
  const [undone, changed] = await Promise.allSettled([
    restorePriorities(db, who.gita, { at }),
    setAll(ids.toReversed(), 1),
  ]);
  expect(changed.status).toBe("fulfilled");
  expect(await Promise.all(ids.map(priorityOf))).toEqual([1, 1, 1, 1, 1]);
  // Either the undo was first, or it found every review changed.
  if (undone.status === "rejected") expect(undone.reason).toBeInstanceOf(Conflict);
  else expect(undone.value).toEqual({ restored: 5, changed: 0 });
});
