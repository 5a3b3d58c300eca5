import { and, eq, ne, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { findJob } from "../../jobs/listing/find-job.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { saveJob } from "../tracker/save-job.server.ts";
import { trackedJobs } from "../tracker/tables.server.ts";
import { buildFirstMessage } from "./rules.ts";

/** A person's reason for wanting one job, and the address of their work, which all jobs share. "" if not written. */
type MessageTexts = { motivation: string; portfolio: string };

/**
 * Finds what the actor needs to write to the contact of an open job.
 *
 * @param origin for the address of the job
 * @returns null if the job isn't open
 */
export async function findFirstMessage(db: Database, actor: Actor, jobId: string, origin: string) {
  const listing = await findJob(db, actor, jobId);
  if (listing.state !== "open") return null;
  const texts = await findMessageTexts(db, actor, jobId);
  const { id, title, company } = listing.job;
  const job = { id, title: cleanLine(title), company: cleanLine(company) };
  return {
    job,
    texts,
    contacts: listing.contacts,
    hasContact: listing.hasContact,
    message: buildFirstMessage({
      ...texts,
      name: actor.fullName,
      job,
      address: `${origin}/jobs/${id}`,
    }),
  };
}

async function findMessageTexts(db: Database, actor: Actor, jobId: string): Promise<MessageTexts> {
  const [texts] = await db
    .select({
      motivation: sql<string>`coalesce(${trackedJobs.motivation}, '')`,
      portfolio: sql<string>`coalesce(${profiles.portfolioUrl}, '')`,
    })
    .from(profiles)
    .leftJoin(trackedJobs, and(eq(trackedJobs.userId, profiles.id), eq(trackedJobs.jobId, jobId)))
    .where(eq(profiles.id, actor.id));
  return texts ?? { motivation: "", portfolio: "" };
}

/**
 * Keeps what the actor wrote. The job gets into their list, which holds the line.
 *
 * @throws {NotFound} for a listing that is neither in the list nor open
 * @throws {Conflict} when the list is full
 */
export async function saveFirstMessage(
  db: Database,
  actor: Actor | null,
  { jobId, motivation, portfolio }: MessageTexts & { jobId: string },
): Promise<void> {
  authorize(actor, "tracker.keep");
  await db.transaction(async (tx) => {
    await saveJob(tx, actor, { jobId, state: "saved" });
    await tx
      .update(trackedJobs)
      .set({ motivation, version: sql`${trackedJobs.version} + 1`, updatedAt: now() })
      .where(
        and(
          eq(trackedJobs.userId, actor.id),
          eq(trackedJobs.jobId, jobId),
          ne(trackedJobs.motivation, motivation),
        ),
      );
    await tx
      .update(profiles)
      .set({ portfolioUrl: portfolio || null })
      .where(eq(profiles.id, actor.id));
  });
}
