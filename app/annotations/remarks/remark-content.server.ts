import { cleanText } from "../../platform/text/text.ts";
import { and, eq } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { parseStoredAddress } from "../../reviews/addresses.ts";
import { listReviewCriteria, isCriterion } from "../../reviews/rubric.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { reviewImages, type serviceReviews } from "../../reviews/tables.server.ts";
import {
  type Area,
  normalizeArea,
  limits,
  remarkMessages as messages,
  type Target,
} from "../rules.ts";
import { isSeverity } from "../severities.ts";
import type { reviewRemarks } from "../tables.server.ts";

type Review = typeof serviceReviews.$inferSelect;
type Row = typeof reviewRemarks.$inferSelect;

/** A remark as it was sent; texts as typed, "" for none. */
export type SentRemark = {
  id: string;
  target: Target | null;
  area: Area | null;
  severity: string;
  criterion: string;
  text: string;
  quote: string;
  suggestion: string;
  /** The version that the change was made from; null for a new remark. */
  base: number | null;
  /** For a restored remark: its version before deletion. */
  last?: number | null;
};

/** The content of a remark that its writer decides. */
export type RemarkContent = Pick<
  Row,
  | "part"
  | "page"
  | "imageId"
  | "x"
  | "y"
  | "width"
  | "height"
  | "severity"
  | "criterion"
  | "text"
  | "quote"
  | "suggestion"
>;

/**
 * Validates a sent remark and converts it to its stored form.
 *
 * @param before the stored remark
 * @throws {Invalid} naming the field that cannot be saved.
 */
export async function validateRemarkContent(
  tx: Database,
  review: Review,
  remark: Omit<SentRemark, "base">,
  before: Row | undefined,
): Promise<RemarkContent> {
  const text = cleanText(remark.text).trim();
  const quote = cleanText(remark.quote).trim() || null;
  const suggestion = cleanText(remark.suggestion).trim() || null;
  if (text === "") throw new Invalid({ text: messages.textMissing });
  if (text.length > limits.text) throw new Invalid({ text: messages.textTooLong });
  if ((quote?.length ?? 0) > limits.quote) throw new Invalid({ quote: messages.quoteTooLong });
  if ((suggestion?.length ?? 0) > limits.suggestion)
    throw new Invalid({ suggestion: messages.quoteTooLong });
  if (!isSeverity(remark.severity)) throw new Invalid({ severity: messages.severityMissing });
  return {
    ...(await validateTarget(tx, review, remark, before)),
    severity: remark.severity,
    criterion: validateCriterion(remark.criterion, review.serviceType),
    text,
    quote,
    suggestion,
  };
}

function validateCriterion(criterion: string, type: ServiceType): string | null {
  if (criterion === "") return null;
  if (!isCriterion(criterion) || !listReviewCriteria(type).includes(criterion))
    throw new Invalid({ criterion: messages.criterionUnknown });
  return criterion;
}

const nowhere = {
  part: null,
  page: null,
  imageId: null,
  x: null,
  y: null,
  width: null,
  height: null,
};

/**
 * Validates a remark's target. Only a remark whose screenshot was removed, perhaps during editing, is saved
 * without one.
 */
async function validateTarget(
  tx: Database,
  review: Review,
  { target, area }: Pick<SentRemark, "target" | "area">,
  before: Row | undefined,
) {
  if (!target || !(await hasTarget(tx, review, target))) {
    const isLost = before && !toTarget(before);
    if (isLost || (target?.kind === "image" && (await isImageDeleted(tx, target.imageId))))
      return nowhere;
    throw new Invalid({ target: messages.placeUnknown });
  }
  const within = area && normalizeArea(area);
  if (area && !within) throw new Invalid({ target: messages.placeUnknown });
  return {
    ...nowhere,
    ...(target.kind === "page"
      ? { part: target.part, page: target.page }
      : { imageId: target.imageId }),
    ...within,
  };
}

/**
 * Checks whether a review has a target. Pictures on other sites are never fetched, so they cannot have
 * remarks.
 */
export async function hasTarget(tx: Database, review: Review, target: Target): Promise<boolean> {
  if (target.kind === "page") {
    const path = target.part === "resume" ? review.resumeFilePath : review.portfolioFilePath;
    return path !== null && target.page >= 1 && target.page <= limits.pages;
  }
  const [image] = await tx
    .select({ address: reviewImages.imageUrl })
    .from(reviewImages)
    .where(and(eq(reviewImages.id, target.imageId), eq(reviewImages.reviewId, review.id)));
  return image !== undefined && parseStoredAddress(image.address) !== null;
}

async function isImageDeleted(tx: Database, imageId: string): Promise<boolean> {
  return (await tx.$count(reviewImages, eq(reviewImages.id, imageId))) === 0;
}

/** Returns the target of a remark; null when it lost it. */
export function toTarget({
  part,
  page,
  imageId,
}: Pick<Row, "part" | "page" | "imageId">): Target | null {
  if (part && page) return { kind: "page", part, page };
  return imageId ? { kind: "image", imageId } : null;
}
