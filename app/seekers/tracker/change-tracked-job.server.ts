import { asc, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { lockPerson } from "../../accounts/session.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { now, toIsoDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import type { removedJob } from "./forms.server.ts";
import {
  isFoundElsewhere,
  maxRestoredEvents,
  trackerMessages,
  type TrackerState,
} from "./rules.ts";
import { findCompanyKey, lockTrackedJob } from "./replies.server.ts";
import { checkRoomInList, insertTrackedJob } from "./save-job.server.ts";
import { replyAnswers, trackedEvents, trackedJobs } from "./tables.server.ts";

/** The facts of a job that was found elsewhere. */
type OwnJobFields = { title: string; company: string; place: string; url: string };

/**
 * Adds a job that was found elsewhere to the actor's list. Without a date, "applied" gets today's date in India.
 *
 * @returns its id
 * @throws {Conflict} when the list is full
 */
export async function addTrackedJob(
  db: Database,
  actor: Actor | null,
  fields: OwnJobFields & { state: TrackerState },
): Promise<string> {
  authorize(actor, "tracker.keep");
  return db.transaction(async (tx) => {
    await lockPerson(tx, actor.id);
    return insertTrackedJob(tx, actor, { ...fields, jobId: null });
  });
}

/** A change of a job. Absent fields stay as they are, and so do the facts of a listing from the board. */
type TrackedJobChange = Partial<OwnJobFields> & {
  id: string;
  /** The version that the actor saw. */
  version: number;
  state: TrackerState;
  appliedOn?: string | null;
  nextStepOn?: string | null;
  notes?: string;
};

/**
 * Changes one of the actor's jobs. A move to "applied" without a date gets today's date in India.
 *
 * @throws {Conflict} with the code "changed" when the job has another version
 * @throws {NotFound} when it isn't in the actor's list
 */
export async function changeTrackedJob(
  db: Database,
  actor: Actor | null,
  { id, version, title, company, place, url, ...change }: TrackedJobChange,
): Promise<void> {
  authorize(actor, "tracker.keep");
  await db.transaction(async (tx) => {
    const before = await lockTrackedJob(tx, actor, id);
    if (before.version !== version)
      throw new Conflict(trackerMessages.changed, { code: "changed" });
    const at = now();
    const isMoved = before.state !== change.state;
    const appliedOn = change.appliedOn === undefined ? before.appliedOn : change.appliedOn;
    await tx
      .update(trackedJobs)
      .set({
        ...change,
        ...(isFoundElsewhere(before) && { title, company, place, url }),
        appliedOn: isMoved && change.state === "applied" ? (appliedOn ?? toIsoDay(at)) : appliedOn,
        version: version + 1,
        updatedAt: at,
      })
      .where(eq(trackedJobs.id, id));
    if (isMoved)
      await tx.insert(trackedEvents).values({ trackedJobId: id, state: change.state, at });
  });
}

/** A removed job with the history of its states and the answer about its company, so that it can be restored. */
export type RemovedJob = z.input<typeof removedJob>;

/**
 * Removes one of the actor's jobs, with its history.
 *
 * @returns the job, for {@link restoreTrackedJob}
 * @throws {NotFound} when it isn't in the actor's list
 */
export async function removeTrackedJob(
  db: Database,
  actor: Actor | null,
  { id }: { id: string },
): Promise<RemovedJob> {
  authorize(actor, "tracker.keep");
  return db.transaction(async (tx) => {
    const {
      userId: _userId,
      updatedAt: _updatedAt,
      createdAt,
      askedAt,
      ...job
    } = await lockTrackedJob(tx, actor, id);
    const events = await tx
      .select({ state: trackedEvents.state, at: trackedEvents.at })
      .from(trackedEvents)
      .where(eq(trackedEvents.trackedJobId, id))
      .orderBy(asc(trackedEvents.at), asc(trackedEvents.id));
    const [reply] = await tx
      .select({ outcome: replyAnswers.outcome, at: replyAnswers.at })
      .from(replyAnswers)
      .where(eq(replyAnswers.trackedJobId, id));
    await tx.delete(trackedJobs).where(eq(trackedJobs.id, id));
    const history = events
      .slice(-maxRestoredEvents)
      .map(({ state, at }) => ({ state, at: at.toISOString() }));
    return {
      ...job,
      createdAt: createdAt.toISOString(),
      askedAt: askedAt?.toISOString(),
      history,
      reply: reply && { outcome: reply.outcome, at: reply.at.toISOString() },
    };
  });
}

/**
 * Restores a job that the actor has just removed. Does nothing if it is in the list. A listing that was deleted
 * meanwhile is left out.
 *
 * @throws {Conflict} when the list is full
 */
export async function restoreTrackedJob(
  db: Database,
  actor: Actor | null,
  { history, reply, ...job }: z.output<typeof removedJob>,
): Promise<void> {
  authorize(actor, "tracker.keep");
  await db.transaction(async (tx) => {
    await lockPerson(tx, actor.id);
    await checkRoomInList(tx, actor.id);
    const [listing] = job.jobId
      ? await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, job.jobId)).for("key share")
      : [];
    const [restored] = await tx
      .insert(trackedJobs)
      .values({
        ...job,
        jobId: listing?.id ?? null,
        userId: actor.id,
        version: job.version + 1,
        updatedAt: now(),
      })
      .onConflictDoNothing()
      .returning({ id: trackedJobs.id });
    if (!restored) return;
    if (history.length > 0)
      await tx
        .insert(trackedEvents)
        .values(history.map((event) => ({ ...event, trackedJobId: restored.id })));
    if (reply)
      await tx.insert(replyAnswers).values({
        ...reply,
        companyKey: await findCompanyKey(tx, { ...job, jobId: listing?.id ?? null }),
        trackedJobId: restored.id,
        userId: actor.id,
      });
  });
}
