import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { review, storedFile } from "../../tests/support/rows/reviews.ts";
import { order as insertOrder } from "../../tests/support/rows/refunds.ts";
import { getFileAddress } from "../files/rules.ts";
import { storedFiles } from "../files/tables.server.ts";
import { day, hour, now } from "../platform/clock.ts";
import { changeDraft, removeDraftFile } from "../review-customer/buy/drafts.server.ts";
import { isBlackedOut } from "./black-outs.server.ts";
import { services } from "./rules.ts";
import {
  blackOuts,
  reviewAssignments,
  reviewFiles,
  reviewImages,
  reviewOrders,
  serviceReviews,
} from "./tables.server.ts";
import {
  countUnusedUploads,
  isUploadAttached,
  listUnreferencedFiles,
} from "./unreferenced-files.server.ts";

const { db, asha } = await testPeople();

const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds);

async function oldFile(
  bucket: "resumes" | "portfolios" | "review-images" | "review-files" = "resumes",
) {
  const file = await storedFile(db, asha, bucket);
  await db
    .update(storedFiles)
    .set({ createdAt: ago(2 * day) })
    .where(eq(storedFiles.id, file.id));
  return file;
}

async function isUnreferenced({ id }: { id: string }): Promise<boolean> {
  return (await listUnreferencedFiles(db, ago(day))).some((file) => file.id === id);
}

async function order(
  paths: { resumeFilePath: string; portfolioFilePath?: string },
  createdAt: Date,
  status: "pending" | "success" | "failed" = "pending",
) {
  const orderId = await insertOrder(db, null, { status, createdAt });
  const draft = { draftId: randomUUID(), draftRevision: 1 };
  await db
    .insert(reviewOrders)
    .values({ orderId, ...draft, serviceType: "combined_review", ...paths });
}

test("an unreferenced file is found when it is a day old", async () => {
  expect(await isUnreferenced(await oldFile())).toBe(true);
  expect(await isUnreferenced(await storedFile(db, asha, "resumes"))).toBe(false);
});

test("a draft's file stays until it is removed from the draft", async () => {
  const resume = await oldFile();
  const portfolio = await oldFile("portfolios");
  await changeDraft(db, asha.id, services.combined_review, {
    resumeFileId: resume.id,
    portfolioFileId: portfolio.id,
  });
  expect(await isUnreferenced(resume)).toBe(false);
  expect(await isUnreferenced(portfolio)).toBe(false);
  await removeDraftFile(db, asha, services.combined_review, "portfolio");
  expect(await isUnreferenced(portfolio)).toBe(true);
  expect(await isUnreferenced(resume)).toBe(false);
});

test("an order's file stays while the payment can still succeed", async () => {
  const resume = await oldFile();
  const portfolio = await oldFile("portfolios");
  const late = await oldFile();
  const paths = { resumeFilePath: resume.path, portfolioFilePath: portfolio.path };
  await order(paths, ago(30 * day - hour), "failed");
  await order({ resumeFilePath: late.path }, ago(30 * day + hour));
  expect(await isUnreferenced(resume)).toBe(false);
  expect(await isUnreferenced(portfolio)).toBe(false);
  expect(await isUnreferenced(late)).toBe(true);
});

test("a file of a review stays", async () => {
  const resume = await oldFile();
  const portfolio = await oldFile("portfolios");
  await review(db, asha, { resumeFilePath: resume.path, portfolioFilePath: portfolio.path });
  expect(await isUnreferenced(resume)).toBe(false);
  expect(await isUnreferenced(portfolio)).toBe(false);
});

test("the original of a blacked-out copy stays until 30 days after its review", async () => {
  const original = await oldFile();
  const copy = await oldFile();
  await db.insert(blackOuts).values({
    id: randomUUID(),
    copyFileId: copy.id,
    originalFileId: original.id,
    boxes: [],
    createdAt: now(),
  });
  expect(await isUnreferenced(original)).toBe(true);
  expect(await isUploadAttached(db, original)).toBe(false);
  await changeDraft(db, asha.id, services.resume_review, { resumeFileId: copy.id });
  expect(await isUnreferenced(original)).toBe(false);
  expect(await isUploadAttached(db, original)).toBe(true);
  const unpaid = await countUnusedUploads(db, asha.id);
  await removeDraftFile(db, asha, services.resume_review, "resume");
  expect(await isUnreferenced(original)).toBe(true);
  await order({ resumeFilePath: copy.path }, ago(day));
  expect(await isUnreferenced(original)).toBe(false);
  await db.delete(reviewOrders).where(eq(reviewOrders.resumeFilePath, copy.path));

  const { id: reviewId } = await review(db, asha, { resumeFilePath: copy.path });
  expect(await isUnreferenced(original)).toBe(false);
  // Both were paid for.
  const paid = await countUnusedUploads(db, asha.id);
  expect(unpaid.files - paid.files).toBe(2);
  const [assignment] = await db
    .insert(reviewAssignments)
    .values({ reviewId, reviewerId: asha.id, assignedAt: ago(60 * day) })
    .returning({ id: reviewAssignments.id });
  const complete = async (completedAt: Date) => {
    const status = "completed" as const;
    await db.update(serviceReviews).set({ status }).where(eq(serviceReviews.id, reviewId));
    await db
      .update(reviewAssignments)
      .set({ completedAt })
      .where(eq(reviewAssignments.id, assignment!.id));
  };
  await complete(ago(30 * day - hour));
  expect(await isUnreferenced(original)).toBe(false);
  await complete(ago(30 * day + hour));
  expect(await isUnreferenced(original)).toBe(true);
  expect(await isUnreferenced(copy)).toBe(false);

  await db.delete(storedFiles).where(eq(storedFiles.id, original.id));
  expect(await isBlackedOut(db, copy)).toBe(true);
  await db.delete(storedFiles).where(eq(storedFiles.id, copy.id));
  expect(await db.$count(blackOuts, eq(blackOuts.copyFileId, copy.id))).toBe(0);
});

test("the original of a refunded review stays for 30 days too", async () => {
  const original = await oldFile();
  const copy = await oldFile();
  const [id, boxes, createdAt] = [randomUUID(), [], now()];
  const ids = { copyFileId: copy.id, originalFileId: original.id };
  await db.insert(blackOuts).values({ id, boxes, createdAt, ...ids });
  const refund = { resumeFilePath: copy.path, withdrawnAt: ago(30 * day - hour) };
  const { id: reviewId } = await review(db, asha, refund);
  expect(await isUnreferenced(original)).toBe(false);
  const withdrawnAt = ago(30 * day + hour);
  await db.update(serviceReviews).set({ withdrawnAt }).where(eq(serviceReviews.id, reviewId));
  expect(await isUnreferenced(original)).toBe(true);
});

test("a path counts only in its own bucket", async () => {
  const portfolio = await oldFile("portfolios");
  await review(db, asha, { resumeFilePath: portfolio.path });
  expect(await isUnreferenced(portfolio)).toBe(true);
});

test("a reviewer's file stays, whichever way its address is stored", async () => {
  const { id: reviewId } = await review(db, asha);
  const image = await oldFile("review-images");
  const linked = await oldFile("review-images");
  const file = await oldFile("review-files");
  const removed = await oldFile("review-files");
  const createdAt = now();
  await db.insert(reviewImages).values([
    { reviewId, imageUrl: `review-images/${image.path}`, createdAt },
    { reviewId, imageUrl: getFileAddress("review-images", linked.path), createdAt },
  ]);
  const fileUrl = `review-files/${file.path}`;
  await db
    .insert(reviewFiles)
    .values({ reviewId, fileUrl, fileName: "a", fileType: "b", createdAt });
  for (const kept of [image, linked, file]) expect(await isUnreferenced(kept)).toBe(false);
  expect(await isUnreferenced(removed)).toBe(true);
});
