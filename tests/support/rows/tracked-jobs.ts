import { randomUUID } from "node:crypto";
import { day, now, toIsoDay } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { listingPrefix } from "../../../app/seekers/tracker/rules.ts";
import {
  replyAnswers,
  trackedEvents,
  trackedJobs,
} from "../../../app/seekers/tracker/tables.server.ts";

/** Puts a job into a person's list, by default a saved one that was found elsewhere. @returns its id */
export async function trackedJob(
  db: Database,
  { id: userId }: { id: string },
  fields: Partial<typeof trackedJobs.$inferInsert> = {},
): Promise<string> {
  const at = fields.updatedAt ?? now();
  const [row] = await db
    .insert(trackedJobs)
    .values({
      userId,
      title: "Type Designer",
      company: "Letter Works",
      createdAt: at,
      updatedAt: at,
      ...fields,
    })
    .returning();
  await db.insert(trackedEvents).values({ trackedJobId: row!.id, state: row!.state, at });
  return row!.id;
}

/**
 * Puts a job from the board, for which a person applied, into their list. Its listing was deleted, unless `jobId` names
 * one. @returns its id
 */
export async function application(
  db: Database,
  actor: { id: string },
  daysAgo: number,
  fields: Partial<typeof trackedJobs.$inferInsert> = {},
): Promise<string> {
  return trackedJob(db, actor, {
    state: "applied",
    appliedOn: toIsoDay(new Date(now().getTime() - daysAgo * day)),
    url: listingPrefix + (fields.jobId ?? randomUUID()),
    ...fields,
  });
}

/** Saves a person's answer about one of their jobs, by default today's. */
export async function replyAnswer(
  db: Database,
  { id: userId }: { id: string },
  trackedJobId: string,
  fields: Partial<typeof replyAnswers.$inferInsert> = {},
): Promise<void> {
  await db.insert(replyAnswers).values({
    userId,
    trackedJobId,
    companyKey: "name:letter works",
    outcome: "not-yet",
    at: now(),
    ...fields,
  });
}
