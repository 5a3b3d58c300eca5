import { and, eq, isNull } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { readOwnProfile } from "../../accounts/actor.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { isOwnCompleted } from "../may-read-file.server.ts";
import { listPages, listPageTexts } from "../pages/list-pages.server.ts";
import type { PageView } from "../remarks/rules.ts";
import type { ServiceType } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";
import { privateAreas } from "./private-words.ts";
import type { HiddenArea } from "./rules.ts";
import { readOpenShare } from "./shares.server.ts";

/** What an owner sees who is about to share a review. */
export type Sharing = {
  serviceType: ServiceType;
  pages: PageView[];
  /** Where their name and ways to reach them stand on the pages. */
  found: HiddenArea[];
  /** More pages will come: what is on them nobody has looked at. */
  areComing: boolean;
  open: Awaited<ReturnType<typeof readOpenShare>>;
};

/**
 * Reads what of one's own completed review can be shared; nothing of one that is refunded.
 *
 * @returns null for any other review, whether or not there is one
 */
export async function readSharing(
  db: Database,
  actor: Actor,
  reviewId: string,
): Promise<Sharing | null> {
  if (!isUuid(reviewId)) return null;
  const [review] = await db
    .select()
    .from(serviceReviews)
    .where(
      and(
        eq(serviceReviews.id, reviewId),
        isOwnCompleted(actor),
        isNull(serviceReviews.withdrawnAt),
      ),
    );
  if (!review) return null;
  const [parts, profile, open] = await Promise.all([
    listPages(db, review),
    readOwnProfile(db, actor),
    readOpenShare(db, reviewId),
  ]);
  const name = profile?.fullName ?? actor.fullName;
  const found = await Promise.all(
    parts.map(async ({ part }) =>
      (await listPageTexts(db, review, part)).flatMap(({ number, ...text }) =>
        privateAreas(text, name).map((area): HiddenArea => ({ part, page: number, ...area })),
      ),
    ),
  );
  return {
    serviceType: review.serviceType,
    pages: parts.flatMap(({ pages }) => pages),
    found: found.flat(),
    areComing: parts.some(({ isComing }) => isComing),
    open,
  };
}
