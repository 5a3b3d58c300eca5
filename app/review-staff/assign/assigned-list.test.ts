import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { assignedReview } from "../../../tests/support/rows/review-states.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { type AssignedQuery, listAssignedReviews } from "./lists.server.ts";
import { listHolders } from "./assignees.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const { db } = await testDatabase();
const who = everybody(db);

beforeEach(() => db.delete(serviceReviews));

const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds);

test("assigned reviews have their reviewer, and the days since the assignment and the purchase", async () => {
  const id = await assignedReview(db, who.asha, who.meera, {
    createdAt: ago(6.5 * day),
    assignedAt: ago(4.9 * day),
  });
  const { rows } = await listAssignedReviews(db, who.gita, { type: null, after: null });
  expect(rows).toMatchObject([
    { id, assignedTo: "Meera Iyer", daysAssigned: 4, daysSincePurchase: 6 },
  ]);
});

test("assigned reviews are filtered by service type and by reviewer", async () => {
  const resume = await assignedReview(db, who.asha, who.meera);
  const portfolio = await assignedReview(db, who.asha, who.kabir, { type: "portfolio_review" });
  const ids = async (query: AssignedQuery) =>
    (await listAssignedReviews(db, who.gita, query)).rows.map(({ id }) => id);
  expect(await ids({ type: "portfolio_review" })).toEqual([portfolio]);
  expect(await ids({ reviewer: who.meera.id })).toEqual([resume]);
  expect(await ids({ reviewer: who.meera.id, type: "portfolio_review" })).toEqual([]);
  expect(await ids({ reviewer: "nobody" })).toEqual([]);
});

test("assigned reviews are sorted by days and by name, ignoring case, in both directions", async () => {
  const buyers = [who.asha, await person(db, "lata Rao"), who.ravi];
  for (const [days, buyer] of buyers.entries())
    await assignedReview(db, buyer, who.meera, { assignedAt: ago(days * day) });
  const names = ["Asha Verma", "lata Rao", "Ravi Nair"];
  for (const by of ["days_assigned", "user"] as const) {
    const sorted = async (direction: "asc" | "desc") =>
      (await listAssignedReviews(db, who.gita, { sort: { by, direction } })).rows;
    expect(
      (await sorted("asc")).map(({ userName }) => userName),
      by,
    ).toEqual(names);
    expect(
      (await sorted("desc")).map(({ userName }) => userName),
      by,
    ).toEqual(names.toReversed());
  }
});

test("a cursor from another sort gives the first page", async () => {
  for (let index = 0; index < 51; index++) await assignedReview(db, who.asha, who.meera);
  const { next } = await listAssignedReviews(db, who.gita, {});
  const other = await listAssignedReviews(db, who.gita, {
    sort: { by: "user", direction: "asc" },
    after: next,
  });
  expect(other.rows).toHaveLength(50);
});

test("the copied sort columns follow the reviews and people that they come from", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const other = await assignedReview(db, who.ravi, who.kabir);
  await db
    .update(serviceReviews)
    .set({ priority: 3, serviceType: "combined_review", createdAt: ago(9 * day) })
    .where(eq(serviceReviews.id, id));
  await db.update(profiles).set({ fullName: " Zara " }).where(eq(profiles.id, who.asha.id));
  await db.update(profiles).set({ fullName: "Zoya" }).where(eq(profiles.id, who.meera.id));
  for (const by of ["user", "assigned_to", "days_since_purchase"] as const) {
    const sort = { by, direction: "asc" } as const;
    const ids = (await listAssignedReviews(db, who.gita, { sort })).rows.map((row) => row.id);
    expect(ids, by).toEqual([other, id]);
  }
  const [copied] = await db
    .select()
    .from(reviewAssignments)
    .where(eq(reviewAssignments.reviewId, id));
  expect(copied).toMatchObject({
    serviceType: "combined_review",
    priority: 3,
    buyerName: "Zara",
    reviewerName: "Zoya",
    isOpen: true,
  });
  await db.update(serviceReviews).set({ status: "pending" }).where(eq(serviceReviews.id, other));
  expect((await listAssignedReviews(db, who.gita, {})).rows.map((row) => row.id)).toEqual([id]);
});

test("people without a name are listed as unknown", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await db.update(profiles).set({ fullName: "  " }).where(eq(profiles.id, who.asha.id));
  await db.delete(profiles).where(eq(profiles.id, who.meera.id));
  const { rows } = await listAssignedReviews(db, who.gita, {});
  expect(rows).toMatchObject([{ id, userName: "Unknown User", assignedTo: "Unknown" }]);
  expect(await listHolders(db, who.gita)).toEqual([{ id: who.meera.id, name: "Unknown" }]);
});
