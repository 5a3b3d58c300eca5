import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import {
  assignedReview,
  completedReview,
  pendingReview,
  pendingReviews,
} from "../../../tests/support/rows/review-states.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { listCompletedReviews } from "../edit/completed-reviews.server.ts";
import { countDueAssigned, listAssignedReviews, listPendingReviews } from "./lists.server.ts";
import { buildReviewsAddress, readReviewsQuery } from "./reviews-query.ts";

const { db } = await testDatabase();
const who = everybody(db);

beforeEach(async () => {
  await db.delete(serviceReviews);
});

const idsOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);
const findPending = async (search: string) =>
  idsOf(await listPendingReviews(db, who.gita, { search }));

test("a search finds reviews by a part of the customer's name or email in each list", async () => {
  const { asha, ravi, meera, gita } = who;
  const pending = await pendingReview(db, asha);
  const assigned = await assignedReview(db, asha, meera);
  const completed = await completedReview(db, asha, meera);
  await pendingReview(db, ravi);
  await assignedReview(db, ravi, meera);
  await completedReview(db, ravi, meera);
  for (const search of [asha.email, asha.email.toUpperCase(), "asha", "Asha Verma", "sha ver"]) {
    expect(await findPending(search), search).toEqual([pending]);
    const open = await listAssignedReviews(db, gita, { search });
    expect(idsOf(open), search).toEqual([assigned]);
    expect(open.total).toEqual({ counted: 1, isMore: false });
    const done = await listCompletedReviews(db, gita, { search, after: null });
    expect(idsOf(done), search).toEqual([completed]);
  }
  expect(await findPending("asha ravi")).toEqual([]);
  expect(await findPending("%")).toEqual([]);
});

test("a search finds ids by their first four or more characters", async () => {
  const { asha, ravi } = who;
  const [review = "", other = ""] = await pendingReviews(db, asha, 2);
  const ofRavi = await pendingReview(db, ravi);
  for (const search of [review, review.toUpperCase(), review.slice(0, 13), review.slice(0, 8)])
    expect(await findPending(search), search).toEqual([review]);
  for (const search of [asha.id, asha.id.slice(0, 9), asha.id.slice(0, 4)])
    expect((await findPending(search)).toSorted(), search).toEqual([review, other].toSorted());
  expect(await findPending(ravi.id)).toEqual([ofRavi]);
  expect(await findPending(review.slice(0, 3))).toEqual([]);
  expect(await findPending(review.slice(9))).toEqual([]);
  expect(await findPending(`${review}0`)).toEqual([]);
  expect(await findPending("-----")).toEqual([]);
});

test("a search follows a customer's new name and email", async () => {
  const { asha } = who;
  const [before] = await db.select().from(users).where(eq(users.id, asha.id));
  const id = await pendingReview(db, asha);
  const setName = (fullName: string | null) =>
    db.update(profiles).set({ fullName }).where(eq(profiles.id, asha.id));
  await setName("Āśā Kulkarni");
  expect(await findPending("kulkarni")).toEqual([id]);
  expect(await findPending("asha verma")).toEqual([]);
  await db.update(users).set({ email: "new.address@example.in" }).where(eq(users.id, asha.id));
  expect(await findPending("new.address")).toEqual([id]);
  await setName(null);
  expect(await findPending("kulkarni")).toEqual([]);
  expect(await findPending("new.address")).toEqual([id]);
  await setName(asha.fullName);
  await db.update(users).set({ email: before!.email }).where(eq(users.id, asha.id));
});

test("a search applies with the filters and to the counts of due reviews", async () => {
  const { asha, ravi, meera, kabir, gita } = who;
  const dueAt = new Date("2020-01-01T00:00:00Z");
  const id = await assignedReview(db, asha, meera, { dueAt });
  await assignedReview(db, asha, kabir, { dueAt });
  await assignedReview(db, ravi, meera, { dueAt });
  const query = { search: "asha", reviewer: meera.id };
  expect(idsOf(await listAssignedReviews(db, gita, query))).toEqual([id]);
  const { overdue } = await countDueAssigned(db, gita, query);
  expect(overdue.counted).toBe(1);
});

test("pages of a search have every match once", async () => {
  const { asha, ravi, gita } = who;
  await pendingReviews(db, asha, 60);
  await pendingReviews(db, ravi, 60);
  const first = await listPendingReviews(db, gita, { search: "asha" });
  expect([first.rows.length, first.total.counted]).toEqual([50, 60]);
  const second = await listPendingReviews(db, gita, { search: "asha", after: first.next });
  expect(second.rows).toHaveLength(10);
  expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(60);
});

test("the address of a list has its search", () => {
  const query = readReviewsQuery(new URLSearchParams("search=+asha++&type=resume_review"));
  expect(query.search).toBe("asha");
  expect(buildReviewsAddress({ ...query, after: "x" })).toBe(
    "?search=asha&type=resume_review&after=x",
  );
});

test("a review of a customer without a profile is found by email", async () => {
  const [customer] = await db
    .insert(users)
    .values({ name: "", email: "no-profile@example.in", createdAt: now(), updatedAt: now() })
    .returning();
  const id = await pendingReview(db, customer!);
  expect(await findPending("no-profile")).toEqual([id]);
  const { rows } = await db.execute(sql`delete from users where id = ${customer!.id} returning id`);
  expect(rows).toHaveLength(1);
  expect(await findPending("no-profile")).toEqual([]);
});
