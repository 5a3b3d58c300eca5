import {
  ensurePages,
  listPages,
  listScreenshots,
} from "../../annotations/document-pages/pages.server.ts";
import { listPageNotices } from "../../annotations/document-pages/page-notices.server.ts";
import { toResultView } from "../../annotations/marked-sheet/result-view.server.ts";
import { extractFirstSentence } from "../../annotations/marked.ts";
import { toRemark } from "../../annotations/remarks/remarks.server.ts";
import { isEarlierRemark } from "../../annotations/second-look/outcomes.server.ts";
import { outcomes as outcomeLabels } from "../../annotations/second-look/outcomes.ts";
import { reviewRemarks } from "../../annotations/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { toUploadLink } from "../../reviews/addresses.ts";
import { findBrief } from "../../reviews/brief/brief.server.ts";
import { isCriterion } from "../../reviews/rubric.ts";
import type { serviceReviews } from "../../reviews/tables.server.ts";
import type { DraftContent } from "./draft-content.server.ts";

/** A draft as it is read: as its customer would see it, and the outcomes of a second look. */
export type DraftView = Awaited<ReturnType<typeof getDraftView>>;

/** Prepares a draft to be read beside the pages of its review. Check permission before calling it. */
export async function getDraftView(
  db: Database,
  review: typeof serviceReviews.$inferSelect,
  draft: DraftContent,
) {
  await ensurePages(db, review);
  const images = draft.images.map(({ id, imageUrl, annotation }) => ({
    id,
    href: toUploadLink(imageUrl),
    annotation,
  }));
  const [pages, screenshots, brief, outcomes] = await Promise.all([
    listPages(db, review),
    listScreenshots(db, images),
    findBrief(db, review.id),
    listOutcomes(db, review.secondLookOf, draft.outcomes),
  ]);
  const isMarked = draft.remarks.length > 0;
  return {
    outcomes,
    result: toResultView({
      feedback: draft.feedback.trim() || null,
      answers: draft.answers.flatMap(({ position, answer }) => {
        const question = brief?.questions.find((one) => one.position === position);
        return question ? [{ ...question, answer }] : [];
      }),
      images,
      files: draft.files.map(({ fileUrl, fileName, fileType, description }) => ({
        id: fileUrl,
        href: toUploadLink(fileUrl),
        name: fileName,
        type: fileType,
        description,
      })),
      scores: Object.fromEntries(
        draft.scores
          .filter(({ criterion }) => isCriterion(criterion))
          .map(({ criterion, score }) => [criterion, score]),
      ),
      remarks: draft.remarks.map((remark) => toRemark({ ...remark, number: null, version: 1 })),
      pages: isMarked ? pages : [],
      screenshots: isMarked ? screenshots : [],
      notices: isMarked ? listPageNotices(pages) : [],
    }),
  };
}

async function listOutcomes(
  db: Database,
  earlierId: string | null,
  outcomes: DraftContent["outcomes"],
) {
  if (earlierId === null || outcomes.length === 0) return [];
  const remarks = await db
    .select({ id: reviewRemarks.id, text: reviewRemarks.text })
    .from(reviewRemarks)
    .where(isEarlierRemark(db, earlierId));
  return outcomes.flatMap(({ remarkId, outcome, note }) => {
    const remark = remarks.find(({ id }) => id === remarkId);
    if (!remark) return [];
    const sentence = extractFirstSentence(remark.text);
    return [{ remarkId, remark: sentence, outcome: outcome && outcomeLabels[outcome], note }];
  });
}
