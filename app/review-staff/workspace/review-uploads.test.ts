import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
} from "../../../tests/support/rows/review-states.ts";
import type { StoredFile, Upload } from "../../files/receive/admit-upload.server.ts";
import { now } from "../../platform/clock.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { reviewFiles, reviewImages } from "../../reviews/tables.server.ts";
import { findWorkspace } from "./find.server.ts";
import { reviewFileUploads, reviewImageUploads } from "./review-uploads.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const { db } = await testDatabase();
const who = everybody(db);

function screenshot(reviewId: string, note: string | null = null): Upload {
  return { purpose: "review-image", target: reviewId, name: "cover.png", note };
}

function stored(bucket: "review-images" | "review-files", path: string): StoredFile {
  const id = randomUUID();
  return {
    id,
    bucket,
    path,
    originalName: "cover.png",
    mimeType: "image/png",
    showable: true,
    size: 1,
    uploadedBy: null,
    createdAt: now(),
  };
}

test("a screenshot becomes part of its review, with a trimmed annotation", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const upload = screenshot(id, "  The cover  ");
  await reviewImageUploads.admit(db, who.meera.id, upload);
  await db.transaction((tx) =>
    reviewImageUploads.attach(
      tx,
      who.meera.id,
      upload,
      stored("review-images", `reviews/${id}/1-cover.png`),
    ),
  );
  const [row] = (await db.select().from(reviewImages)).filter(({ reviewId }) => reviewId === id);
  expect(row).toMatchObject({
    imageUrl: `review-images/reviews/${id}/1-cover.png`,
    annotation: "The cover",
  });
  const [shown] = (await findWorkspace(db, who.meera, id))!.images;
  expect(shown?.href).toBe(`/storage/review-images/reviews/${id}/1-cover.png`);
  expect(await eventsOn(db, id)).toEqual(["review.upload"]);
});

test("a file becomes part of its review with its name, type and description", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const upload: Upload = { purpose: "review-file", target: id, name: "cover.png", note: " " };
  const file = stored("review-files", `reviews/${id}/files/1-cover.png`);
  await db.transaction((tx) => reviewFileUploads.attach(tx, who.meera.id, upload, file));
  const [row] = (await db.select().from(reviewFiles)).filter(({ reviewId }) => reviewId === id);
  expect(row).toMatchObject({
    fileUrl: `review-files/reviews/${id}/files/1-cover.png`,
    fileName: "cover.png",
    fileType: "image/png",
    description: null,
  });
});

test("uploads are limited to the reviewer's own open review, at their start and end", async () => {
  const done = await completedReview(db, who.asha, who.meera);
  const theirs = await assignedReview(db, who.asha, who.kabir);
  const file = stored("review-images", `reviews/${theirs}/1-cover.png`);
  for (const [target, error] of [
    [done, Conflict],
    [theirs, NotFound],
    ["no id", NotFound],
    [randomUUID(), NotFound],
  ] as const) {
    await expect(reviewImageUploads.admit(db, who.meera.id, screenshot(target))).rejects.toThrow(
      error,
    );
    await expect(
      db.transaction((tx) => reviewImageUploads.attach(tx, who.meera.id, screenshot(target), file)),
    ).rejects.toThrow(error);
  }
  await expect(reviewImageUploads.admit(db, who.asha.id, screenshot(theirs))).rejects.toThrow(
    NotFound,
  );
  await expect(
    reviewImageUploads.admit(db, who.kabir.id, screenshot(theirs, "x".repeat(2001))),
  ).rejects.toThrow(Invalid);
});
