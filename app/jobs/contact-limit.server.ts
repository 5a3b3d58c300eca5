import { and, eq } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { type Actor, currentActor } from "../accounts/actor.server.ts";
import { permissions } from "../accounts/permissions.server.ts";
import { appContext, requestFacts } from "../platform/app-context.server.ts";
import { day, now } from "../platform/clock.ts";
import { isUuid } from "../platform/database.server.ts";
import { TooMany } from "../platform/errors.ts";
import { type Counting, countTry } from "../platform/rate-limit.server.ts";
import { rateLimits } from "../platform/tables.server.ts";

/** The number of different jobs whose contacts an account sees in a day, so that no one collects them all. */
export const contactsPerDay = { name: "job-contacts", max: 200, windowMs: day };

/**
 * Counts that a person sees the contact of a job today. Staff of the board have no limit.
 *
 * @returns false if they have seen those of too many other jobs
 */
export async function countContactView(
  counting: Counting,
  reader: Actor,
  jobId: string,
): Promise<boolean> {
  const isLimited = counting.config.rateLimits === "on" && !permissions["job.check"](reader);
  if (!isLimited || !isUuid(jobId)) return true;
  const moment = now().getTime();
  const view = {
    key: `job-contact:${reader.id}:${jobId.toLowerCase()}`,
    windowStart: new Date(moment - (moment % day)),
  };
  const [isNew] = await counting.db
    .insert(rateLimits)
    .values({ ...view, count: 1 })
    .onConflictDoNothing()
    .returning({ key: rateLimits.key });
  if (!isNew) return true;
  try {
    await countTry(counting, contactsPerDay, reader.id);
    return true;
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    const isView = and(eq(rateLimits.key, view.key), eq(rateLimits.windowStart, view.windowStart));
    await counting.db.delete(rateLimits).where(isView);
    return false;
  }
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
