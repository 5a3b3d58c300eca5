import { expect, test } from "vitest";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { assignment, review, storedFile } from "../../tests/support/rows/reviews.ts";
import type { Bucket } from "../files/rules.ts";
import { now } from "../platform/clock.ts";
import { findReadableFile } from "./may-read-file.server.ts";
import { toStoredAddress } from "./addresses.ts";
import { reviewFiles, reviewImages } from "./tables.server.ts";

const { db, ...everyone } = await testPeople();

type Name = keyof typeof everyone;

test("a draft's resume is readable by its owner and god admins", async () => {
  const { path } = await storedFile(db, everyone.asha, "resumes");
  expect(await readersOf("resumes", path)).toEqual(["asha", "gita"]);
});

test.each(["pending", "under_review", "completed"] as const)(
  "the files of a review that is %s are readable by its owner, its reviewer and god admins",
  async (status) => {
    const resume = await storedFile(db, everyone.asha, "resumes");
    const portfolio = await storedFile(db, everyone.asha, "portfolios");
    const { id } = await review(db, everyone.asha, {
      status,
      resumeFilePath: resume.path,
      portfolioFilePath: portfolio.path,
    });
    await assignment(db, id, everyone.meera, status === "completed" ? now() : null);
    expect(await readersOf("resumes", resume.path)).toEqual(["asha", "meera", "gita"]);
    expect(await readersOf("portfolios", portfolio.path)).toEqual(["asha", "meera", "gita"]);
  },
);

test("the files of an unassigned review are readable by its owner and god admins", async () => {
  const resume = await storedFile(db, everyone.asha, "resumes");
  await review(db, everyone.asha, { resumeFilePath: resume.path });
  expect(await readersOf("resumes", resume.path)).toEqual(["asha", "gita"]);
});

test("a path in one bucket opens nothing in another", async () => {
  const resume = await storedFile(db, everyone.asha, "resumes");
  const { id } = await review(db, everyone.asha, { portfolioFilePath: resume.path });
  await assignment(db, id, everyone.meera);
  expect(await readersOf("resumes", resume.path)).toEqual(["asha", "gita"]);
  expect(await readersOf("portfolios", resume.path)).toEqual([]);
});

test("an imported review's owner can read its file although the uploader is unknown", async () => {
  const file = await storedFile(db, everyone.gita, "resumes", `imported-${now().getTime()}.pdf`);
  await review(db, everyone.ravi, { resumeFilePath: file.path });
  expect(await readersOf("resumes", file.path)).toEqual(["ravi", "gita"]);
});

test("the owner can read the reviewer's files only once the review is completed", async () => {
  const open = await reviewWithUploads("under_review");
  expect(await readersOf("review-images", open.image)).toEqual(["meera", "gita"]);
  expect(await readersOf("review-files", open.file)).toEqual(["meera", "gita"]);
  const done = await reviewWithUploads("completed");
  expect(await readersOf("review-images", done.image)).toEqual(["asha", "meera", "gita"]);
  expect(await readersOf("review-files", done.file)).toEqual(["asha", "meera", "gita"]);
});

test("a former reviewer can read no files of their assignments", async () => {
  const { image } = await reviewWithUploads("under_review");
  const { meera } = everyone;
  expect(
    await findReadableFile(db, { ...meera, isReviewer: false }, "review-images", image),
  ).toBeNull();
});

test("a readable file is returned with its metadata, and null for an unknown path", async () => {
  const { path } = await storedFile(db, everyone.asha, "resumes");
  expect(await findReadableFile(db, everyone.asha, "resumes", path)).toEqual({
    bucket: "resumes",
    path,
    mimeType: "application/pdf",
    originalName: "my resumes.pdf",
    size: 1234,
    showable: true,
  });
  expect(await findReadableFile(db, everyone.gita, "resumes", "none.pdf")).toBeNull();
});

async function readersOf(bucket: Bucket, path: string): Promise<string[]> {
  const names: Name[] = ["asha", "ravi", "meera", "kabir", "devi", "gita", "sonia"];
  const found = await Promise.all(
    names.map((name) => findReadableFile(db, everyone[name], bucket, path)),
  );
  return names.filter((_, index) => found[index]);
}

async function reviewWithUploads(status: "under_review" | "completed") {
  const { asha, meera } = everyone;
  const { id: reviewId } = await review(db, asha, { status });
  await assignment(db, reviewId, meera);
  const image = await storedFile(db, meera, "review-images", `reviews/${reviewId}/a.png`);
  const file = await storedFile(db, meera, "review-files", `reviews/${reviewId}/files/a.pdf`);
  await db
    .insert(reviewImages)
    .values({ reviewId, imageUrl: toStoredAddress(image), createdAt: now() });
  await db.insert(reviewFiles).values({
    reviewId,
    fileUrl: toStoredAddress(file),
    fileName: "a.pdf",
    fileType: "application/pdf",
    createdAt: now(),
  });
  return { image: image.path, file: file.path };
}
