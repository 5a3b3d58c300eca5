import { and, eq, isNull } from "drizzle-orm";
import { type Actor, readOwnProfile } from "../../accounts/actor.server.ts";
import type { PageText } from "../../files/inspect/pdfium-page.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { emailAddress, phoneNumber, writtenAddress } from "../machine-reading/findings.ts";
import { isOwnCompleted } from "../may-read-file.server.ts";
import { listPages, listPageTexts } from "../pages/list-pages.server.ts";
import type { Area, PageView } from "../remarks/rules.ts";
import type { ServiceType } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";
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

/** Around a word, in heights of its line: letters reach over the box of their line. */
const margin = 0.15;

/**
 * The places of a person's name, and of addresses and phone numbers whosever they are, a place for each
 * word; those of words in pictures are not known.
 */
function privateAreas({ text, words }: PageText, name: string | null): Area[] {
  const patterns = [emailAddress, phoneNumber, writtenAddress, ...namesOf(name)];
  const ranges = patterns.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, pattern.flags.replace("g", "") + "g"))].map(
      (match) => [match.index, match.index + match[0].length] as const,
    ),
  );
  return words
    .filter(([start, size]) => ranges.some(([from, to]) => start < to && from < start + size))
    .map(([, , x, y, width, height]) => ({
      x: Math.max(0, x - margin * height),
      y: Math.max(0, y - margin * height),
      width: width + 2 * margin * height,
      height: height * (1 + 2 * margin),
    }));
}

/** Shorter parts of a name are words like any other. */
const shortestName = 3;

function namesOf(name: string | null): RegExp[] {
  const parts = (name ?? "").split(/\s+/).filter((part) => part.length >= shortestName);
  return parts.map((part) => new RegExp(`(?<!\\p{L})${literally(part)}(?!\\p{L})`, "giu"));
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
