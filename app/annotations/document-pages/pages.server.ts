import { and, asc, eq, inArray, lt, notExists, or, type SQL, sql } from "drizzle-orm";
import type { PageText } from "../../files/inspect/page-text.ts";
import {
  missingPages,
  maxPages,
  getPictureAddress,
  pictureWidths,
  pointsOfPixel,
  findRenderableKind,
  rendererVersion,
} from "../../files/render/rendering.ts";
import { type Bucket, getFileAddress, readFileAddress } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { minute, now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { queueTask } from "../../platform/tasks.server.ts";
import { type HandedImage, listHandedImages } from "../../reviews/materials.server.ts";
import type { PageView, ScreenshotView } from "../rules.ts";
import type { Part } from "../../reviews/rubric.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { renderedFiles, reviewPages } from "../tables.server.ts";

export type PartPages = {
  part: Part;
  /** The rendered pages in their order; more follow while `isComing`. */
  pages: PageView[];
  /** The number of pages of the file; null while unknown. */
  pageCount: number | null;
  isComing: boolean;
  /** Why pages are missing, in full sentences; null when all are rendered. */
  notice: string | null;
};

const parts = ["resume", "portfolio"] as const;

/** Lists the pages of each submitted file, the resume first. Check permission before calling it. */
export async function listPages(db: Database, review: HandedIn): Promise<PartPages[]> {
  const files = await listRenderedFiles(db, isFileOfReview(review));
  const listed = parts.map((part) => {
    const location = findPartFile(review, part);
    if (!location) return null;
    const file = files.find(
      ({ bucket, path, mimeType }) =>
        bucket === location.bucket &&
        path === location.path &&
        // Originals that are shown directly have no pages.
        findRenderableKind(mimeType) !== "original",
    );
    const pages = (file?.pages ?? []).map((page) => ({ part, ...page }));
    return { part, pages, ...getRenderProgress(file, pages.length) };
  });
  return listed.filter((one) => one !== null);
}

/**
 * Lists the reviewer's screenshots that can have remarks, in the given order. Pictures on other sites are never
 * fetched, so they are not included. Check permission before calling it.
 */
export async function listScreenshots(
  db: Database,
  images: HandedImage[],
): Promise<ScreenshotView[]> {
  const files = await listRenderedFiles(db, isScreenshotFile(images));
  const listed = images.map(({ id, href, annotation: caption }, index) => {
    const file = files.find(({ bucket, path }) => getFileAddress(bucket, path) === href);
    if (!file) return null;
    const { width = 0, height = 0, bands = [] } = file.pages[0] ?? {};
    const { isComing } = getRenderProgress(file, file.pages.length);
    return { id, number: index + 1, caption, href: href!, width, height, bands, isComing };
  });
  return listed.filter((one) => one !== null);
}

type Page = Omit<PageView, "part">;

/** Lists stored files with their rendering state and the pages rendered so far. */
async function listRenderedFiles(db: Database, condition: SQL) {
  const files = await db
    .select({
      id: storedFiles.id,
      bucket: storedFiles.bucket,
      path: storedFiles.path,
      mimeType: storedFiles.mimeType,
      state: renderedFiles.state,
      pageCount: renderedFiles.pageCount,
      problem: renderedFiles.problem,
    })
    .from(storedFiles)
    .leftJoin(renderedFiles, isCurrent)
    .where(condition);
  return Promise.all(
    files.map(async (file) => {
      const pages = await listFilePages(db, file.id);
      return { ...file, pages: pages.map((page) => ({ ...page, ...getPixels(file, page) })) };
    }),
  );
}

/** Returns the width of a page's large picture. Those of documents all have the same. */
function getPixels({ mimeType }: { mimeType: string }, { width }: Page): Pick<Page, "pixels"> {
  if (findRenderableKind(mimeType) === "pdf") return {};
  return { pixels: Math.min(pictureWidths.large, Math.round(width / pointsOfPixel)) };
}

const isCurrent = and(
  eq(renderedFiles.fileId, storedFiles.id),
  eq(renderedFiles.renderer, rendererVersion),
);

type Rendering = {
  mimeType: string;
  state: (typeof renderedFiles.$inferSelect)["state"] | null;
  pageCount: number | null;
  problem: string | null;
};

function getRenderProgress(file: Rendering | undefined, there: number) {
  const pageCount = file?.pageCount ?? null;
  if (!file || !findRenderableKind(file.mimeType))
    return { pageCount, isComing: false, notice: missingPages.notRenderable };
  if (file.state === "failed") return { pageCount, isComing: false, notice: file.problem };
  if (file.state === "done")
    return { pageCount, isComing: false, notice: formatCutNotice(pageCount) };
  const of = pageCount === null ? null : Math.min(pageCount, maxPages);
  const notice =
    of === null ? "Preparing pages…" : `Preparing page ${Math.min(there + 1, of)} of ${of}…`;
  return { pageCount, isComing: true, notice };
}

function formatCutNotice(pageCount: number | null): string | null {
  if (pageCount === null || pageCount <= maxPages) return null;
  return `The first ${maxPages} of ${pageCount} pages are shown. Open the file for the others.`;
}

async function listFilePages(db: Database, fileId: string): Promise<Page[]> {
  const rows = await db
    .select({
      number: reviewPages.number,
      width: reviewPages.width,
      height: reviewPages.height,
      bands: reviewPages.bands,
    })
    .from(reviewPages)
    .where(isPageOfFile(fileId))
    .orderBy(asc(reviewPages.number));
  return rows.map(({ bands, ...page }) => ({
    ...page,
    bands: bands.map((position, band) => ({
      ...position,
      large: getPictureAddress({ fileId, page: page.number, band, width: "large" }),
      small: getPictureAddress({ fileId, page: page.number, band, width: "small" }),
    })),
  }));
}

function isPageOfFile(fileId: string) {
  return and(eq(reviewPages.fileId, fileId), eq(reviewPages.renderer, rendererVersion));
}

/** Lists the texts of a part's pages in order, with the boxes of their words; empty without a file. */
export async function listPageTexts(
  db: Database,
  review: HandedIn,
  part: Part,
): Promise<({ number: number } & PageText)[]> {
  const rows = await db
    .select({ number: reviewPages.number, text: reviewPages.text })
    .from(reviewPages)
    .innerJoin(storedFiles, eq(storedFiles.id, reviewPages.fileId))
    .where(and(isFileOfPart(review, part), eq(reviewPages.renderer, rendererVersion)))
    .orderBy(asc(reviewPages.number));
  return rows.map(({ number, text }) => ({ number, ...text }));
}

/** Finds the text of one page with the boxes of its words; null if the page is not rendered. */
export async function findPageText(
  db: Database,
  review: HandedIn,
  part: Part,
  number: number,
): Promise<PageText | null> {
  const [row] = await db
    .select({ text: reviewPages.text })
    .from(reviewPages)
    .innerJoin(storedFiles, eq(storedFiles.id, reviewPages.fileId))
    .where(
      and(
        isFileOfPart(review, part),
        eq(reviewPages.renderer, rendererVersion),
        eq(reviewPages.number, number),
      ),
    );
  return row?.text ?? null;
}

function isFileOfPart(review: HandedIn, part: Part): SQL {
  return isFileAtAny([findPartFile(review, part)]);
}

export const renderPagesTask = { name: "render-pages" };
export type RenderPagesData = { fileId: string };

/** The parts of a review that can have pages. */
export type HandedIn = Pick<
  typeof serviceReviews.$inferSelect,
  "resumeFilePath" | "portfolioFilePath"
>;

/**
 * An unfinished file without progress for this long was lost: in a crash, with the queue, or in a restore.
 */
const lostAfter = 10 * minute;

/**
 * Queues the rendering of a review's pages in the given transaction, unless they exist or are queued. It is
 * idempotent, and safe to call on every view. It needs no permission, since only `listPages` shows the
 * result.
 */
export function ensurePages(db: Database, review: HandedIn): Promise<void> {
  return ensureRendered(db, isFileOfReview(review));
}

/** Queues the rendering of a review's pages and screenshots by its id. An unknown id is ignored. */
export async function ensureReviewPages(db: Database, reviewId: string): Promise<void> {
  const review = isUuid(reviewId) ? await findHandedInFiles(db, reviewId) : null;
  if (!review) return;
  const images = await listHandedImages(db, reviewId);
  await ensureRendered(db, or(isFileOfReview(review), isScreenshotFile(images))!);
}

/** Finds the files of a review; null without any. Check permission before calling it. */
export async function findHandedInFiles(db: Database, reviewId: string): Promise<HandedIn | null> {
  const [review] = await db
    .select({
      resumeFilePath: serviceReviews.resumeFilePath,
      portfolioFilePath: serviceReviews.portfolioFilePath,
    })
    .from(serviceReviews)
    .where(eq(serviceReviews.id, reviewId));
  return review ?? null;
}

async function ensureRendered(db: Database, condition: SQL): Promise<void> {
  const isLost = and(
    inArray(renderedFiles.state, ["waiting", "rendering"]),
    lt(renderedFiles.touchedAt, new Date(now().getTime() - lostAfter)),
  );
  const current = db
    .select({ one: sql`1` })
    .from(renderedFiles)
    .where(and(isCurrent, sql`(${isLost}) is not true`));
  await db.transaction(async (tx) => {
    const files = await tx
      .select({ id: storedFiles.id, mimeType: storedFiles.mimeType })
      .from(storedFiles)
      .where(and(condition, notExists(current)))
      // A fixed order prevents deadlocks between concurrent calls.
      .orderBy(storedFiles.id);
    const values = files
      .filter(({ mimeType }) => findRenderableKind(mimeType))
      .map(({ id }) => ({
        fileId: id,
        renderer: rendererVersion,
        state: "waiting" as const,
        touchedAt: now(),
      }));
    if (values.length === 0) return;
    const queued = await tx
      .insert(renderedFiles)
      .values(values)
      .onConflictDoUpdate({
        target: [renderedFiles.fileId, renderedFiles.renderer],
        set: { state: "waiting", touchedAt: now() },
        setWhere: isLost,
      })
      .returning({ fileId: renderedFiles.fileId });
    for (const { fileId } of queued)
      await queueTask<RenderPagesData>(tx, renderPagesTask, { fileId });
  });
}

/** Finds the file of a part; null without one. */
export function findPartFile(review: HandedIn, part: Part) {
  const bucket = part === "resume" ? ("resumes" as const) : ("portfolios" as const);
  const path = part === "resume" ? review.resumeFilePath : review.portfolioFilePath;
  return path === null ? null : { bucket, path };
}

/** True in SQL for the files of a review; false for one without any. */
export function isFileOfReview(review: HandedIn): SQL {
  return isFileAtAny([findPartFile(review, "resume"), findPartFile(review, "portfolio")]);
}

/** True in SQL for the files of screenshots. Pictures on other sites are never fetched. */
function isScreenshotFile(images: HandedImage[]): SQL {
  return isFileAtAny(images.map(({ href }) => readFileAddress(href ?? "")));
}

function isFileAtAny(locations: ({ bucket: Bucket; path: string } | null)[]): SQL {
  const any = or(
    ...locations
      .filter((location) => location !== null)
      .map(({ bucket, path }) => and(eq(storedFiles.bucket, bucket), eq(storedFiles.path, path))),
  );
  return any ?? sql`false`;
}
