import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { person } from "../../../tests/support/rows/people.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
  attachFiles,
  pendingReview,
  reviewRow,
} from "../../../tests/support/rows/review-states.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { Conflict } from "../../platform/errors.ts";
import { reviewAssignments } from "../../reviews/tables.server.ts";
import { assignReviews, reassignReviews, unassignReviews } from "./assign-reviews.server.ts";
import { getDraftVersion, saveDraftFeedback } from "../workspace/own-review.server.ts";
import { submitReview } from "../workspace/submit-review.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { setBan, tomorrow } from "../../../tests/support/rows/admin-things.ts";

const config = testConfig();
const { db } = await testDatabase();
const who = everybody(db);

const longAgo = () => new Date(now().getTime() - 6 * day);

function reassign(actor: Actor | null, reviewIds: string[], reviewer: { id: string }) {
  return reassignReviews(db, actor, { reviewIds, reviewerId: reviewer.id }, config);
}
function unassign(actor: Actor | null, reviewIds: string[]) {
  return unassignReviews(db, actor, { reviewIds }, config);
}

test("a reassigned review keeps its status, counts as assigned now, and loses the former reviewer's draft", async () => {
  const id = await assignedReview(db, who.asha, who.meera, { assignedAt: longAgo() });
  await saveDraftFeedback(db, who.meera, {
    reviewId: id,
    feedback: "Meera's thoughts",
    version: getDraftVersion(null),
  });
  const before = now();
  expect((await reassign(who.gita, [id], who.kabir)).reassigned).toEqual([id]);
  const { review, assignment } = await reviewRow(db, id);
  expect(review.status).toBe("under_review");
  expect(assignment).toMatchObject({
    reviewerId: who.kabir.id,
    completedAt: null,
    draftFeedback: null,
    draftSavedAt: null,
  });
  expect(assignment!.assignedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect(await eventsOn(db, id)).toEqual(["review.reassign"]);
});

test("the new reviewer and each former one get one email, and the customer none", async () => {
  const ids = [
    await assignedReview(db, who.asha, who.meera),
    await assignedReview(db, who.asha, who.meera),
  ];
  await reassign(who.gita, ids, who.kabir);
  expect(await mailsTo(db, who.kabir.email)).toHaveLength(1);
  const [toFormer, ...more] = await mailsTo(db, who.meera.email);
  expect(toFormer!.subject).toContain("2 reviews are no longer yours");
  expect(more).toEqual([]);
  expect(await mailsTo(db, who.asha.email)).toEqual([]);
});

test("reassigning to the same reviewer is an error and changes nothing", async () => {
  const assignedAt = longAgo();
  const id = await assignedReview(db, who.asha, who.meera, { assignedAt });
  await expect(reassign(who.gita, [id], who.meera)).rejects.toThrow(
    new Conflict("Review is already assigned to this reviewer", { code: "nothing-to-do" }),
  );
  expect((await reviewRow(db, id)).assignment!.assignedAt).toEqual(assignedAt);
  expect(await eventsOn(db, id)).toEqual([]);
  expect(await mailsTo(db, who.meera.email)).toEqual([]);
});

test("a mixed selection is reassigned where possible, and the rest is grouped by reason", async () => {
  const movable = await assignedReview(db, who.asha, who.meera);
  const theirs = await assignedReview(db, who.asha, who.kabir);
  const bought = await assignedReview(db, who.kabir, who.meera);
  const waiting = await pendingReview(db, who.asha);
  const done = await completedReview(db, who.asha, who.meera);
  const outcome = await reassign(
    who.gita,
    [movable, theirs, bought, waiting, done, "no id"],
    who.kabir,
  );
  expect(outcome).toEqual({
    reassigned: [movable],
    alreadyTheirs: [theirs],
    boughtByReviewer: [bought],
    knownToReviewer: [],
    gone: [waiting, done, "no id"],
  });
  expect((await reviewRow(db, done)).assignment!.reviewerId).toBe(who.meera.id);
  expect((await reviewRow(db, bought)).assignment!.reviewerId).toBe(who.meera.id);
});

test("reviews of people who lost the role or are banned can be reassigned", async () => {
  const banned = await person(db, "Nisha Banned", { roles: ["reviewer"] });
  const ids = [
    await assignedReview(db, who.asha, who.meera),
    await assignedReview(db, who.asha, banned),
  ];
  await db.delete(staffRoles).where(eq(staffRoles.userId, who.meera.id));
  await setBan(db, banned.id, tomorrow());
  expect((await reassign(who.gita, ids, who.kabir)).reassigned.toSorted()).toEqual(ids.toSorted());
  for (const nobody of [who.meera, banned, who.ravi]) {
    await expect(reassign(who.gita, ids, nobody)).rejects.toThrow(
      "can no longer be assigned reviews",
    );
  }
});

test("an unassigned review is pending again, without assignment, and can be assigned again", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await attachFiles(db, id);
  expect(await unassign(who.gita, [id])).toEqual({ unassigned: [id], gone: [] });
  const { review, assignment } = await reviewRow(db, id);
  expect([review.status, assignment]).toEqual(["pending", null]);
  expect(await eventsOn(db, id)).toEqual(["review.unassign"]);
  expect(await mailsTo(db, who.meera.email)).toHaveLength(1);
  expect(await mailsTo(db, who.asha.email)).toEqual([]);
  await assignReviews(db, who.gita, { reviewIds: [id], reviewerId: who.kabir.id }, config);
  expect((await reviewRow(db, id)).assignment?.reviewerId).toBe(who.kabir.id);
});

test("unassigning leaves completed and pending reviews as they are, and reports a repeat", async () => {
  const open = await assignedReview(db, who.asha, who.meera);
  const done = await completedReview(db, who.asha, who.meera);
  const waiting = await pendingReview(db, who.asha);
  expect(await unassign(who.gita, [open, done, waiting])).toEqual({
    unassigned: [open],
    gone: [done, waiting],
  });
  expect((await reviewRow(db, done)).assignment?.completedAt).not.toBeNull();
  await expect(unassign(who.gita, [open, done])).rejects.toThrow(Conflict);
  expect(await eventsOn(db, done)).toEqual([]);
});

test("reassigning needs a reviewer and a selection of at most 200 reviews", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await expect(reassign(who.gita, [id], { id: "" })).rejects.toThrow(
    "Please select a reviewer first",
  );
  const nothing = "Please select at least one review to assign";
  await expect(reassign(who.gita, [], who.meera)).rejects.toThrow(nothing);
  const many = Array.from({ length: 201 }, (_, index) => String(index));
  await expect(reassign(who.gita, many, who.meera)).rejects.toThrow("at most 200");
  await expect(unassign(who.gita, many)).rejects.toThrow("at most 200");
});

test("two admins who unassign the same reviews at once return each one once", async () => {
  const ids = await Promise.all(
    Array.from({ length: 30 }, () => assignedReview(db, who.asha, who.meera)),
  );
  const results = await Promise.allSettled([
    unassign(who.gita, ids),
    unassign(who.gita, ids.toReversed()),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await mailsTo(db, who.meera.email)).toHaveLength(1);
  for (const id of ids) expect(await eventsOn(db, id)).toEqual(["review.unassign"]);
});

test("reassigning, unassigning and submitting at once end in exactly one of the three", async () => {
  const ids = await Promise.all(
    Array.from({ length: 12 }, () => assignedReview(db, who.asha, who.meera)),
  );
  await Promise.allSettled([
    reassign(who.gita, ids, who.kabir),
    unassign(who.gita, ids.toReversed()),
    ...ids.map((reviewId) =>
      submitReview(
        db,
        who.meera,
        { reviewId, feedback: "Good.", version: getDraftVersion(null) },
        config,
      ),
    ),
  ]);
  for (const id of ids) {
    const { review, assignment } = await reviewRow(db, id);
    if (review.status === "pending") expect(assignment).toBeNull();
    if (review.status === "under_review") expect(assignment?.reviewerId).toBe(who.kabir.id);
    if (review.status === "completed") expect(assignment?.reviewerId).toBe(who.meera.id);
  }
  const left = await db.select().from(reviewAssignments);
  expect(left.filter(({ completedAt, draftFeedback }) => completedAt && draftFeedback)).toEqual([]);
});
