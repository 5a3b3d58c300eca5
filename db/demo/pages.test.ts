import { join } from "node:path";
import { eq, ne, sql } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { users } from "../../app/accounts/tables.server.ts";
import { createDiskStore } from "../../app/files/disk-store.server.ts";
import { renderProcess } from "../../app/files/render/render-process.server.ts";
import { minute, now } from "../../app/platform/clock.ts";
import { queueTask } from "../../app/platform/tasks.server.ts";
import { listHandedImages } from "../../app/reviews/materials.server.ts";
import {
  ensureReviewPages,
  listPages,
  listScreenshots,
  renderPagesTask,
} from "../../app/annotations/document-pages/pages.server.ts";
import { renderedFiles } from "../../app/annotations/tables.server.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import { renderingOnce } from "../../tests/support/documents/rendering-once.ts";
import { testPayments } from "../../tests/support/payments/payments.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { runTasks, testTasks } from "../../tests/support/product/tasks.ts";
import { whenFileEnds } from "../../tests/support/product/when-file-ends.ts";
import { loadDemo } from "./load.server.ts";
import { queueNextDemoPages } from "./pages.server.ts";

const { db } = await testDatabase();
const folder = ownFolder();
const config = testConfig({ DATA_DIR: folder, DEMO_PAGES: "on" });
const renderer = renderProcess();
whenFileEnds(() => renderer.close());
const payments = testPayments(config.payu);
const tasks = testTasks(config, payments, renderingOnce(renderer, join(folder, "known")));

beforeAll(async () => {
  await loadDemo(db, createDiskStore(join(folder, "files")), config);
});

test("the completed review that a visitor opens first is queued first and only once", async () => {
  await queueNextDemoPages(db);
  const queued = await listQueuedFiles();
  const [asha] = await db
    .select({ review: serviceReviews })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(eq(users.email, "asha@example.com"))
    .orderBy(sql`status <> 'completed'`);
  expect(await listNotices(asha!.review.id)).toEqual(["Preparing pages…", "Preparing pages…"]);
  // The resume, the portfolio and the screenshot.
  expect(queued).toHaveLength(3);
  await ensureReviewPages(db, asha!.review.id);
  expect(await listQueuedFiles()).toEqual(queued);
});

test("a file that a crash interrupted delays no others and is rendered later", async () => {
  const [interrupted, ...others] = await listQueuedFiles();
  await db.execute(sql`delete from pgboss.job where data->>'fileId' = ${interrupted}`);
  const touchedAt = now();
  await db
    .update(renderedFiles)
    .set({ state: "rendering", touchedAt })
    .where(eq(renderedFiles.fileId, interrupted!));
  await runTasks(db, tasks);
  expect(await listUnfinished()).toContain(interrupted);
  expect(await listUnfinished()).not.toContain(others[0]);
  expect((await listQueuedFiles()).length).toBeGreaterThan(0);
  // The queue retries a task that its process did not finish.
  stopClock();
  vi.setSystemTime(touchedAt.getTime() + 2 * minute);
  await queueTask(db, renderPagesTask, { fileId: interrupted! });
  await runTasks(db, tasks);
  expect(await listUnfinished()).not.toContain(interrupted);
});

test("files that a visitor opens wait for only one demo review", async () => {
  const waiting = await listQueuedFiles();
  expect(waiting.length).toBeLessThanOrEqual(3);
  const [last] = await db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .where(eq(serviceReviews.status, "completed"))
    .orderBy(serviceReviews.createdAt);
  await ensureReviewPages(db, last!.id);
  expect((await listQueuedFiles()).length).toBeGreaterThan(waiting.length);
});

test("no review has a notice about missing pages after the tasks have run", async () => {
  while ((await runTasks(db, tasks)).length > 0)
    expect((await listQueuedFiles()).length).toBeLessThanOrEqual(6);
  const reviews = await db.select({ id: serviceReviews.id }).from(serviceReviews);
  expect(reviews.length).toBeGreaterThan(40);
  for (const { id } of reviews) {
    expect(await listNotices(id)).toEqual([]);
    const screenshots = await listScreenshots(db, await listHandedImages(db, id));
    expect(screenshots.filter(({ isComing }) => isComing)).toEqual([]);
  }
  expect(await db.select().from(renderedFiles).where(ne(renderedFiles.state, "done"))).toEqual([]);
  await queueNextDemoPages(db);
  expect(await listQueuedFiles()).toEqual([]);
});

/** Reads the notices about missing pages of every part of a review. */
async function listNotices(id: string): Promise<string[]> {
  const [review] = await db.select().from(serviceReviews).where(eq(serviceReviews.id, id));
  const listed = await listPages(db, review!);
  return listed.flatMap(({ notice }) => notice ?? []);
}

async function listQueuedFiles(): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select data->>'fileId' as id from pgboss.job
    where name = ${renderPagesTask.name} and state = 'created' order by created_on, id`);
  return rows.map(({ id }) => id);
}

async function listUnfinished(): Promise<string[]> {
  const rows = await db.select().from(renderedFiles).where(ne(renderedFiles.state, "done"));
  return rows.map(({ fileId }) => fileId);
}
