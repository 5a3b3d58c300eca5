import { and, desc, eq, exists, gt, inArray, notExists, or, sql } from "drizzle-orm";
import { users } from "../../app/accounts/tables.server.ts";
import { rendererVersion } from "../../app/files/render/rendering.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { minute, now } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import type { Task } from "../../app/platform/tasks.server.ts";
import { ensureReviewPages } from "../../app/annotations/document-pages/pages.server.ts";
import { renderedFiles } from "../../app/annotations/tables.server.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import { crowd, demoPeople } from "./people.ts";

const actors = demoPeople.map(({ email }) => email);
const emails = [...actors, ...crowd.map(({ email }) => email)];

/**
 * Queues the pages of the demo review without pages that a visitor is most likely to open first. Queues only one
 * review at a time, so that files which a visitor opens or uploads wait for one review at most.
 */
export async function queueNextDemoPages(db: Database): Promise<void> {
  const [next] = await db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(and(inArray(users.email, emails), exists(missing(db))))
    .orderBy(
      // People that visitors can act as come first, in the order of the list.
      sql`array_position(${sql.param(actors)}::text[], ${users.email})`,
      // Customers open completed reviews; reviewers and admins also open those under review.
      sql`array_position(array['completed', 'under_review', 'pending'], ${serviceReviews.status})`,
      desc(serviceReviews.createdAt),
    )
    .limit(1);
  if (next) await ensureReviewPages(db, next.id);
}

/** Extends the rendering task: when no file is waiting, it queues the next demo review. */
export function thenDemoPages<Data extends object>(rendering: Task<Data>): Task<Data> {
  return {
    ...rendering,
    async run(data, app) {
      await rendering.run(data, app);
      if (!(await isFileWaiting(app.db))) await queueNextDemoPages(app.db);
    },
  };
}

/** Selects a review's files that were never queued. All demo files are PDFs. */
function missing(db: Database) {
  const { resumeFilePath, portfolioFilePath } = serviceReviews;
  const isMaterial = or(
    and(eq(storedFiles.bucket, "resumes"), eq(storedFiles.path, resumeFilePath)),
    and(eq(storedFiles.bucket, "portfolios"), eq(storedFiles.path, portfolioFilePath)),
  );
  const queued = db
    .select({ one: sql`1` })
    .from(renderedFiles)
    .where(
      and(eq(renderedFiles.fileId, storedFiles.id), eq(renderedFiles.renderer, rendererVersion)),
    );
  return db
    .select({ one: sql`1` })
    .from(storedFiles)
    .where(and(isMaterial, eq(storedFiles.mimeType, "application/pdf"), notExists(queued)));
}

/** A file that has waited longer was lost by the queue, so the next review does not wait for it. */
const maxWait = 10 * minute;

async function isFileWaiting(db: Database): Promise<boolean> {
  const since = new Date(now().getTime() - maxWait);
  const waiting = await db
    .select({ one: sql`1` })
    .from(renderedFiles)
    .where(and(eq(renderedFiles.state, "waiting"), gt(renderedFiles.touchedAt, since)))
    .limit(1);
  return waiting.length > 0;
}
