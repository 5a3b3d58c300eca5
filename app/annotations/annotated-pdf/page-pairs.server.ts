/** The page pairs of a second look: each earlier page beside the new page where its remarks are now. */
import { toPicturePath } from "../../files/render/pictures.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Scores } from "../../reviews/rubric.ts";
import type { PartPages } from "../document-pages/pages.server.ts";
import { buildMarkedSheets } from "../mark-sheets.server.ts";
import type { Sheet } from "../marked.ts";
import {
  compareReviews,
  findEarlier,
  type SecondLook,
} from "../second-look/find-second-look.server.ts";
import type { AnnotatedSecondLook, PairedPage } from "./annotate-job.ts";

type PagePairs = {
  secondLook: AnnotatedSecondLook | null;
  /** The pictures of the paired pages. */
  paired: { path: string; file: string }[];
};

/**
 * Finds a second look's outcomes and page pairs. Check permission before calling it.
 *
 * @param parts the pages of the second look
 * @returns no second look for a first review, and after the earlier one was deleted; no pair for pages that are deleted
 */
export async function findPagePairs(
  db: Database,
  look: SecondLook,
  { parts, scores }: { parts: readonly PartPages[]; scores: Scores },
): Promise<PagePairs> {
  const earlier = await findEarlier(db, look);
  if (!earlier) return { secondLook: null, paired: [] };
  const pages = parts.flatMap((part) => part.pages);
  const compared = compareReviews(earlier, { pages, scores }, earlier.saved);
  const newSheets = buildMarkedSheets(pages, [], []).sheets;
  const files = new Map<string, string>();
  const pairs = new Map<string, AnnotatedSecondLook["pairs"][number]>();
  for (const { remark, from } of compared.remarks) {
    const before = findSheet(earlier.sources, remark.id);
    const place = earlier.saved[remark.id]!.place;
    const after = newSheets.find(
      ({ id }) => place && id === `${place.target.part}-${place.target.page}`,
    );
    if (!place || !before?.bands.length || !after?.bands.length) continue;
    const name = `earlier-${before.reviewId}-${before.id}`;
    const key = `${name} ${after.id}`;
    const pair = pairs.get(key) ?? {
      before: toPairedPage(
        { ...before, title: from ? `${before.title} (${from})` : before.title },
        name,
        files,
      ),
      after: toPairedPage(after, `new-${after.id}`, files),
    };
    pairs.set(key, pair);
    const { id, number, severity } = remark;
    const { area } = before.remarks.find((one) => one.id === id)!;
    pair.before.marks.push({ id, number, severity, area });
    pair.after.marks.push({ id, number, severity, area: place.area });
  }
  const remarks = compared.remarks.map(({ before: _before, after: _after, ...one }) => one);
  const { scores: pairsOfScores } = compared;
  if (remarks.length === 0 && pairsOfScores.length === 0) return { secondLook: null, paired: [] };
  return {
    secondLook: {
      earlierOn: formatShortDate(earlier.sources[0]!.review.createdAt),
      remarks,
      scores: pairsOfScores,
      pairs: [...pairs.values()],
    },
    paired: [...files].map(([file, path]) => ({ file, path })),
  };
}

type Sources = NonNullable<Awaited<ReturnType<typeof findEarlier>>>["sources"];

/** Finds the sheet of a remark, with the id of its review. */
function findSheet(sources: Sources, remarkId: string) {
  return sources
    .flatMap(({ review, marked }) =>
      marked.sheets.map((sheet) => ({ reviewId: review.id, ...sheet })),
    )
    .find(({ remarks }) => remarks.some(({ id }) => id === remarkId));
}

/** Names the pictures of a page, and adds their paths to `files`. */
function toPairedPage(
  { title, width, height, bands }: Pick<Sheet, "title" | "width" | "height" | "bands">,
  name: string,
  files: Map<string, string>,
): PairedPage {
  const pictures = bands.map((band, index) => {
    const file = `${name}-${index}.webp`;
    files.set(file, toPicturePath(band.large));
    return { file, height: band.height };
  });
  return { title, width, height, pictures, marks: [] };
}
