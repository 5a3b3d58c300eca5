import { and, eq, inArray, lt, notExists, or, type SQL, sql } from "drizzle-orm";
import { renderableKind, rendererVersion } from "../../files/render/rendering.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { minute, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { enqueue } from "../../platform/tasks.server.ts";
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
export async function ensurePages(db: Database, review: HandedIn): Promise<void> {
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
      .where(and(isHandedIn(review), notExists(begun)))
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

/** The same for a review of which only the id is known; one that is not there has no pages. */
export async function ensurePagesOf(db: Database, reviewId: string): Promise<void> {
  const [review] = await db
    .select({
      resumeFilePath: serviceReviews.resumeFilePath,
      portfolioFilePath: serviceReviews.portfolioFilePath,
    })
    .from(serviceReviews)
    .where(eq(serviceReviews.id, reviewId));
  if (review) await ensurePages(db, review);
}

/** Where the file of a part lies; null for a part that has none. */
export function placeOf(review: HandedIn, part: Part) {
  const bucket = part === "resume" ? ("resumes" as const) : ("portfolios" as const);
  const path = part === "resume" ? review.resumeFilePath : review.portfolioFilePath;
  return path === null ? null : { bucket, path };
}

/** True in SQL for the files of a review; false for one without any. */
export function isHandedIn(review: HandedIn): SQL {
  const places = [placeOf(review, "resume"), placeOf(review, "portfolio")];
  const any = or(
    ...places
      .map(
        (place) =>
          place && and(eq(storedFiles.bucket, place.bucket), eq(storedFiles.path, place.path)),
      )
      .filter((condition) => condition !== null),
  );
  return any ?? sql`false`;
}
