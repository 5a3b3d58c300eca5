import { and, desc, eq, inArray, ne, or } from "drizzle-orm";
import { formatShortDate } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Criterion, Part, Scores } from "../../reviews/rubric.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { type HandedIn, listPageTexts, type PartPages } from "../document-pages/pages.server.ts";
import { buildMarkedSheets } from "../mark-sheets.server.ts";
import { isActionable, type Marked, type NumberedRemark } from "../marked.ts";
import { getMarkedReview } from "../remarks/read-annotations.server.ts";
import { remarkOutcomes, reviewRemarks } from "../tables.server.ts";
import type { PageView } from "../rules.ts";
import { severities } from "../severities.ts";
import { getOutcomes, isLeftOpenIn } from "./outcomes.server.ts";
import {
  blankOutcome,
  buildCrop,
  type Crop,
  buildPlaceCrop,
  type Outcome,
  type Proposal,
  type SavedOutcome,
} from "./outcomes.ts";
import { findProposal, type WordedPage } from "./places.server.ts";

export type SecondLook = HandedIn & Pick<typeof serviceReviews.$inferSelect, "id" | "secondLookOf">;

/** A review before a second look, with the remarks that the second look decides about. */
type EarlierSource = {
  marked: Marked;
  remarks: NumberedRemark[];
  /** The review before the earlier one that they stayed open since: "first review". Null for the earlier one. */
  from: string | null;
};

/** An earlier remark with what a second look says of it. */
export type EarlierRemark = {
  remark: NumberedRemark;
  from: EarlierSource["from"];
  /** Its part of the earlier page; null if that isn't shown. */
  before: Crop | null;
  saved: SavedOutcome;
  /** Null where none was found. */
  proposal: Proposal | null;
};

/** The earlier review, as the reviewer of a second look works with it. */
export type EarlierReview = {
  /** The ids of the reviews whose pages are shown. */
  reviewIds: string[];
  /** True while their pages are being prepared. */
  isComing: boolean;
  marked: Marked;
  scores: Scores;
  /** The remarks that need an outcome. */
  remarks: EarlierRemark[];
};

/**
 * Finds the review that a second look is about, with a proposed place for each remark. Check permission before calling
 * it.
 *
 * @returns null for a first review, and after the earlier one was deleted
 */
export async function findEarlierReview(
  db: Database,
  look: SecondLook,
): Promise<EarlierReview | null> {
  const earlier = await findEarlier(db, look);
  if (!earlier) return null;
  const { sources, saved, scores } = earlier;
  const after = await listWordedPages(db, look);
  const remarks = await Promise.all(
    sources.map(async ({ review, marked, from, remarks: all }) => {
      const before = await listWordedPages(db, review);
      return all.filter(isActionable).map((remark) => ({
        remark,
        from,
        before: buildRemarkCrop(marked, remark),
        saved: saved[remark.id] ?? blankOutcome,
        proposal: findProposal(remark, before, after),
      }));
    }),
  );
  return {
    reviewIds: sources.map(({ review }) => review.id),
    isComing: sources.some(({ isComing }) => isComing),
    marked: sources[0]!.marked,
    scores,
    remarks: remarks.flat(),
  };
}

/** An earlier remark with its outcome, as its customer sees it. */
export type ComparedRemark = {
  remark: Pick<
    NumberedRemark,
    "id" | "number" | "severity" | "criterion" | "text" | "quote" | "suggestion"
  >;
  from: EarlierSource["from"];
  /** The label of its severity. */
  kind: string;
  outcome: Outcome;
  note: string;
  before: Crop | null;
  /** Null without a confirmed place. */
  after: Crop | null;
};

export type Comparison = {
  /** True while pages of either review are being prepared. */
  isComing: boolean;
  /** The ids of the reviews whose pages are shown, the earlier one first. */
  earlierIds: string[];
  earlierCreatedAt: Date;
  /** The open remarks come first, and of these the must-fixes. */
  remarks: ComparedRemark[];
  /** The scores that both reviews have: the earlier one, then the later one. */
  scores: { criterion: Criterion; before: number; after: number }[];
};

const outcomeOrder: Outcome[] = ["open", "partly", "solved"];
const severityOrder = Object.keys(severities);

/**
 * Finds the result of a second look beside the earlier review. Check permission before calling it.
 *
 * @param parts the pages of the second look
 * @returns null for a first review, and after the earlier one was deleted
 */
export async function findComparison(
  db: Database,
  look: Pick<SecondLook, "id" | "secondLookOf">,
  { parts, scores }: { parts: readonly PartPages[]; scores: Scores },
): Promise<Comparison | null> {
  const earlier = await findEarlier(db, look);
  if (!earlier) return null;
  const pages = parts.flatMap((part) => part.pages);
  return {
    isComing: [...earlier.sources, ...parts].some(({ isComing }) => isComing),
    earlierIds: earlier.sources.map(({ review }) => review.id),
    earlierCreatedAt: earlier.sources[0]!.review.createdAt,
    ...compareReviews(earlier, { pages, scores }, earlier.saved),
  };
}

/**
 * Compares the pages and scores of two reviews.
 *
 * @param saved the outcomes of the earlier remarks, by their ids
 */
export function compareReviews(
  earlier: { sources: readonly EarlierSource[]; scores: Scores },
  later: { pages: readonly PageView[]; scores: Scores },
  saved: Record<string, SavedOutcome>,
): Pick<Comparison, "remarks" | "scores"> {
  const all = earlier.sources.flatMap(({ remarks, ...source }) =>
    remarks.map((remark) => ({ remark, ...source })),
  );
  const remarks = all.flatMap(({ remark, marked, from }): ComparedRemark[] => {
    const { outcome, note, place } = saved[remark.id] ?? blankOutcome;
    if (!outcome) return [];
    const before = buildRemarkCrop(marked, remark);
    const after = place && buildPlaceCrop(later.pages, place);
    const { id, number, severity, criterion, text, quote, suggestion } = remark;
    const content = { id, number, severity, criterion, text, quote, suggestion };
    const kind = severities[severity].label;
    return [{ remark: content, from, kind, outcome, note, before, after }];
  });
  const scores = Object.entries(earlier.scores) as [Criterion, number][];
  return {
    remarks: remarks.toSorted(
      (one, other) =>
        outcomeOrder.indexOf(one.outcome) - outcomeOrder.indexOf(other.outcome) ||
        severityOrder.indexOf(one.remark.severity) - severityOrder.indexOf(other.remark.severity),
    ),
    scores: scores.flatMap(([criterion, before]) => {
      const after = later.scores[criterion];
      return after === undefined ? [] : [{ criterion, before, after }];
    }),
  };
}

/**
 * Finds the reviews that a second look decides about, with its saved outcomes: the earlier review first, then those
 * before it with the remarks that stayed open. Check permission before calling it.
 *
 * @returns null for a first review, and after the earlier one was deleted
 */
export async function findEarlier(
  db: Database,
  { id, secondLookOf }: Pick<SecondLook, "id" | "secondLookOf">,
) {
  if (secondLookOf === null) return null;
  const [saved, carried] = await Promise.all([
    getOutcomes(db, id),
    listCarriedRemarks(db, { id, secondLookOf }),
  ]);
  const reviews = await db
    .select()
    .from(serviceReviews)
    .where(inArray(serviceReviews.id, [secondLookOf, ...carried.map(({ reviewId }) => reviewId)]))
    .orderBy(desc(eq(serviceReviews.id, secondLookOf)), desc(serviceReviews.createdAt));
  const carriedIds = new Set(carried.map(({ remarkId }) => remarkId));
  const sources = await Promise.all(
    reviews.map(async (review) => {
      const { pages, screenshots, remarks, scores } = await getMarkedReview(db, review);
      const own = pages.flatMap((part) => part.pages);
      const marked = buildMarkedSheets(own, screenshots, remarks);
      const isEarlier = review.id === secondLookOf;
      return {
        review,
        scores,
        marked,
        remarks: marked.remarks.filter((remark) => isEarlier || carriedIds.has(remark.id)),
        from: isEarlier ? null : formatSource(review),
        isComing: pages.some((part) => part.isComing),
      };
    }),
  );
  const [earlier] = sources;
  return earlier ? { sources, scores: earlier.scores, saved } : null;
}

/** Lists remarks of the reviews before the earlier one: open in the earlier one, or decided in this second look. */
async function listCarriedRemarks(
  db: Database,
  look: { id: string; secondLookOf: string },
): Promise<{ remarkId: string; reviewId: string }[]> {
  return db
    .selectDistinct({ remarkId: reviewRemarks.id, reviewId: reviewRemarks.reviewId })
    .from(remarkOutcomes)
    .innerJoin(reviewRemarks, eq(reviewRemarks.id, remarkOutcomes.remarkId))
    .where(
      and(
        ne(reviewRemarks.reviewId, look.secondLookOf),
        or(eq(remarkOutcomes.reviewId, look.id), isLeftOpenIn(look.secondLookOf)),
      ),
    );
}

function formatSource({
  secondLookOf,
  createdAt,
}: Pick<typeof serviceReviews.$inferSelect, "secondLookOf" | "createdAt">): string {
  return secondLookOf ? `second look of ${formatShortDate(createdAt)}` : "first review";
}

/** Crops the sheet of a remark around its area; null if it isn't rendered. */
function buildRemarkCrop({ sheets }: Marked, { id, area }: NumberedRemark): Crop | null {
  const sheet = sheets.find(({ remarks }) => remarks.some((remark) => remark.id === id));
  if (!sheet || sheet.bands.length === 0) return null;
  return buildCrop({ ...sheet, label: sheet.title }, area);
}

async function listWordedPages(db: Database, review: HandedIn): Promise<WordedPage[]> {
  const parts = ["resume", "portfolio"] as const satisfies Part[];
  const texts = await Promise.all(parts.map((part) => listPageTexts(db, review, part)));
  return parts.flatMap((part, index) => texts[index]!.map((page) => ({ ...page, part })));
}
