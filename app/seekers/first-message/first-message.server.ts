import { and, eq, ne, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import {
  buildSharedPath,
  listOwnShares,
  lockOwnShare,
} from "../../annotations/share/find-shares.server.ts";
import { findJob } from "../../jobs/listing/find-job.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { saveJob } from "../tracker/save-job.server.ts";
import { trackedJobs } from "../tracker/tables.server.ts";
import { buildFirstMessage } from "./rules.ts";
import { messageLinks } from "./tables.server.ts";

/** A person's reason for wanting one job, and the address of their work, which all jobs share. "" if not written. */
type MessageTexts = { motivation: string; portfolio: string };

/** The link to a person's work in all of their messages: "portfolio", "none", or the id of an open share. */
type LinkChoice = { link: string };

/**
 * Finds what the actor needs to write to the contact of an open job.
 *
 * @returns null if the job isn't open
 */
export async function findFirstMessage(
  db: Database,
  config: Pick<Config, "origin" | "secrets">,
  actor: Actor,
  jobId: string,
) {
  const listing = await findJob(db, actor, jobId);
  if (listing.state !== "open") return null;
  const [{ chosen, ...texts }, shares] = await Promise.all([
    findMessageTexts(db, actor, jobId),
    listOwnShares(db, actor),
  ]);
  const share = shares.find(({ id }) => id === chosen);
  const link = share?.id ?? (chosen === "none" ? "none" : "portfolio");
  const { id, title, company } = listing.job;
  const job = { id, title: cleanLine(title), company: cleanLine(company) };
  return {
    job,
    texts,
    link,
    shares,
    contacts: listing.contacts,
    hasContact: listing.hasContact,
    message: buildFirstMessage({
      name: actor.fullName,
      job,
      address: `${config.origin}/jobs/${id}`,
      motivation: texts.motivation,
      work: getWorkAddress(config, link, texts.portfolio),
    }),
  };
}

function getWorkAddress(
  config: Pick<Config, "origin" | "secrets">,
  link: string,
  portfolio: string,
): string {
  if (link === "portfolio") return portfolio;
  return link === "none" ? "" : `${config.origin}${buildSharedPath(config, link)}`;
}

async function findMessageTexts(
  db: Database,
  actor: Actor,
  jobId: string,
): Promise<MessageTexts & { chosen: string }> {
  const [texts] = await db
    .select({
      motivation: sql<string>`coalesce(${trackedJobs.motivation}, '')`,
      portfolio: sql<string>`coalesce(${profiles.portfolioUrl}, '')`,
      chosen: sql<string>`case when ${messageLinks.userId} is null then 'portfolio' else coalesce(${messageLinks.shareId}::text, 'none') end`,
    })
    .from(profiles)
    .leftJoin(trackedJobs, and(eq(trackedJobs.userId, profiles.id), eq(trackedJobs.jobId, jobId)))
    .leftJoin(messageLinks, eq(messageLinks.userId, profiles.id))
    .where(eq(profiles.id, actor.id));
  return texts ?? { motivation: "", portfolio: "", chosen: "portfolio" };
}

/**
 * Keeps what the actor wrote. The job gets into their list, which holds the line.
 *
 * @throws {NotFound} for a listing that is neither in the list nor open
 * @throws {Conflict} when the list is full
 * @throws {Invalid} for a link that is not an open one to a review of theirs
 */
export async function saveFirstMessage(
  db: Database,
  actor: Actor | null,
  { jobId, motivation, portfolio, link }: MessageTexts & LinkChoice & { jobId: string },
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
    await saveLink(tx, actor, link);
  });
}

async function saveLink(tx: Database, { id: userId }: Actor, link: string): Promise<void> {
  if (link === "portfolio") {
    await tx.delete(messageLinks).where(eq(messageLinks.userId, userId));
    return;
  }
  const isNone = link === "none";
  if (!isNone && !(await lockOwnShare(tx, { id: userId }, link)))
    throw new Invalid({ link: "This review is no longer shared. Choose another link." });
  const shareId = isNone ? null : link;
  await tx
    .insert(messageLinks)
    .values({ userId, shareId })
    .onConflictDoUpdate({ target: messageLinks.userId, set: { shareId } });
}
