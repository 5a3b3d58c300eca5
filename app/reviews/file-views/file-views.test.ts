import { stat } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { testServer } from "../../../tests/support/product/server.ts";
import { runLater } from "../../../tests/support/product/stop-clock.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { assignedReview } from "../../../tests/support/rows/review-states.ts";
import { storedFile } from "../../../tests/support/rows/reviews.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { getFileAddress } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { day, hour } from "../../platform/clock.ts";
import { fileViews, serviceReviews } from "../tables.server.ts";
import { deleteOldFileViews, listOwnFileViews, recordReviewViews } from "./file-views.server.ts";

const database = await testDatabase();
const { db } = database;
const server = await testServer(database, { DATA_DIR: ownFolder() });
const who = everybody(db);
let asha: Actor;
let meera: Actor;
let gita: Actor;
let reviewId: string;
let file: Awaited<ReturnType<typeof storedFile>>;

const source = "tests/fixtures/files/one-page.pdf";

beforeEach(async () => {
  ({ asha, meera, gita } = who);
  file = await storedFile(db, asha, "resumes");
  await server.store.put("resumes", file.path, source);
  await db
    .update(storedFiles)
    .set({ size: (await stat(source)).size })
    .where(eq(storedFiles.id, file.id));
  reviewId = await assignedReview(db, asha, meera);
  await db
    .update(serviceReviews)
    .set({ resumeFilePath: file.path })
    .where(eq(serviceReviews.id, reviewId));
});

const rowsOf = (fileId: string) => db.select().from(fileViews).where(eq(fileViews.fileId, fileId));

async function download(person: Actor): Promise<number> {
  const headers = { cookie: await server.cookieOf(person) };
  const { status, body } = await fetch(server.origin + getFileAddress("resumes", file.path), {
    headers,
  });
  await body?.cancel();
  return status;
}

async function textsFor(person: Actor): Promise<string[]> {
  return (await listOwnFileViews(db, person, reviewId)).map(({ text }) => text);
}

test("the customer reads when the reviewer opened their file, once a day", async () => {
  await recordReviewViews(db, meera, reviewId);
  await recordReviewViews(db, meera, reviewId);
  expect(await download(meera)).toBe(200);
  expect(await rowsOf(file.id)).toHaveLength(1);
  expect(await textsFor(asha)).toEqual([
    expect.stringMatching(
      /^Resume: Opened by your reviewer, [A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d\d [AP]M$/,
    ),
  ]);
  await runLater(day, () => recordReviewViews(db, meera, reviewId));
  expect(await textsFor(asha)).toHaveLength(2);
});

test("an admin who downloads it is our team, and the customer's own downloads don't count", async () => {
  expect([await download(asha), await download(gita), await download(gita)]).toEqual([
    200, 200, 200,
  ]);
  expect(await textsFor(asha)).toEqual([expect.stringContaining("Resume: Opened by our team, ")]);
});

test("a refused download and another person's file are no views", async () => {
  expect([await download(who.ravi), await download(who.kabir)]).toEqual([404, 404]);
  expect(await rowsOf(file.id)).toEqual([]);
});

test("staff's own files don't count, also without an uploader", async () => {
  await db.update(serviceReviews).set({ userId: gita.id }).where(eq(serviceReviews.id, reviewId));
  await db.update(storedFiles).set({ uploadedBy: null }).where(eq(storedFiles.id, file.id));
  expect(await download(gita)).toBe(200);
  expect(await rowsOf(file.id)).toEqual([]);
});

test("no one else reads the views", async () => {
  await recordReviewViews(db, meera, reviewId);
  for (const person of [who.ravi, meera, gita]) expect(await textsFor(person)).toEqual([]);
  expect(await listOwnFileViews(db, asha, "1' or '1'='1")).toEqual([]);
});

test("a view stays when its reviewer's account is deleted, for a year", async () => {
  await recordReviewViews(db, gita, reviewId);
  await db.delete(users).where(eq(users.id, gita.id));
  expect(await textsFor(asha)).toHaveLength(1);
  await runLater(365 * day - hour, async () => void (await deleteOldFileViews(db)));
  expect(await rowsOf(file.id)).toHaveLength(1);
  await runLater(365 * day + hour, async () => void (await deleteOldFileViews(db)));
  expect(await rowsOf(file.id)).toEqual([]);
});
