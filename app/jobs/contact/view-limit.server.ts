import type { MiddlewareFunction } from "react-router";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { permissions } from "../../accounts/permissions.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { day, now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { TooMany } from "../../platform/errors.ts";
import { type Counting, countTry } from "../../platform/rate-limit.server.ts";
import { rateLimits } from "../../platform/tables.server.ts";
import { countPress } from "../figures/figures.server.ts";

/** The number of different jobs whose contacts an account sees in a day, so that no one collects them all. */
export const maxContactsPerDay = { name: "job-contacts", max: 200, windowMs: day };

/**
 * Counts that a person sees the contact of a job today, also for the company's figures. Staff of the board have no limit
 * and count nothing.
 *
 * @returns false if they have seen those of too many other jobs
 */
export async function countContactView(
  counting: Counting,
  reader: Actor,
  jobId: string,
): Promise<boolean> {
  if (permissions["job.check"](reader) || !isUuid(jobId)) return true;
  try {
    return await counting.db.transaction(async (tx) => {
      // A refused view is rolled back with its mark. A concurrent view of the same job waits for that.
      if (await insertView(tx, reader, jobId)) {
        await countTry({ ...counting, db: tx }, maxContactsPerDay, reader.id);
        await countPress(tx, jobId, "contact");
      }
      return true;
    });
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    return false;
  }
}

/** Returns false if the person has seen the contact of this job today. */
async function insertView(tx: Database, reader: Actor, jobId: string): Promise<boolean> {
  const moment = now().getTime();
  const marked = await tx
    .insert(rateLimits)
    .values({
      key: `job-contact:${reader.id}:${jobId.toLowerCase()}`,
      windowStart: new Date(moment - (moment % day)),
      count: 1,
    })
    .onConflictDoNothing()
    .returning({ key: rateLimits.key });
  return marked.length > 0;
}

/** Marks a request for a job whose contact this person may not see today. A page for all is counted where it is sent. */
export const limitContactViews: MiddlewareFunction<Response> = async (
  { params, context },
  next,
) => {
  const actor = context.get(currentActor);
  const facts = context.get(requestFacts);
  if (actor && params.jobId && !facts.isForEveryone)
    facts.hidesContact = !(await countContactView(context.get(appContext), actor, params.jobId));
  return next();
};
