import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { review, storedFile } from "../../../tests/support/rows/reviews.ts";
import { remarkOn } from "../../../tests/support/rows/marked-reviews.ts";
import { day, now, second } from "../../platform/clock.ts";
import { tickRemark } from "../../annotations/remarks/remarks.server.ts";
import { reviewScores } from "../../annotations/tables.server.ts";
import {
  arePicturesComing,
  listOwnReviews,
  ownReviewsPerPage,
  findOwnReview,
} from "./own-reviews.server.ts";
import { toStoredAddress } from "../../reviews/addresses.ts";
import { reviewFiles, reviewImages } from "../../reviews/tables.server.ts";

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

test("many reviews come in pages without gaps, and an invalid cursor gives the first page", async () => {
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

test("another person's review, a missing review and an invalid id get the same answer", async () => {
  const asha = await person(db, "Asha Verma");
  const theirs = await review(db, await person(db, "Ravi Nair"), { status: "completed" });
  for (const id of [theirs.id, randomUUID(), "1", "' or 1=1", "\0"]) {
    expect(await findOwnReview(db, asha, id)).toBeNull();
  }
});

test.each(["pending", "under_review"] as const)(
  "the owner of a review that is %s gets no results",
  async (status) => {
    const asha = await person(db, "Asha Verma");
    const { id } = await reviewWithResult(asha, status);
    const found = await findOwnReview(db, asha, id);
    expect(found?.result).toBeNull();
    expect(JSON.stringify(found)).not.toMatch(/Kerning|grid|notes|Which of these|impact|pictures/);
  },
);

test("a completed review shows feedback, screenshots and files in the order they were made", async () => {
  const asha = await person(db, "Asha Verma");
  const { id } = await reviewWithResult(asha, "completed");
  const found = await findOwnReview(db, asha, id);
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

test("blank feedback is null", async () => {
  const asha = await person(db, "Asha Verma");
  const { id } = await review(db, asha, { status: "completed", reviewerFeedback: " \n" });
  const found = await findOwnReview(db, asha, id);
  expect(found?.result).toMatchObject({
    feedback: null,
    answers: [],
    rating: null,
    images: [],
    files: [],
    remarks: [],
  });
});

test("a completed review has its remarks and scores, with the pages that they are pinned to", async () => {
  const asha = await person(db, "Asha Verma");
  const { id } = await reviewWithResult(asha, "completed");
  const { result } = (await findOwnReview(db, asha, id))!;
  expect(result).toMatchObject({
    scores: { impact: 2 },
    remarks: [{ text: "Which of these was yours?", target: { kind: "page", part: "resume" } }],
    done: [],
    pages: [{ part: "resume", isComing: true }],
    screenshots: [{ number: 1, caption: "The grid", width: 0, bands: [], isComing: true }],
  });
  expect(arePicturesComing(result!)).toBe(true);
  expect(JSON.stringify(result)).not.toContain("authorId");

  const [remark] = result!.remarks;
  await tickRemark(db, asha, { reviewId: id, id: remark!.id, isDone: true });
  expect((await findOwnReview(db, asha, id))!.result!.done).toEqual([remark!.id]);
});

test("a review without remarks has no pages", async () => {
  const asha = await person(db, "Asha Verma");
  const { id } = await review(db, asha, { status: "completed", resumeFilePath: "a/9.pdf" });
  const { result } = (await findOwnReview(db, asha, id))!;
  expect(result).toMatchObject({ remarks: [], pages: [], screenshots: [] });
  expect(arePicturesComing(result!)).toBe(false);
});

async function reviewWithResult(
  owner: { id: string },
  status: "pending" | "under_review" | "completed",
) {
  const resume = await storedFile(db, owner, "resumes");
  const made = await review(db, owner, {
    status,
    reviewerFeedback: "Kerning is fine.",
    resumeFilePath: resume.path,
  });
  const reviewId = made.id;
  const at = { createdAt: now(), updatedAt: now() };
  await db.insert(reviewScores).values({ reviewId, criterion: "impact", score: 2, ...at });
  await remarkOn(db, reviewId, { id: null }, { text: "Which of these was yours?" });
  const screenshot = `reviews/${reviewId}/1.png`;
  await storedFile(db, { id: null }, "review-images", screenshot, "image/png");
  await db.insert(reviewImages).values([
    { reviewId, imageUrl: "javascript:alert(1)", createdAt: now() },
    {
      reviewId,
      imageUrl: toStoredAddress({ bucket: "review-images", path: screenshot }),
      annotation: "The grid",
      createdAt: before(2 * second),
    },
    { reviewId, imageUrl: "https://elsewhere.example/2.png", createdAt: before(second) },
  ]);
  await db.insert(reviewFiles).values({
    reviewId,
    fileUrl: toStoredAddress({
      bucket: "review-files",
      path: `reviews/${reviewId}/files/notes.pdf`,
    }),
    fileName: "notes.pdf",
    fileType: "application/pdf",
    createdAt: now(),
  });
  return made;
}

function before(milliseconds: number): Date {
  return new Date(now().getTime() - milliseconds);
}
