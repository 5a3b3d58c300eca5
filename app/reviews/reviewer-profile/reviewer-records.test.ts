import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Actor } from "../../accounts/actor.server.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { setBan, tomorrow } from "../../../tests/support/rows/admin-things.ts";
import { people, person } from "../../../tests/support/rows/people.ts";
import { assignedReview, completedReview } from "../../../tests/support/rows/review-states.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { rateReview } from "../rating/rating.server.ts";
import { reviewAssignments, reviewerProfiles, serviceReviews } from "../tables.server.ts";
import {
  findReviewerIntroduction,
  hideReviewer,
  listPublicReviewers,
  saveIntroduction,
} from "./introductions.server.ts";
import { countReviewerRecords, formatRecord, noRecord } from "./reviewer-records.server.ts";

const { db } = await testDatabase();
const { asha, gita } = await people(db);
const introduction = {
  firstName: "Uma",
  field: "film titles",
  about: "Titles and idents.",
  knownFields: ["graphic" as const, "motion" as const],
  languages: ["English" as const, "Tamil" as const],
  isPublic: true,
};
const known = ["Graphic design, Motion design", "Speaks English, Tamil"];

let uma: Actor;

beforeEach(async () => {
  await db.delete(serviceReviews);
  await db.delete(reviewerProfiles);
  uma = await person(db, "Uma Roy", { roles: ["reviewer"] });
  await saveIntroduction(db, uma, introduction);
});

test("a record counts reviews completed in the last 90 days, and not one from exactly 90 days ago", async () => {
  const moment = now().getTime();
  await completed({ completedAt: new Date(moment - 90 * day - 1) });
  await completed({ completedAt: new Date(moment - 89 * day) });
  await completed({ completedAt: new Date(moment) });
  // Another reviewer's, and one in progress.
  await completedReview(db, asha, await person(db, "Veda Roy", { roles: ["reviewer"] }));
  await assignedReview(db, asha, uma);
  expect(await record()).toMatchObject({ completed: 2, promised: 0, onTime: 0 });
});

test("a review is on time up to its first due date, and one without a date is not counted", async () => {
  const dueAt = new Date(now().getTime() - day);
  const late = await completed({ dueAt, completedAt: new Date(dueAt.getTime() + 1_000) });
  await completed({ dueAt, completedAt: dueAt });
  await completed({ dueAt: null });
  // A later date from an admin changes nothing.
  await db.update(serviceReviews).set({ extendedTo: now() }).where(eq(serviceReviews.id, late));
  expect(await record()).toMatchObject({ completed: 3, promised: 2, onTime: 1 });
});

test("a refunded review counts in no figure", async () => {
  const id = await completed({ dueAt: now() });
  await rate(id, 1);
  await db.update(serviceReviews).set({ withdrawnAt: now() }).where(eq(serviceReviews.id, id));
  expect(await record()).toEqual(noRecord);
});

test("the average rating counts all ratings, also of older reviews", async () => {
  const completedAt = new Date(now().getTime() - 200 * day);
  for (const rating of [4, 5, 5]) await rate(await completed({ completedAt }), rating);
  await rate(await completed({}), 4);
  await completed({});
  expect(await record()).toMatchObject({ completed: 2, ratings: 4, averageRating: 4.5 });
  await rate(await completed({}), 5);
  expect(await record()).toMatchObject({ completed: 3, ratings: 5, averageRating: 4.6 });
});

test("a record is one line; with fewer than five ratings, the reviewer is new here", () => {
  const figures = { completed: 12, promised: 11, onTime: 10, ratings: 5, averageRating: 4.76 };
  expect(formatRecord(figures)).toBe(
    "12 reviews in 90 days · 10 of 11 on time · 4.8 of 5 from 5 ratings",
  );
  expect(formatRecord({ ...figures, ratings: 4 })).toBe(
    "12 reviews in 90 days · 10 of 11 on time · New here",
  );
  expect(formatRecord({ ...noRecord, completed: 1 })).toBe("1 review in 90 days · New here");
  expect(formatRecord({ ...noRecord, ratings: 5, averageRating: 5 })).toBe(
    "5.0 of 5 from 5 ratings",
  );
  expect(formatRecord(noRecord)).toBe("New here");
});

test("a reviewer who agreed is shown with what they know and a record, everywhere", async () => {
  const id = await completed({});
  const facts = [...known, expect.stringContaining("New here")];
  expect(await listPublicReviewers(db)).toEqual([
    { initial: "U", name: "Uma, film titles", about: "Titles and idents.", facts },
  ]);
  expect(await linesOn(id)).toEqual(["Titles and idents.", ...facts]);
});

const noLonger: Record<string, () => Promise<unknown>> = {
  "who withdrew the agreement": () =>
    saveIntroduction(db, uma, { ...introduction, isPublic: false }),
  "without the role": () => db.delete(staffRoles).where(eq(staffRoles.userId, uma.id)),
  "who is banned": () => setBan(db, uma.id, tomorrow()),
};

test.each(Object.entries(noLonger))(
  "a reviewer %s has no record on a result, only the introduction",
  async (_, change) => {
    const id = await completed({});
    await change();
    expect(await linesOn(id)).toEqual(["Titles and idents."]);
    expect(await listPublicReviewers(db)).toEqual([]);
  },
);

test("a hidden reviewer is shown nowhere", async () => {
  const id = await completed({});
  await hideReviewer(db, gita, { reviewerId: uma.id, hide: true });
  expect(await findReviewerIntroduction(db, id)).toBeNull();
  expect(await listPublicReviewers(db)).toEqual([]);
});

test("an agreement from before there were records doesn't cover them until it is saved again", async () => {
  const id = await completed({});
  await db.update(reviewerProfiles).set({ recordPublicAt: null });
  expect(await linesOn(id)).toEqual(["Titles and idents."]);
  expect((await listPublicReviewers(db))[0]?.facts).toEqual([]);
  await saveIntroduction(db, uma, introduction);
  expect(await linesOn(id)).toHaveLength(4);
});

test("the history says which fields and languages changed", async () => {
  await saveIntroduction(db, uma, { ...introduction, languages: [] });
  await saveIntroduction(db, uma, { ...introduction, languages: [] });
  const events = await db.select().from(auditEvents).where(eq(auditEvents.subjectId, uma.id));
  expect(events).toHaveLength(2);
  expect(events.find(({ before }) => before)).toMatchObject({
    before: { knownFields: "Graphic design, Motion design", languages: "English, Tamil" },
    after: { knownFields: "Graphic design, Motion design", languages: null },
  });
});

async function record() {
  return (await countReviewerRecords(db)).get(uma.id) ?? noRecord;
}

async function linesOn(reviewId: string) {
  return (await findReviewerIntroduction(db, reviewId))?.lines;
}

async function completed({
  completedAt = now(),
  dueAt = null,
}: {
  completedAt?: Date;
  dueAt?: Date | null;
}): Promise<string> {
  const id = await completedReview(db, asha, uma, { dueAt });
  await db.update(reviewAssignments).set({ completedAt }).where(eq(reviewAssignments.reviewId, id));
  return id;
}

async function rate(reviewId: string, rating: number): Promise<void> {
  await rateReview(db, asha, { reviewId, rating, words: null });
}
