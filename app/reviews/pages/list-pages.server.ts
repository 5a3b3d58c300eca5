import { and, asc, eq, type SQL } from "drizzle-orm";
import type { PageText } from "../../files/inspect/pdfium-page.server.ts";
import {
  missingPages,
  mostPages,
  pictureAddress,
  renderableKind,
  rendererVersion,
} from "../../files/render/rendering.ts";
import { fileAddress } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import type { HandedImage } from "../handed-back.server.ts";
import type { PageView, ScreenshotView } from "../remarks/rules.ts";
import type { Part } from "../rubric.ts";
import { type HandedIn, isHandedIn, isScreenshot, placeOf } from "./ensure-pages.server.ts";
import { renderedFiles, reviewPages } from "./tables.server.ts";

/** What there is to see of one part of a review. */
export type PartPages = {
  part: Part;
  /** Those that are rendered, in their order; more may come while `isComing`. */
  pages: PageView[];
  /** How many the file has; null while that is not known. */
  pageCount: number | null;
  isComing: boolean;
  /** Why not all are there, in whole sentences; null when they are. */
  notice: string | null;
};

const parts = ["resume", "portfolio"] as const;

/** The pages of each file that was handed in with a review, the resume first. Who may see it was decided before. */
export async function listPages(db: Database, review: HandedIn): Promise<PartPages[]> {
  const files = await listRendered(db, isHandedIn(review));
  const listed = parts.map((part) => {
    const place = placeOf(review, part);
    if (!place) return null;
    const file = files.find(
      ({ bucket, path, mimeType }) =>
        bucket === place.bucket &&
        path === place.path &&
        // What is shown itself has no pages.
        renderableKind(mimeType) !== "original",
    );
    const pages = (file?.pages ?? []).map((page) => ({ part, ...page }));
    return { part, pages, ...progress(file, pages.length) };
  });
  return listed.filter((one) => one !== null);
}

/**
 * What a reviewer gave back as pictures and of what remarks may be made, in the given order. Pictures that
 * lie elsewhere are never fetched by us, and so are none of them. Who may see them was decided before.
 */
export async function listScreenshots(
  db: Database,
  images: HandedImage[],
): Promise<ScreenshotView[]> {
  const files = await listRendered(db, isScreenshot(images));
  const listed = images.map(({ id, href, annotation: caption }, index) => {
    const file = files.find(({ bucket, path }) => fileAddress(bucket, path) === href);
    if (!file) return null;
    const { width = 0, height = 0, bands = [] } = file.pages[0] ?? {};
    const { isComing } = progress(file, file.pages.length);
    return { id, number: index + 1, caption, href: href!, width, height, bands, isComing };
  });
  return listed.filter((one) => one !== null);
}

type Page = Omit<PageView, "part">;

/** Stored files with how far they are rendered, and their pages so far. */
async function listRendered(db: Database, wanted: SQL) {
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
    .where(wanted);
  return Promise.all(files.map(async (file) => ({ ...file, pages: await pagesOf(db, file.id) })));
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

function progress(
  file: Rendering | undefined,
  there: number,
): Pick<PartPages, "pageCount" | "isComing" | "notice"> {
  const pageCount = file?.pageCount ?? null;
  if (!file || !renderableKind(file.mimeType))
    return { pageCount, isComing: false, notice: missingPages.notRenderable };
  if (file.state === "failed") return { pageCount, isComing: false, notice: file.problem };
  if (file.state === "done") return { pageCount, isComing: false, notice: cutNotice(pageCount) };
  const of = pageCount === null ? null : Math.min(pageCount, mostPages);
  const notice =
    of === null
      ? "The pages are being made."
      : `Page ${Math.min(there + 1, of)} of ${of} is being made.`;
  return { pageCount, isComing: true, notice };
}

function cutNotice(pageCount: number | null): string | null {
  if (pageCount === null || pageCount <= mostPages) return null;
  return `The first ${mostPages} of ${pageCount} pages are shown. Open the file for the others.`;
}

async function pagesOf(db: Database, fileId: string): Promise<Page[]> {
  const rows = await db
    .select({
      number: reviewPages.number,
      width: reviewPages.width,
      height: reviewPages.height,
      bands: reviewPages.bands,
    })
    .from(reviewPages)
    .where(isOfFile(fileId))
    .orderBy(asc(reviewPages.number));
  return rows.map(({ bands, ...page }) => ({
    ...page,
    bands: bands.map((place, band) => ({
      ...place,
      large: pictureAddress({ fileId, page: page.number, band, width: "large" }),
      small: pictureAddress({ fileId, page: page.number, band, width: "small" }),
    })),
  }));
}

function isOfFile(fileId: string) {
  return and(eq(reviewPages.fileId, fileId), eq(reviewPages.renderer, rendererVersion));
}

/** The text of the pages of a part with the boxes of its words, in the order of pages; none without a file. */
export async function listPageTexts(
  db: Database,
  review: HandedIn,
  part: Part,
): Promise<({ number: number } & PageText)[]> {
  const rows = await db
    .select({ number: reviewPages.number, text: reviewPages.text })
    .from(reviewPages)
    .innerJoin(storedFiles, eq(storedFiles.id, reviewPages.fileId))
    .where(and(isOfPart(review, part), eq(reviewPages.renderer, rendererVersion)))
    .orderBy(asc(reviewPages.number));
  return rows.map(({ number, text }) => ({ number, ...text }));
}

/** The text of one page with the boxes of its words; null while there is no such page. */
export async function pageText(
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
        isOfPart(review, part),
        eq(reviewPages.renderer, rendererVersion),
        eq(reviewPages.number, number),
      ),
    );
  return row?.text ?? null;
}

function isOfPart(review: HandedIn, part: Part) {
  const only = { resumeFilePath: null, portfolioFilePath: null };
  const place = placeOf(review, part);
  if (!place) return isHandedIn(only);
  return isHandedIn(
    part === "resume"
      ? { ...only, resumeFilePath: place.path }
      : { ...only, portfolioFilePath: place.path },
  );
}
