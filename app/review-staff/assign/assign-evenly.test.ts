import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { setBan } from "../../../tests/support/rows/admin-things.ts";
import { person } from "../../../tests/support/rows/people.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
  pendingReview,
  pendingReviews,
  reviewRow,
} from "../../../tests/support/rows/review-states.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { day, now, toIsoDay } from "../../platform/clock.ts";
import { Conflict } from "../../platform/errors.ts";
import { saveAvailability } from "../../reviews/reviewer-profile/availability.server.ts";
import {
  reviewAssignments,
  reviewerAvailability,
  serviceReviews,
} from "../../reviews/tables.server.ts";
import { assignEvenly, type Load, splitEvenly } from "./assign-evenly.server.ts";
import { listAssignees } from "./assignees.server.ts";
import { assignReviews } from "./assign-reviews.server.ts";

const config = testConfig();
const { db } = await testDatabase();

// Before the people of each test are created.
beforeEach(async () => {
  await db.delete(serviceReviews);
  await db.delete(reviewerAvailability);
  await db.delete(staffRoles);
});
const who = everybody(db);

const yesterday = () => new Date(now().getTime() - day);
const share = (reviewIds: string[]) => assignEvenly(db, who.gita, { reviewIds }, config);
const reviewerOf = async (id: string) => (await reviewRow(db, id)).assignment?.reviewerId;
const countOf = ({ id }: { id: string }) =>
  db.$count(reviewAssignments, eq(reviewAssignments.reviewerId, id));

test("each review goes to the reviewer with the fewest open reviews", async () => {
  const { asha, meera, kabir } = who;
  for (const _ of [1, 2, 3]) await assignedReview(db, asha, meera, { assignedAt: yesterday() });
  await completedReview(db, asha, kabir);
  const ids = await pendingReviews(db, asha, 5);
  const outcome = await share(ids);
  expect(outcome.assigned.toSorted()).toEqual(ids.toSorted());
  expect([await countOf(meera), await countOf(kabir)]).toEqual([3 + 1, 1 + 4]);
  expect(await eventsOn(db, ids[0]!)).toEqual(["review.assign"]);
  expect((await reviewRow(db, ids[0]!)).review.status).toBe("under_review");
});

test("a second look goes to the reviewer of the earlier review, unless they are away", async () => {
  stopClock();
  const { asha, meera, kabir } = who;
  const earlier = await completedReview(db, asha, kabir);
  for (const _ of [1, 2]) await assignedReview(db, asha, kabir, { assignedAt: yesterday() });
  const buyLook = () => review(db, asha, { secondLookOf: earlier });
  const look = await buyLook();
  const other = await pendingReview(db, asha);
  await share([look.id, other]);
  expect(await reviewerOf(look.id)).toBe(kabir.id);
  expect(await reviewerOf(other)).toBe(meera.id);
  await saveAvailability(db, kabir, { awayUntil: toIsoDay(now()), reviewsADay: null });
  const next = await buyLook();
  await share([next.id]);
  expect(await reviewerOf(next.id)).toBe(meera.id);
});

test("each reviewer gets one email about their share", async () => {
  const before = await Promise.all([mailsTo(db, who.meera.email), mailsTo(db, who.kabir.email)]);
  await share(await pendingReviews(db, who.asha, 4));
  const after = await Promise.all([mailsTo(db, who.meera.email), mailsTo(db, who.kabir.email)]);
  expect(after.map((mails, index) => mails.length - before[index]!.length)).toEqual([1, 1]);
});

test("reviewers who are away, have their number for today or bought a review are skipped", async () => {
  stopClock();
  const { asha, meera, kabir } = who;
  await saveAvailability(db, meera, { awayUntil: toIsoDay(now()), reviewsADay: null });
  await saveAvailability(db, kabir, { awayUntil: null, reviewsADay: 2 });
  await assignedReview(db, asha, kabir);
  const own = await pendingReview(db, kabir, { priority: 3 });
  const [one = "", two = ""] = await pendingReviews(db, asha, 2);
  const outcome = await share([own, one, two]);
  expect(outcome.assigned).toHaveLength(1);
  expect(outcome.unplaced).toHaveLength(2);
  expect(outcome.unplaced).toContain(own);
  const before = await db.select().from(serviceReviews);
  await expect(share([own, one, two])).rejects.toThrow(Conflict);
  await expect(share(outcome.unplaced!)).rejects.toThrow("No reviewer is available");
  expect(await db.select().from(serviceReviews)).toEqual(before);
  // Assigning by hand stays possible.
  const chosen = { reviewIds: [own], reviewerId: meera.id };
  expect((await assignReviews(db, who.gita, chosen, config)).assigned).toEqual([own]);
});

test("a reviewer is back on the day after, and free of yesterday's number", async () => {
  stopClock();
  const { asha, meera, kabir } = who;
  await db.insert(reviewerAvailability).values([
    { userId: meera.id, awayUntil: toIsoDay(yesterday()), reviewsADay: 1, updatedAt: now() },
    { userId: kabir.id, awayUntil: toIsoDay(now()), reviewsADay: null, updatedAt: now() },
  ]);
  await assignedReview(db, asha, meera, { assignedAt: yesterday() });
  const id = await pendingReview(db, asha);
  await share([id]);
  expect(await reviewerOf(id)).toBe(meera.id);
  const labels = (await listAssignees(db, who.gita)).filter(({ id: one }) =>
    [meera.id, kabir.id].includes(one),
  );
  expect(labels.map(({ availability }) => availability).toSorted()).toEqual([
    expect.stringMatching(/^1 of 1 today$/),
    expect.stringMatching(/^Away until \w{3} \d{1,2}, \d{4}$/),
  ]);
});

test("people without the role and banned reviewers get nothing", async () => {
  const nila = await person(db, "Aadya Nair", { roles: ["reviewer"] });
  const omana = await person(db, "Aarav Nair", { roles: ["reviewer"] });
  await db.delete(staffRoles).where(eq(staffRoles.userId, nila.id));
  await setBan(db, omana.id, new Date(now().getTime() + day));
  await share(await pendingReviews(db, who.asha, 6));
  expect([await countOf(nila), await countOf(omana)]).toEqual([0, 0]);
});

test("reviews that are assigned, completed or gone are reported", async () => {
  const { asha, meera } = who;
  const taken = await assignedReview(db, asha, meera);
  const unopened = await assignedReview(db, asha, meera, { status: "pending" });
  const completed = await completedReview(db, asha, meera);
  const free = await pendingReview(db, asha);
  expect(await share([taken, unopened, completed, free, "no id"])).toEqual({
    assigned: [free],
    alreadyAssigned: expect.arrayContaining([taken, unopened]),
    boughtByReviewer: [],
    knownToReviewer: [],
    gone: [completed, "no id"],
    unplaced: [],
  });
  await expect(share([taken, unopened])).rejects.toThrow("already assigned");
});

test("two admins who share out the same selection assign each review once", async () => {
  const ids = await pendingReviews(db, who.asha, 8);
  const answers = await Promise.allSettled([share(ids), share(ids.toReversed())]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect([await countOf(who.meera), await countOf(who.kabir)]).toEqual([4, 4]);
});

test("two admins who share out different selections count each other's reviews", async () => {
  const ids = await pendingReviews(db, who.asha, 8);
  await Promise.all([share(ids.slice(0, 3)), share(ids.slice(3, 6)), share(ids.slice(6))]);
  expect([await countOf(who.meera), await countOf(who.kabir)]).toEqual([4, 4]);
});

test("ties are decided by the reviews assigned today, then by name", () => {
  const load = (reviewerId: string, open: number, today: number): Load => ({
    reviewerId,
    open,
    today,
    awayUntil: null,
    reviewsADay: null,
  });
  const waiting = (id: string, priority = 0) => ({
    id,
    userId: "customer",
    secondLookOf: null,
    priority,
    createdAt: new Date(0),
  });
  const split = (loads: Load[]) =>
    Object.fromEntries(
      [...splitEvenly([waiting("a"), waiting("b", 3)], loads).shares].map(([reviewer, reviews]) => [
        reviewer,
        reviews.map(({ id }) => id),
      ]),
    );
  expect(split([load("anu", 2, 1), load("ben", 2, 0)])).toEqual({ ben: ["b"], anu: ["a"] });
  expect(split([load("anu", 2, 1), load("ben", 2, 1)])).toEqual({ anu: ["b"], ben: ["a"] });
  expect(split([load("anu", 9, 0), load("ben", 0, 9)])).toEqual({ ben: ["b", "a"] });
  expect(split([])).toEqual({});
});
