import { asc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
  attachFiles,
  pendingReview,
  reviewRow,
} from "../../../tests/support/rows/review-states.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import { messages } from "../../reviews/staff-rules.ts";
import { reviewImages, serviceReviews } from "../../reviews/tables.server.ts";
import { addImage, deleteImage, updateImage, updateReview } from "./edit-review.server.ts";
import { listReviewImages, findCompletedReview } from "./completed-reviews.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const web = "https://pictures.example/cover.png";
const { db } = await testDatabase();
const who = everybody(db);

beforeEach(() => db.delete(serviceReviews));

async function opened(id: string) {
  return (await findCompletedReview(db, who.gita, id))!;
}
const imagesOf = (reviewId: string) =>
  db
    .select()
    .from(reviewImages)
    .where(eq(reviewImages.reviewId, reviewId))
    .orderBy(asc(reviewImages.createdAt));

test("an admin changes the priority and the feedback of a completed review", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  const { version } = await opened(id);
  const edit = { reviewId: id, priority: 2, feedback: " Better now.\r\nTwice. ", version };
  await updateReview(db, who.gita, edit);
  const { review, assignment } = await reviewRow(db, id);
  expect(review).toMatchObject({
    priority: 2,
    reviewerFeedback: "Better now.\nTwice.",
    status: "completed",
  });
  expect(assignment?.completedAt).not.toBeNull();
  expect(await eventsOn(db, id)).toEqual(["review.edit"]);
  expect(await mailsTo(db, who.asha.email)).toEqual([]);
});

test("empty feedback is stored as null, and saving the same again changes nothing", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  const { version } = await opened(id);
  const edit = { reviewId: id, priority: 0, feedback: "  ", version };
  await updateReview(db, who.gita, edit);
  await updateReview(db, who.gita, edit);
  expect((await reviewRow(db, id)).review.reviewerFeedback).toBeNull();
  expect(await eventsOn(db, id)).toEqual(["review.edit"]);
});

test("two admins edit the same feedback at once, and one gets an error that it has changed", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  const { version } = await opened(id);
  const results = await Promise.allSettled(
    ["One.", "Other."].map((feedback) =>
      updateReview(db, who.gita, { reviewId: id, priority: 0, feedback, version }),
    ),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await eventsOn(db, id)).toEqual(["review.edit"]);
});

test("an unknown priority and feedback that is too long are rejected", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  const { version } = await opened(id);
  const edit = { reviewId: id, priority: 0, feedback: "x", version };
  for (const wrong of [{ priority: 4 }, { priority: 1.5 }, { feedback: "x".repeat(50_001) }]) {
    await expect(updateReview(db, who.gita, { ...edit, ...wrong })).rejects.toThrow(Invalid);
  }
});

test("images are added with trimmed texts, and a missing annotation is null", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  await addImage(db, who.gita, { reviewId: id, imageUrl: ` ${web} `, annotation: " The cover " });
  await addImage(db, who.gita, { reviewId: id, imageUrl: web, annotation: "  " });
  expect(await imagesOf(id)).toMatchObject([
    { imageUrl: web, annotation: "The cover" },
    { imageUrl: web, annotation: null },
  ]);
  expect(await eventsOn(db, id)).toEqual(["review.add-image", "review.add-image"]);
});

test("an image needs a web address", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  const add = (imageUrl: string, annotation = "") =>
    addImage(db, who.gita, { reviewId: id, imageUrl, annotation });
  await expect(add("   ")).rejects.toThrow("Image URL is required");
  for (const wrong of [
    "javascript:alert(1)",
    "data:image/png;base64,AA",
    "/storage/resumes/x",
    "x",
  ]) {
    await expect(add(wrong)).rejects.toThrow(Invalid);
  }
  await expect(add(web, "x".repeat(2_001))).rejects.toThrow(Invalid);
  expect(await imagesOf(id)).toEqual([]);
});

test("an image is changed, and an upload keeps its file when only the annotation changes", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  const { imageId, imageVersion: version } = await attachFiles(db, id);
  const [shown] = await listReviewImages(db, who.gita, id);
  const [before] = await imagesOf(id);
  const edit = { reviewId: id, id: imageId, annotation: "Start here", version };
  await updateImage(db, who.gita, { ...edit, imageUrl: shown!.href! });
  expect(await imagesOf(id)).toMatchObject([
    { imageUrl: before!.imageUrl, annotation: "Start here" },
  ]);
  edit.version = (await listReviewImages(db, who.gita, id))[0]!.version;
  await updateImage(db, who.gita, { ...edit, imageUrl: web });
  await updateImage(db, who.gita, { ...edit, imageUrl: web });
  expect(await imagesOf(id)).toMatchObject([{ imageUrl: web }]);
  expect(await eventsOn(db, id)).toEqual(["review.update-image", "review.update-image"]);
  await expect(updateImage(db, who.gita, { ...edit, imageUrl: " " })).rejects.toThrow(
    "Image URL is required",
  );
});

test("two admins change the same image at once: one gets an error, and neither deletes it unseen", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  const { imageId, imageVersion: version } = await attachFiles(db, id);
  const edit = { reviewId: id, id: imageId, imageUrl: web, version };
  const results = await Promise.allSettled(
    ["One.", "Other."].map((annotation) => updateImage(db, who.gita, { ...edit, annotation })),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(deleteImage(db, who.gita, edit)).rejects.toThrow(messages.imageChanged);
  expect(await imagesOf(id)).toHaveLength(1);
  expect(await eventsOn(db, id)).toEqual(["review.update-image"]);
});

test("an image is deleted only from its own review", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  const other = await completedReview(db, who.ravi, who.meera);
  const { imageId, imageVersion: version } = await attachFiles(db, id);
  const edit = { reviewId: other, id: imageId, version, imageUrl: web, annotation: "" };
  await expect(deleteImage(db, who.gita, edit)).rejects.toThrow(NotFound);
  await expect(updateImage(db, who.gita, edit)).rejects.toThrow(NotFound);
  await deleteImage(db, who.gita, { ...edit, reviewId: id });
  expect(await imagesOf(id)).toEqual([]);
  const none = { ...edit, reviewId: id, id: "no id" };
  await expect(deleteImage(db, who.gita, none)).rejects.toThrow(NotFound);
  expect(await eventsOn(db, id)).toEqual(["review.delete-image"]);
});

test("a review that is not completed cannot be opened for editing", async () => {
  for (const id of [
    await pendingReview(db, who.asha),
    await assignedReview(db, who.asha, who.meera),
  ])
    expect(await findCompletedReview(db, who.gita, id)).toBeNull();
});
