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
 * Queues the pages of one of the demonstration's reviews: of those without pages, the one that a visitor is most
 * likely to open first. Queued are the files of one review at a time, so that what a visitor opens or buys meanwhile
 * waits for one review and not for all of them.
 */
export async function queueNextDemoPages(db: Database): Promise<void> {
  const [next] = await db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(and(inArray(users.email, emails), exists(missing(db))))
    .orderBy(
      // The people that visitors can act as come first, in the order of their list.
      sql`array_position(${sql.param(actors)}::text[], ${users.email})`,
      // Customers open completed reviews; reviewers and admins those and the ones under way.
      sql`array_position(array['completed', 'under_review', 'pending'], ${serviceReviews.status})`,
      desc(serviceReviews.createdAt),
    )
    .limit(1);
  if (next) await ensureReviewPages(db, next.id);
}

/** The rendering task, which goes on with the demonstration's reviews whenever no file waits any more. */
export function thenDemoPages<Data extends object>(rendering: Task<Data>): Task<Data> {
  return {
    ...rendering,
    async run(data, app) {
      await rendering.run(data, app);
      if (!(await isFileWaiting(app.db))) await queueNextDemoPages(app.db);
    },
  };
}

/** Files of a review that nothing has queued yet. All of the demonstration's are PDFs. */
function missing(db: Database) {
  const { resumeFilePath, portfolioFilePath } = serviceReviews;
  const isHandedIn = or(
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
    .where(and(isHandedIn, eq(storedFiles.mimeType, "application/pdf"), notExists(queued)));
}

/** A file that has waited longer has lost its place in the queue, so the next review does not wait for it. */
const longestWait = 10 * minute;

async function isFileWaiting(db: Database): Promise<boolean> {
  const since = new Date(now().getTime() - longestWait);
  const waiting = await db
    .select({ one: sql`1` })
    .from(renderedFiles)
    .where(and(eq(renderedFiles.state, "waiting"), gt(renderedFiles.touchedAt, since)))
    .limit(1);
  return waiting.length > 0;
}
