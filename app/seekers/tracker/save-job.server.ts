import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { lockPerson } from "../../accounts/session.server.ts";
import { countPress } from "../../jobs/figures/figures.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { now, toIsoDay } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { listingPrefix, maxTrackedJobs, trackerMessages, type TrackerState } from "./rules.ts";
import { trackedEvents, trackedJobs } from "./tables.server.ts";

/** A listing in the actor's list. `isNew` is false if it was there before. */
export type SavedJob = { state: TrackerState; isNew: boolean };

type NewJob = Pick<typeof trackedJobs.$inferInsert, "jobId" | "title" | "company"> & {
  place: string;
  url: string;
  state: TrackerState;
};

/**
 * Adds an open listing to the actor's list. A listing that is there keeps its state, except that "applied" moves it on
 * from "saved". Without a date, "applied" gets today's date in India.
 *
 * @throws {NotFound} for a listing that is neither in the list nor open
 * @throws {Conflict} when the list is full
 */
export async function saveJob(
  db: Database,
  actor: Actor | null,
  { jobId, state }: { jobId: string; state: "saved" | "applied" },
): Promise<SavedJob> {
  authorize(actor, "tracker.keep");
  if (!isUuid(jobId)) throw new NotFound(jobNotFound);
  return db.transaction(async (tx) => {
    await lockPerson(tx, actor.id);
    const [tracked] = await tx
      .select({ id: trackedJobs.id, state: trackedJobs.state, appliedOn: trackedJobs.appliedOn })
      .from(trackedJobs)
      .where(isOwnListing(actor, jobId));
    if (tracked) {
      if (state !== "applied" || tracked.state !== "saved")
        return { state: tracked.state, isNew: false };
      await moveSavedJob(tx, tracked);
      return { state, isNew: true };
    }
    const [listing] = await tx
      .select({ title: jobs.title, company: jobs.company, place: jobs.location })
      .from(jobs)
      .where(and(eq(jobs.id, jobId), isOpen))
      .for("key share");
    if (!listing) throw new NotFound(jobNotFound);
    await insertTrackedJob(tx, actor, {
      ...listing,
      jobId,
      state,
      url: listingPrefix + jobId,
    });
    await countPress(tx, jobId, "saves");
    return { state, isNew: true };
  });
}

const jobNotFound = "Job Not Found";

function isOwnListing(actor: Actor, jobId: string) {
  return and(eq(trackedJobs.userId, actor.id), eq(trackedJobs.jobId, jobId));
}

async function moveSavedJob(
  tx: Database,
  { id, appliedOn }: { id: string; appliedOn: string | null },
): Promise<void> {
  const at = now();
  const { rowCount } = await tx
    .update(trackedJobs)
    .set({
      state: "applied",
      appliedOn: appliedOn ?? toIsoDay(at),
      version: sql`${trackedJobs.version} + 1`,
      updatedAt: at,
    })
    .where(and(eq(trackedJobs.id, id), eq(trackedJobs.state, "saved")));
  if (rowCount) await tx.insert(trackedEvents).values({ trackedJobId: id, state: "applied", at });
}

/**
 * Inserts a job into a person's list, with its first event. The caller has locked the person, which makes the limit
 * exact.
 *
 * @returns its id
 * @throws {Conflict} when the list is full
 */
export async function insertTrackedJob(
  tx: Database,
  { id: userId }: { id: string },
  job: NewJob,
): Promise<string> {
  await checkRoomInList(tx, userId);
  const at = now();
  const [row] = await tx
    .insert(trackedJobs)
    .values({
      ...job,
      userId,
      appliedOn: job.state === "applied" ? toIsoDay(at) : null,
      createdAt: at,
      updatedAt: at,
    })
    .returning({ id: trackedJobs.id });
  await tx.insert(trackedEvents).values({ trackedJobId: row!.id, state: job.state, at });
  return row!.id;
}

/** @throws {Conflict} when the person's list is full */
export async function checkRoomInList(tx: Database, userId: string): Promise<void> {
  const count = await tx.$count(trackedJobs, eq(trackedJobs.userId, userId));
  if (count >= maxTrackedJobs) throw new Conflict(trackerMessages.full);
}

/**
 * Removes a listing from the actor's list again, if nothing was changed there since. Does nothing if it isn't in the
 * list.
 *
 * @throws {Conflict} for a job with details, which its own screen removes
 */
export async function removeSavedJob(
  db: Database,
  actor: Actor | null,
  { jobId }: { jobId: string },
): Promise<void> {
  authorize(actor, "tracker.keep");
  if (!isUuid(jobId)) return;
  const isOwn = isOwnListing(actor, jobId);
  const { rowCount } = await db.delete(trackedJobs).where(and(isOwn, eq(trackedJobs.version, 0)));
  if (rowCount === 0 && (await db.$count(trackedJobs, isOwn)) > 0)
    throw new Conflict(trackerMessages.detailed);
}
