import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { person } from "../../../tests/support/people.ts";
import { review } from "../../../tests/support/reviews.ts";
import { day, now, second } from "../../platform/clock.ts";
import { listOwnReviews, ownReviewsPerPage, readOwnReview } from "./own-reviews.server.ts";
import { keptAddress } from "../addresses.ts";
import { reviewFiles, reviewImages } from "../tables.server.ts";

const { db } = await testDatabase();

test("a person's reviews are listed newest first, with a link for each part", async () => {
  const asha = await person(db, "Asha Verma");
  const older = await review(db, asha, { createdAt: before(2 * day), resumeFilePath: "a/1.pdf" });
  const newer = await review(db, asha, {
    serviceType: "combined_review",
    resumeFilePath: "a/2.pdf",
    portfolioUrl: "https://asha.design",
    portfolioFilePath: "a/3.pdf",
  });
  await review(db, await person(db, "Ravi Nair"));

  const { reviews: listed, next } = await listOwnReviews(db, asha);
  expect(next).toBeNull();
  expect(listed.map(({ id }) => id)).toEqual([newer.id, older.id]);
  expect(listed[0]?.materials.map(({ href }) => href)).toEqual([
    "/storage/resumes/a/2.pdf",
    "https://asha.design",
    "/storage/portfolios/a/3.pdf",
  ]);
  expect(listed[1]?.materials).toHaveLength(1);
  expect(JSON.stringify(listed)).not.toContain("feedback");
});

test("many reviews come in pages without gaps, and a cursor that is none is the first page", async () => {
  const asha = await person(db, "Asha Verma");
  // Some of the same moment, so that the id decides.
  const moment = now();
  for (let place = 0; place < ownReviewsPerPage + 3; place++) {
    await review(db, asha, { createdAt: new Date(moment.getTime() - Math.floor(place / 4) * day) });
  }
  const first = await listOwnReviews(db, asha);
  expect(first.reviews).toHaveLength(ownReviewsPerPage);
  const second = await listOwnReviews(db, asha, first.next);
  expect(second.reviews).toHaveLength(3);
  expect(second.next).toBeNull();
  const ids = [...first.reviews, ...second.reviews].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ownReviewsPerPage + 3);
  const tooLate = JSON.stringify(["", "after", 8.64e15, randomUUID()]);
  for (const none of ["", "x", "W10", Buffer.from(tooLate).toString("base64url")]) {
    expect((await listOwnReviews(db, asha, none)).reviews[0]?.id).toBe(ids[0]);
  }
});

test("another's review, no review and no id at all are the same to whoever asks", async () => {
  const asha = await person(db, "Asha Verma");
  const theirs = await review(db, await person(db, "Ravi Nair"), { status: "completed" });
  for (const id of [theirs.id, randomUUID(), "1", "' or 1=1", "\0"]) {
    expect(await readOwnReview(db, asha, id)).toBeNull();
  }
});

test.each(["pending", "under_review"] as const)(
  "of a review that is %s its owner gets nothing of the result",
  async (status) => {
    const asha = await person(db, "Asha Verma");
    const { id } = await reviewWithResult(asha, status);
    const found = await readOwnReview(db, asha, id);
    expect(found?.result).toBeNull();
    expect(JSON.stringify(found)).not.toMatch(/Kerning|grid|notes/);
  },
);

test("a completed review shows feedback, screenshots and files in the order they were made", async () => {
  const asha = await person(db, "Asha Verma");
  const { id } = await reviewWithResult(asha, "completed");
  const found = await readOwnReview(db, asha, id);
  expect(found?.result).toMatchObject({
    feedback: "Kerning is fine.",
    images: [
      { href: `/storage/review-images/reviews/${id}/1.png`, annotation: "The grid" },
      { href: "https://elsewhere.example/2.png", annotation: null },
      { href: null },
    ],
    files: [{ name: "notes.pdf", type: "application/pdf", description: null }],
  });
});

test("feedback of blanks is none", async () => {
  const asha = await person(db, "Asha Verma");
  const { id } = await review(db, asha, { status: "completed", reviewerFeedback: " \n" });
  const found = await readOwnReview(db, asha, id);
  expect(found?.result).toEqual({ feedback: null, images: [], files: [], hasRemarks: false });
});

async function reviewWithResult(
  owner: { id: string },
  status: "pending" | "under_review" | "completed",
) {
  const made = await review(db, owner, { status, reviewerFeedback: "Kerning is fine." });
  const reviewId = made.id;
  await db.insert(reviewImages).values([
    { reviewId, imageUrl: "javascript:alert(1)", createdAt: now() },
    {
      reviewId,
      imageUrl: keptAddress({ bucket: "review-images", path: `reviews/${reviewId}/1.png` }),
      annotation: "The grid",
      createdAt: before(2 * second),
    },
    { reviewId, imageUrl: "https://elsewhere.example/2.png", createdAt: before(second) },
  ]);
  await db.insert(reviewFiles).values({
    reviewId,
    fileUrl: keptAddress({ bucket: "review-files", path: `reviews/${reviewId}/files/notes.pdf` }),
    fileName: "notes.pdf",
    fileType: "application/pdf",
    createdAt: now(),
  });
  return made;
}

function before(milliseconds: number): Date {
  return new Date(now().getTime() - milliseconds);
}
