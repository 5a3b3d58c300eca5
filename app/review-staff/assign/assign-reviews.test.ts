import { and, eq, inArray, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { person } from "../../../tests/support/rows/people.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
  pendingReview,
  pendingReviews,
  reviewRow,
} from "../../../tests/support/rows/review-states.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { formatTime, hour, now } from "../../platform/clock.ts";
import { Conflict } from "../../platform/errors.ts";
import { reviewAssignments } from "../../reviews/tables.server.ts";
import { assignReviews } from "./assign-reviews.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { setBan, tomorrow } from "../../../tests/support/rows/admin-things.ts";

const config = testConfig();
const { db } = await testDatabase();
const who = everybody(db);

function assign(actor: Actor | null, reviewIds: string[], reviewer: { id: string }) {
  return assignReviews(db, actor, { reviewIds, reviewerId: reviewer.id }, config);
}

test("an admin assigns reviews: each is under review, with a line in the audit trail", async () => {
  const ids = await pendingReviews(db, who.asha, 2);
  const outcome = await assign(who.gita, ids, who.meera);
  expect(outcome).toEqual({
    assigned: expect.arrayContaining(ids),
    alreadyAssigned: [],
    boughtByReviewer: [],
    knownToReviewer: [],
    gone: [],
  });
  for (const id of ids) {
    const { review, assignment } = await reviewRow(db, id);
    expect(review.status).toBe("under_review");
    expect(assignment).toMatchObject({ reviewerId: who.meera.id, completedAt: null });
    expect(await eventsOn(db, id)).toEqual(["review.assign"]);
  }
});

test("the reviewer gets one email for all reviews, and each customer one per review", async () => {
  const ids = [...(await pendingReviews(db, who.asha, 2)), await pendingReview(db, who.ravi)];
  await assign(who.gita, ids, who.meera);
  const [toReviewer, ...more] = await mailsTo(db, who.meera.email);
  expect(more).toEqual([]);
  for (const id of ids)
    expect(toReviewer!.html).toContain(`${config.origin}/reviewer/submission/${id}`);
  expect(await mailsTo(db, who.asha.email)).toHaveLength(2);
  expect(await mailsTo(db, who.ravi.email)).toHaveLength(1);
});

test("the customer's email shows that a reviewer has it and when it's due, but not the reviewer", async () => {
  const dueAt = new Date(now().getTime() + 48 * hour);
  const id = await pendingReview(db, who.asha, { dueAt });
  await assign(who.gita, [id], who.meera);
  const [mail] = await mailsTo(db, who.asha.email);
  expect(mail!.text).toMatch(/^Paid on .+ → With a reviewer → Ready by .+$/m);
  expect(mail!.text).toContain(formatTime(dueAt));
  expect(mail!.html.match(/<div class="mail-(current|passed)" style="border-radius/g)).toHaveLength(
    2,
  );
  expect(mail!.html + mail!.text).not.toContain("Meera");
});

test("a customer is not notified again when the review is assigned a second time", async () => {
  const id = await pendingReview(db, who.asha);
  await assign(who.gita, [id], who.meera);
  await db.delete(reviewAssignments).where(eq(reviewAssignments.reviewId, id));
  await db.execute(`update service_reviews set status = 'pending' where id = '${id}'`);
  await assign(who.gita, [id], who.kabir);
  expect(await mailsTo(db, who.asha.email)).toHaveLength(1);
  expect(await mailsTo(db, who.kabir.email)).toHaveLength(1);
});

test("a reviewer and at least one review must be chosen, and at most 200", async () => {
  const id = await pendingReview(db, who.asha);
  await expect(assign(who.gita, [id], { id: "" })).rejects.toThrow(
    "Please select a reviewer first",
  );
  await expect(assign(who.gita, [], who.meera)).rejects.toThrow(
    "Please select at least one review to assign",
  );
  const many = Array.from({ length: 201 }, (_, index) => String(index));
  await expect(assign(who.gita, many, who.meera)).rejects.toThrow("at most 200");
});

test("a person without the reviewer role, or banned, cannot be assigned a review", async () => {
  const id = await pendingReview(db, who.asha);
  const banned = await person(db, "Nisha Banned", { roles: ["reviewer"] });
  await setBan(db, banned.id, tomorrow());
  await db.delete(staffRoles).where(eq(staffRoles.userId, who.kabir.id));
  for (const other of [who.ravi, who.devi, banned, who.kabir, { id: "nobody" }]) {
    await expect(assign(who.gita, [id], other)).rejects.toThrow(
      "can no longer be assigned reviews",
    );
  }
  expect((await reviewRow(db, id)).review.status).toBe("pending");
});

test("a ban that is over does not count", async () => {
  const id = await pendingReview(db, who.asha);
  await setBan(db, who.meera.id, new Date(now().getTime() - 1));
  expect((await assign(who.gita, [id], who.meera)).assigned).toEqual([id]);
});

test("a reviewer cannot get a review that they bought, and the admin gets an error", async () => {
  const own = await pendingReview(db, who.meera);
  const other = await pendingReview(db, who.asha);
  await expect(assign(who.gita, [own], who.meera)).rejects.toThrow(
    "1 review was bought by this reviewer.",
  );
  expect(await assign(who.gita, [own, other], who.meera)).toMatchObject({
    assigned: [other],
    boughtByReviewer: [own],
    knownToReviewer: [],
  });
  expect((await reviewRow(db, own)).review.status).toBe("pending");
  expect((await assign(who.gita, [own], who.kabir)).assigned).toEqual([own]);
});

test("reviews that are assigned, completed or missing stay as they are", async () => {
  const free = await pendingReview(db, who.asha);
  const assigned = await assignedReview(db, who.asha, who.kabir);
  const unopened = await assignedReview(db, who.asha, who.kabir, { status: "pending" });
  const done = await completedReview(db, who.asha, who.kabir);
  const missing = crypto.randomUUID();
  const outcome = await assign(
    who.gita,
    [free, assigned, unopened, done, missing, "no id"],
    who.meera,
  );
  expect(outcome.assigned).toEqual([free]);
  expect(outcome.alreadyAssigned.toSorted()).toEqual([assigned, unopened].toSorted());
  expect(outcome.gone.toSorted()).toEqual([done, missing, "no id"].toSorted());
  expect((await reviewRow(db, assigned)).assignment?.reviewerId).toBe(who.kabir.id);
  expect(await eventsOn(db, assigned)).toEqual([]);
});

test("assigning twice reports that all are assigned, and sends no more emails", async () => {
  const ids = await pendingReviews(db, who.asha, 3);
  await assign(who.gita, ids, who.meera);
  await expect(assign(who.gita, ids, who.kabir)).rejects.toThrow(
    new Conflict("All selected reviews are already assigned", { code: "nothing-to-do" }),
  );
  expect(await mailsTo(db, who.kabir.email)).toEqual([]);
  expect(await mailsTo(db, who.asha.email)).toHaveLength(3);
});

test("two admins assign the same fifty reviews at once: each is assigned once, and both get the actual result", async () => {
  const admins = [who.gita, await person(db, "Farah Admin", { roles: ["god_admin"] })];
  const contested = await pendingReviews(db, who.asha, 50);
  const [hers, his] = [await pendingReview(db, who.ravi), await pendingReview(db, who.ravi)];
  const [one, other] = await Promise.all([
    assign(admins[0]!, [...contested, hers], who.meera),
    assign(admins[1]!, [...contested.toReversed(), his], who.kabir),
  ]);
  expect([...one.assigned, ...other.assigned].toSorted()).toEqual(
    [...contested, hers, his].toSorted(),
  );
  expect([...one.alreadyAssigned, ...other.alreadyAssigned].toSorted()).toEqual(
    contested.toSorted(),
  );
  for (const [outcome, reviewer] of [
    [one, who.meera],
    [other, who.kabir],
  ] as const) {
    const assignments = await db
      .select({ id: reviewAssignments.reviewId })
      .from(reviewAssignments)
      .where(eq(reviewAssignments.reviewerId, reviewer.id));
    expect(assignments.map(({ id }) => id).toSorted()).toEqual(outcome.assigned.toSorted());
  }
  const customerMails = await db
    .select()
    .from(mails)
    .where(
      and(
        like(mails.cause, "review-assigned:%"),
        inArray(mails.recipient, [who.asha.email, who.ravi.email]),
      ),
    );
  expect(customerMails).toHaveLength(52);
});

test("ten admins with overlapping selections in any order neither deadlock nor assign twice", async () => {
  const ids = await pendingReviews(db, who.asha, 30);
  // From another place each, forwards and backwards, so that each two want some in the opposite order.
  const selection = (index: number) => {
    const start = index * 3;
    const turned = [...ids.slice(start), ...ids.slice(0, start)].slice(0, 20);
    return index % 2 ? turned.toReversed() : turned;
  };
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      assign(who.gita, selection(index), index % 2 ? who.meera : who.kabir),
    ),
  );
  const assigned = results.flatMap((result) =>
    result.status === "fulfilled" ? result.value.assigned : [],
  );
  expect(new Set(assigned).size).toBe(assigned.length);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(Conflict);
  }
});

test("the largest selection is assigned at once", async () => {
  const ids = await pendingReviews(db, who.asha, 200);
  expect((await assign(who.gita, ids, who.meera)).assigned).toHaveLength(200);
});
