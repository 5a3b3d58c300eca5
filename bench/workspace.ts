import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium, type Page } from "@playwright/test";
import { eq, inArray } from "drizzle-orm";
import { users } from "../app/accounts/tables.server.ts";
import { renderedFiles, reviewRemarks } from "../app/annotations/tables.server.ts";
import { createDiskStore } from "../app/files/disk-store.server.ts";
import { now } from "../app/platform/clock.ts";
import { startProduct } from "../tests/journeys/support/product.ts";
import { signInByCookie, whenLive } from "../tests/journeys/support/test.ts";
import { largePortfolio } from "../tests/support/documents/large-portfolio.ts";
import { findChromium } from "../tests/support/product/chromium.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";
import { assignment, review, storedFile } from "../tests/support/rows/reviews.ts";

/**
 * `npm run bench -- workspace` measures the workspace of a second look with the earlier and the new document beside
 * each other: the time until its scripts run and its first picture is drawn, the longest task while it scrolls from
 * top to bottom, and the most pictures of pages that are visible at once, since the browser keeps those decoded. Exits
 * with 1 if a limit is exceeded. A busy machine makes it look slow.
 */
const pages = 20;
/** The height of an A4 page that is 960 points wide. */
const a4Height = 1358;
const rounds = 5;
const reviewerEmail = "meera@example.in";
/** The ids of the documents. */
const files: string[] = [];
const limits = { open: 1500, task: 100, pictures: 6 };

const dataDir = await mkdtemp(join(tmpdir(), "naksha-workspace-bench-"));
const postgres = await ownPostgres({ durable: false });
const product = await startProduct({ DATA_DIR: dataDir });
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  await measure();
} finally {
  await browser.close();
  await product.stop();
  await postgres.end();
  await rm(dataDir, { recursive: true });
}

async function measure(): Promise<void> {
  const look = await insertSecondLook();
  const context = await browser.newContext({
    baseURL: product.origin,
    viewport: { width: 1280, height: 800 },
  });
  await signInByCookie(context, product, reviewerEmail);
  const page = whenLive(await context.newPage());
  const address = `/reviewer/submission/${look}`;
  await page.goto(address);
  while (!(await areRendered())) await wait(500);

  const opened: number[] = [];
  for (let round = 0; round < rounds; round++) opened.push(await timeToOpen(page, address));
  report("opened", opened.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]!, "open");
  const { task, pictures } = await page.evaluate(scrollThrough);
  report("longest task while it scrolls", task, "task");
  report("visible pictures of pages", pictures, "pictures");
}

/** Inserts a second look and its earlier review, each with a document and remarks on all pages. @returns its id */
async function insertSecondLook(): Promise<string> {
  const [customer, reviewer] = await Promise.all(["asha@example.com", reviewerEmail].map(findUser));
  const earlier = await insertReview(customer!, { status: "completed" });
  const look = await insertReview(customer!, { status: "under_review", secondLookOf: earlier });
  await assignment(product.db, earlier, reviewer!, now());
  await assignment(product.db, look, reviewer!);
  return look;
}

async function findUser(email: string) {
  const [user] = await product.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email));
  return user!;
}

async function insertReview(customer: { id: string }, fields: Parameters<typeof review>[2]) {
  const resumeFilePath = `${customer.id}/${randomUUID()}.pdf`;
  const source = join(dataDir, "source.pdf");
  await writeFile(source, await largePortfolio(pages, 10 * 1_048_576, a4Height));
  await createDiskStore(join(dataDir, "files")).put("resumes", resumeFilePath, source);
  const file = await storedFile(product.db, customer, "resumes", resumeFilePath);
  files.push(file.id);
  const { id } = await review(product.db, customer, { ...fields, resumeFilePath });
  await product.db.insert(reviewRemarks).values(
    Array.from({ length: 2 * pages }, (_, index) => ({
      id: randomUUID(),
      reviewId: id,
      part: "resume" as const,
      page: Math.ceil((index + 1) / 2),
      x: 0.1,
      y: 0.1 + (index % 5) / 10,
      width: 0.6,
      height: 0.04,
      number: index + 1,
      severity: "must" as const,
      text: "Say what came of it.",
      createdAt: now(),
      updatedAt: now(),
    })),
  );
  return id;
}

async function areRendered(): Promise<boolean> {
  const rendered = await product.db
    .select({ state: renderedFiles.state })
    .from(renderedFiles)
    .where(inArray(renderedFiles.fileId, files));
  return rendered.length === files.length && rendered.every(({ state }) => state === "done");
}

/** Returns the milliseconds until scripts run and the first picture of a page is drawn. */
async function timeToOpen(page: Page, address: string): Promise<number> {
  await page.goto("about:blank", { waitUntil: "load" }).catch(() => {});
  const start = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.evaluate(async () => {
    await document.querySelector<HTMLImageElement>(".plate_paper img")?.decode();
  });
  return performance.now() - start;
}

/** Runs in the page. Scrolls its column of pages by a fifth of its height each frame, as a wheel does. */
async function scrollThrough(): Promise<{ task: number; pictures: number }> {
  const worst = { task: 0, pictures: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) worst.task = Math.max(worst.task, duration);
  });
  // Opening has a limit of its own.
  await new Promise((idle) => requestIdleCallback(idle));
  observer.observe({ type: "longtask" });
  const all = [...document.querySelectorAll<HTMLImageElement>(".plate_paper img")];
  let column = all[0]!.parentElement!;
  while (
    column.scrollHeight <= column.clientHeight ||
    getComputedStyle(column).overflowY === "visible"
  )
    column = column.parentElement!;
  const screen = column.getBoundingClientRect();
  for (let top = 0; top < column.scrollHeight; top += column.clientHeight / 5) {
    column.scrollTop = top;
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    const visible = all.filter((picture) => {
      const { top: from, bottom: to } = picture.getBoundingClientRect();
      return to > screen.top && from < screen.bottom;
    });
    worst.pictures = Math.max(worst.pictures, visible.length);
  }
  observer.disconnect();
  return worst;
}

function report(name: string, figure: number, limit: keyof typeof limits): void {
  const unit = limit === "pictures" ? "" : " ms";
  console.log(`${name}: ${figure.toFixed(0)}${unit}, at most ${limits[limit]}${unit}`);
  if (figure > limits[limit]) process.exitCode = 1;
}
