import { and, desc, eq, lt, notExists, or, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import type { Bucket } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { day, formatMonthDay, formatTime, now, toIsoDay } from "../../platform/clock.ts";
import { type Database, deleteRowsInSteps, isUuid } from "../../platform/database.server.ts";
import { fileViews, serviceReviews } from "../tables.server.ts";

/** One view of a file, as its customer reads it. */
type FileView = { id: string; text: string };

/** The newest views that a review shows. */
const maxListed = 20;

/** True in SQL for the files that a review's customer handed in. */
const isHandedIn = or(
  and(eq(storedFiles.bucket, "resumes"), eq(storedFiles.path, serviceReviews.resumeFilePath)),
  and(eq(storedFiles.bucket, "portfolios"), eq(storedFiles.path, serviceReviews.portfolioFilePath)),
);

/**
 * Records that a review's reviewer opened the customer's files in the workspace. Check permission before calling it. The
 * second view of a day writes nothing.
 */
export async function recordReviewViews(
  db: Database,
  actor: { id: string },
  reviewId: string,
): Promise<void> {
  const files = await db
    .select({ fileId: storedFiles.id })
    .from(serviceReviews)
    .innerJoin(storedFiles, isHandedIn)
    .where(eq(serviceReviews.id, reviewId));
  await recordViews(db, actor, files, "reviewer");
}

/** The same for a customer's file that its reviewer or an admin downloads. Their own files don't count. */
export async function recordFileView(
  db: Database,
  actor: Pick<Actor, "id" | "isGodAdmin" | "isReviewer">,
  { bucket, path }: { bucket: Bucket; path: string },
): Promise<void> {
  if (bucket !== "resumes" && bucket !== "portfolios") return;
  if (!actor.isGodAdmin && !actor.isReviewer) return;
  const files = await db
    .select({ fileId: storedFiles.id })
    .from(storedFiles)
    .where(
      and(
        eq(storedFiles.bucket, bucket),
        eq(storedFiles.path, path),
        sql`${storedFiles.uploadedBy} is distinct from ${actor.id}`,
        // Imported files have no uploader.
        notExists(
          db
            .select({ id: serviceReviews.id })
            .from(serviceReviews)
            .where(and(isHandedIn, eq(serviceReviews.userId, actor.id))),
        ),
      ),
    );
  await recordViews(db, actor, files, actor.isGodAdmin ? "admin" : "reviewer");
}

async function recordViews(
  db: Database,
  { id: viewerId }: { id: string },
  files: { fileId: string }[],
  openedAs: (typeof fileViews.$inferSelect)["openedAs"],
): Promise<void> {
  if (files.length === 0) return;
  const at = now();
  const rows = files.map(({ fileId }) => ({ fileId, viewerId, openedAs, day: toIsoDay(at), at }));
  await db.insert(fileViews).values(rows).onConflictDoNothing();
}

const parts = { resumes: "Resume", portfolios: "Portfolio file" } as const;
const viewers = { reviewer: "your reviewer", admin: "our team" };

/** Lists the views of the files of the actor's own review, newest first. Another person's review has none. */
export async function listOwnFileViews(
  db: Database,
  actor: { id: string },
  reviewId: string,
): Promise<FileView[]> {
  if (!isUuid(reviewId)) return [];
  const rows = await db
    .select({
      id: fileViews.id,
      at: fileViews.at,
      openedAs: fileViews.openedAs,
      bucket: storedFiles.bucket,
    })
    .from(serviceReviews)
    .innerJoin(storedFiles, isHandedIn)
    .innerJoin(fileViews, eq(fileViews.fileId, storedFiles.id))
    .where(and(eq(serviceReviews.id, reviewId), eq(serviceReviews.userId, actor.id)))
    .orderBy(desc(fileViews.at), desc(fileViews.id))
    .limit(maxListed);
  return rows.map(({ id, at, openedAs, bucket }) => ({
    id,
    text: `${parts[bucket as keyof typeof parts]}: Opened by ${viewers[openedAs]}, ${formatMonthDay(at)}, ${formatTime(at)}`,
  }));
}

const maxAge = 365 * day;

/** Deletes views that are more than a year old. @returns their number */
export function deleteOldFileViews(db: Database): Promise<number> {
  return deleteRowsInSteps(
    db,
    fileViews,
    fileViews.id,
    lt(fileViews.at, new Date(now().getTime() - maxAge)),
  );
}
