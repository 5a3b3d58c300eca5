import { and, eq, exists, gt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Bucket } from "../files/rules.ts";
import { storedFiles } from "../files/tables.server.ts";
import { day, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { originalDays } from "./black-out.ts";
import { blackOuts, reviewAssignments, serviceReviews } from "./tables.server.ts";

/** The blacked-out copy of a file, in conditions about its original. */
export const copies = alias(storedFiles, "copies");

/** True in SQL if the file of `storedFiles` has a blacked-out copy for which this condition is true. */
export function hasCopy(db: Database, condition?: SQL): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(blackOuts)
      .innerJoin(copies, eq(copies.id, blackOuts.copyFileId))
      .where(and(eq(blackOuts.originalFileId, storedFiles.id), condition)),
  );
}

/** True in SQL for reviews whose originals stay: open ones, and those that ended less than 30 days ago. */
export function isOriginalKept(db: Database): SQL {
  const since = new Date(now().getTime() - originalDays * day);
  const isOver = and(
    eq(reviewAssignments.reviewId, serviceReviews.id),
    sql`${reviewAssignments.completedAt} <= ${since.toISOString()}`,
  );
  const ended = exists(
    db
      .select({ one: sql`1` })
      .from(reviewAssignments)
      .where(isOver),
  );
  return sql`(not (${serviceReviews.status} = 'completed' and ${ended})
    and coalesce(${gt(serviceReviews.withdrawnAt, since)}, true))`;
}

/** Checks whether a file is a blacked-out copy, which has no text. */
export async function isBlackedOut(
  db: Database,
  { bucket, path }: { bucket: Bucket; path: string },
): Promise<boolean> {
  const rows = await db
    .select({ id: blackOuts.id })
    .from(blackOuts)
    .innerJoin(copies, eq(copies.id, blackOuts.copyFileId))
    .where(and(eq(copies.bucket, bucket), eq(copies.path, path)));
  return rows.length > 0;
}
