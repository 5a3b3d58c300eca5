import { and, eq, inArray, lt, notExists, or, type SQL, sql } from "drizzle-orm";
import { renderableKind, rendererVersion } from "../../files/render/rendering.ts";
import { type Bucket, readFileAddress } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { minute, now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { enqueue } from "../../platform/tasks.server.ts";
import { type HandedImage, listImages } from "../handed-back.server.ts";
import type { Part } from "../rubric.ts";
import { serviceReviews } from "../tables.server.ts";
import { renderedFiles } from "./tables.server.ts";

/** The queue of files to be rendered. */
export const renderPagesTask = { name: "render-pages" };
export type RenderPagesData = { fileId: string };

/** What of a review may have pages. */
export type HandedIn = Pick<
  typeof serviceReviews.$inferSelect,
  "resumeFilePath" | "portfolioFilePath"
>;

/**
 * So long after its last page, or since it was queued, a file that is not done was lost: in a crash, with
 * the queue, or in a restore.
 */
const lostAfter = 10 * minute;

/**
 * Has the pages of a review rendered, unless they are or soon will be: queued in the given transaction. It may
 * be called at every look, by several at once. It asks nobody's permission, since it changes nothing that
 * anybody sees but by `listPages`.
 */
export function ensurePages(db: Database, review: HandedIn): Promise<void> {
  return ensureRendered(db, isHandedIn(review));
}

/**
 * The same for a review of which only the id is known, and for its screenshots; one that is not there has
 * no pages.
 */
export async function ensurePagesOf(db: Database, reviewId: string): Promise<void> {
  if (!isUuid(reviewId)) return;
  const [review] = await db
    .select({
      resumeFilePath: serviceReviews.resumeFilePath,
      portfolioFilePath: serviceReviews.portfolioFilePath,
    })
    .from(serviceReviews)
    .where(eq(serviceReviews.id, reviewId));
  if (!review) return;
  const images = await listImages(db, reviewId);
  await ensureRendered(db, or(isHandedIn(review), isScreenshot(images))!);
}

async function ensureRendered(db: Database, wanted: SQL): Promise<void> {
  const isLost = and(
    inArray(renderedFiles.state, ["waiting", "rendering"]),
    lt(renderedFiles.touchedAt, new Date(now().getTime() - lostAfter)),
  );
  const isCurrent = and(
    eq(renderedFiles.fileId, storedFiles.id),
    eq(renderedFiles.renderer, rendererVersion),
  );
  const begun = db
    .select({ one: sql`1` })
    .from(renderedFiles)
    .where(and(isCurrent, sql`(${isLost}) is not true`));
  await db.transaction(async (tx) => {
    const files = await tx
      .select({ id: storedFiles.id, mimeType: storedFiles.mimeType })
      .from(storedFiles)
      .where(and(wanted, notExists(begun)))
      // Two at once take the rows in one order, so that neither waits for the other in a ring.
      .orderBy(storedFiles.id);
    const values = files
      .filter(({ mimeType }) => renderableKind(mimeType))
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
      await enqueue<RenderPagesData>(tx, renderPagesTask, { fileId });
  });
}

/** Where the file of a part lies; null for a part that has none. */
export function placeOf(review: HandedIn, part: Part) {
  const bucket = part === "resume" ? ("resumes" as const) : ("portfolios" as const);
  const path = part === "resume" ? review.resumeFilePath : review.portfolioFilePath;
  return path === null ? null : { bucket, path };
}

/** True in SQL for the files of a review; false for one without any. */
export function isHandedIn(review: HandedIn): SQL {
  return liesAt([placeOf(review, "resume"), placeOf(review, "portfolio")]);
}

/** True in SQL for the files behind screenshots. Those that lie elsewhere are never fetched. */
export function isScreenshot(images: HandedImage[]): SQL {
  return liesAt(images.map(({ href }) => readFileAddress(href ?? "")));
}

function liesAt(places: ({ bucket: Bucket; path: string } | null)[]): SQL {
  const any = or(
    ...places
      .filter((place) => place !== null)
      .map(({ bucket, path }) => and(eq(storedFiles.bucket, bucket), eq(storedFiles.path, path))),
  );
  return any ?? sql`false`;
}
