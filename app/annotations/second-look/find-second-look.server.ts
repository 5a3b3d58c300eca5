import { eq } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import type { Criterion, Part, Scores } from "../../reviews/rubric.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { type HandedIn, listPageTexts, type PartPages } from "../document-pages/pages.server.ts";
import { buildMarkedSheets } from "../mark-sheets.server.ts";
import { isActionable, type Marked, type NumberedRemark } from "../marked.ts";
import { getMarkedReview } from "../remarks/read-annotations.server.ts";
import type { PageView } from "../rules.ts";
import { severities } from "../severities.ts";
import { getOutcomes } from "./outcomes.server.ts";
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

/** An earlier remark with what a second look says of it. */
export type EarlierRemark = {
  remark: NumberedRemark;
  /** Its part of the earlier page; null if that isn't shown. */
  before: Crop | null;
  saved: SavedOutcome;
  /** Null where none was found. */
  proposal: Proposal | null;
};

/** The earlier review, as the reviewer of a second look works with it. */
export type EarlierReview = {
  reviewId: string;
  /** True while its pages are being prepared. */
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
  const { saved } = earlier;
  const [before, after] = await Promise.all([
    listWordedPages(db, earlier.review),
    listWordedPages(db, look),
  ]);
  const { review, isComing, marked, scores } = earlier;
  const remarks = marked.remarks.filter(isActionable).map((remark) => ({
    remark,
    before: buildRemarkCrop(marked, remark),
    saved: saved[remark.id] ?? blankOutcome,
    proposal: findProposal(remark, before, after),
  }));
  return { reviewId: review.id, isComing, marked, scores, remarks };
}

/** An earlier remark with its outcome, as its customer sees it. */
export type ComparedRemark = {
  remark: Pick<
    NumberedRemark,
    "id" | "number" | "severity" | "criterion" | "text" | "quote" | "suggestion"
  >;
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
  earlierId: string;
  earlierCreatedAt: Date;
  /** The open remarks come first, and of these the must-fixes. */
  remarks: ComparedRemark[];
  /** The scores that both reviews have: the earlier one, then the later one. */
  scores: { criterion: Criterion; before: number; after: number }[];
};

const outcomeOrder: Outcome[] = ["open", "partly", "solved"];
const severityOrder = Object.keys(severities);

/**
 * Finds the result of a completed second look beside the earlier review. Check permission before calling it.
 *
 * @param parts the pages of the second look
 * @returns null for a first review, and after the earlier one was deleted
 */
export async function findComparison(
  db: Database,
  look: SecondLook,
  { parts, scores }: { parts: readonly PartPages[]; scores: Scores },
): Promise<Comparison | null> {
  const earlier = await findEarlier(db, look);
  if (!earlier) return null;
  const pages = parts.flatMap((part) => part.pages);
  return {
    isComing: earlier.isComing || parts.some((part) => part.isComing),
    earlierId: earlier.review.id,
    earlierCreatedAt: earlier.review.createdAt,
    ...compareReviews(earlier, { pages, scores }, earlier.saved),
  };
}

/**
 * Compares the pages and scores of two reviews.
 *
 * @param saved the outcomes of the earlier remarks, by their ids
 */
export function compareReviews(
  earlier: Pick<EarlierReview, "marked" | "scores">,
  later: { pages: readonly PageView[]; scores: Scores },
  saved: Record<string, SavedOutcome>,
): Pick<Comparison, "remarks" | "scores"> {
  const remarks = earlier.marked.remarks.flatMap((remark): ComparedRemark[] => {
    const { outcome, note, place } = saved[remark.id] ?? blankOutcome;
    if (!outcome) return [];
    const before = buildRemarkCrop(earlier.marked, remark);
    const after = place && buildPlaceCrop(later.pages, place);
    const { id, number, severity, criterion, text, quote, suggestion } = remark;
    const shown = { id, number, severity, criterion, text, quote, suggestion };
    return [{ remark: shown, kind: severities[severity].label, outcome, note, before, after }];
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
 * Finds the earlier review with the saved outcomes of its remarks. Check permission before calling it.
 *
 * @returns null for a first review, and after the earlier one was deleted
 */
export async function findEarlier(
  db: Database,
  { id, secondLookOf }: Pick<SecondLook, "id" | "secondLookOf">,
) {
  if (secondLookOf === null) return null;
  const [review] = await db
    .select()
    .from(serviceReviews)
    .where(eq(serviceReviews.id, secondLookOf));
  if (!review) return null;
  const [{ pages, screenshots, remarks, scores }, saved] = await Promise.all([
    getMarkedReview(db, review),
    getOutcomes(db, id),
  ]);
  const marked = buildMarkedSheets(
    pages.flatMap((part) => part.pages),
    screenshots,
    remarks,
  );
  return { review, scores, saved, marked, isComing: pages.some((part) => part.isComing) };
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
