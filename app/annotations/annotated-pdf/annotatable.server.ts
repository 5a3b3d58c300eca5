import { createHash } from "node:crypto";
import { and, asc, eq, or } from "drizzle-orm";
import { hasOpenAccount } from "../../accounts/sealed-accounts.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { getPicturePath } from "../../files/render/pictures.server.ts";
import { findRenderableKind, rendererVersion } from "../../files/render/rendering.ts";
import type { Bucket } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { parseStoredAddress } from "../../reviews/addresses.ts";
import { findBrief } from "../../reviews/brief/brief.server.ts";
import { isAssignedTo, isOwnCompletedReview } from "../../reviews/may-read-file.server.ts";
import { findAnsweredFollowUp } from "../follow-up/questions.server.ts";
import {
  ensurePages,
  isFileOfReview,
  listPages,
  findPartFile,
} from "../document-pages/pages.server.ts";
import { withoutAuthor, listRemarks } from "../remarks/remarks.server.ts";
import type { PageView } from "../rules.ts";
import { getScores } from "../remarks/scores.server.ts";
import { buildMarkedSheets, type Screenshot } from "../mark-sheets.server.ts";
import type { Part } from "../../reviews/rubric.ts";
import { findReviewSignature } from "../../reviews/reviewer-profile/introductions.server.ts";
import { services } from "../../reviews/rules.ts";
import { reviewImages, serviceReviews } from "../../reviews/tables.server.ts";
import type { AnnotatedContent } from "./annotate-job.ts";
import { findPagePairs } from "./page-pairs.server.ts";

/** Increased when the same review produces a different document. */
const formatVersion = 1;

/** A file in the store, and its name in the job's folder. */
type SourceFile = { bucket: Bucket; path: string; file: string };

/** A review with remarks, as the content of an annotated PDF. */
export type Annotatable = {
  reviewId: string;
  /** A hash of the content: it changes with any text, pin or file. */
  version: string;
  content: AnnotatedContent;
  /** The customer's PDFs. */
  originals: (SourceFile & { part: Part })[];
  screenshots: SourceFile[];
  /** Pictures of pages, used for files that cannot be annotated. */
  pictures: { part: Part; path: string; file: string }[];
  /** Pictures of the pages that a second look compares. */
  paired: { path: string; file: string }[];
};

type Reader = Pick<Actor, "id" | "isGodAdmin" | "isReviewer">;

/**
 * Reads the content of a review's annotated PDF. Readers are its customer once it is completed, its reviewer,
 * and god admins.
 *
 * @param withQuestion whether its owner wants the question after the review in it, with its answer
 * @returns null for anyone else, and for a review without remarks. `annotatable` is null while pages are
 * being rendered, since remark numbers depend on the page count.
 */
export async function findAnnotatable(
  db: Database,
  reader: Reader,
  reviewId: string,
  productName: string,
  withQuestion = false,
): Promise<{ isOwn: boolean; annotatable: Annotatable | null } | null> {
  const review = isUuid(reviewId) ? await findReadableReview(db, reader, reviewId) : undefined;
  if (!review) return null;
  const listed = await listRemarks(db, reviewId);
  // The document does not show versions, so a change of version alone makes no new one.
  const remarks = listed.map((remark) => ({ ...withoutAuthor(remark), version: 0 }));
  if (remarks.length === 0) return null;
  await ensurePages(db, review);
  const isOwn = review.userId === reader.id;
  const [parts, files, images, scores, brief, signature, followUp] = await Promise.all([
    listPages(db, review),
    db.select().from(storedFiles).where(isFileOfReview(review)),
    listImageRows(db, reviewId),
    getScores(db, reviewId),
    findBrief(db, reviewId),
    findReviewSignature(db, reviewId),
    withQuestion && isOwn ? findAnsweredFollowUp(db, reviewId) : null,
  ]);
  if (parts.some(({ isComing }) => isComing)) return { isOwn, annotatable: null };
  const handedIn = parts.flatMap(({ part }) => {
    const location = findPartFile(review, part);
    const file = files.find(
      ({ bucket, path }) => bucket === location?.bucket && path === location?.path,
    );
    return file ? [{ part, file }] : [];
  });
  const pages = parts.flatMap((part) => part.pages);
  const marked = buildMarkedSheets(pages, images.map(toScreenshot), remarks);
  const { secondLook, paired } = await findPagePairs(db, review, { parts, scores });
  const content: AnnotatedContent = {
    title: services[review.serviceType].shortLabel,
    productName,
    customer: review.customer?.trim() || null,
    signature,
    feedback: review.reviewerFeedback?.trim() || null,
    scores,
    answers: [
      ...(brief?.questions ?? []).flatMap(({ question, answer }) =>
        answer ? [{ question, answer }] : [],
      ),
      ...(followUp ? [{ question: followUp.question.text, answer: followUp.answer.text }] : []),
    ],
    sheets: marked.sheets.map(({ bands, href: _href, pins: _pins, ...sheet }, index) => {
      const page = pages[index];
      return {
        ...sheet,
        page: page ? { part: page.part, number: page.number } : null,
        pictures: page
          ? bands.map(({ height }, band) => ({ file: getBandFileName(page, band), height }))
          : [{ file: getScreenshotFileName(index - pages.length), height: 1 }],
      };
    }),
    unpinned: marked.unpinned,
    secondLook,
  };
  const originals = handedIn
    .filter(({ file }) => findRenderableKind(file.mimeType) === "pdf")
    .map(({ part, file: { bucket, path } }) => ({ part, bucket, path, file: `${part}.pdf` }));
  const pictures = handedIn.flatMap(({ part, file: { id } }) =>
    pages
      .filter((page) => page.part === part)
      .flatMap((page) =>
        page.bands.map((_, band) => ({
          part,
          path: getPicturePath({ fileId: id, page: page.number, band, width: "large" }),
          file: getBandFileName(page, band),
        })),
      ),
  );
  // Pictures on other sites are never fetched.
  const screenshots = images.flatMap(({ imageUrl }, index) => {
    const stored = parseStoredAddress(imageUrl);
    return stored ? [{ ...stored, file: getScreenshotFileName(index) }] : [];
  });
  const version = hashContent([content, originals, pictures, screenshots]);
  const annotatable = { reviewId, version, content, originals, pictures, screenshots, paired };
  return { isOwn, annotatable };
}

function getBandFileName({ part, number }: PageView, band: number): string {
  return `${part}-${number}-${band}.webp`;
}

function getScreenshotFileName(index: number): string {
  return `screenshot-${index + 1}`;
}

function hashContent(content: unknown): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([formatVersion, rendererVersion, content]));
  return hash.digest("hex").slice(0, 32);
}

async function findReadableReview(db: Database, reader: Reader, reviewId: string) {
  const mayRead = or(
    isOwnCompletedReview(reader),
    reader.isReviewer ? isAssignedTo(db, reader) : undefined,
  );
  const [review] = await db
    .select({
      id: serviceReviews.id,
      userId: serviceReviews.userId,
      serviceType: serviceReviews.serviceType,
      secondLookOf: serviceReviews.secondLookOf,
      resumeFilePath: serviceReviews.resumeFilePath,
      portfolioFilePath: serviceReviews.portfolioFilePath,
      reviewerFeedback: serviceReviews.reviewerFeedback,
      customer: profiles.fullName,
    })
    .from(serviceReviews)
    .leftJoin(profiles, eq(profiles.id, serviceReviews.userId))
    .where(
      and(
        eq(serviceReviews.id, reviewId),
        hasOpenAccount(serviceReviews.userId),
        reader.isGodAdmin ? undefined : mayRead,
      ),
    );
  return review;
}

/** Lists the images in the order of their numbers. */
function listImageRows(db: Database, reviewId: string) {
  return db
    .select()
    .from(reviewImages)
    .where(eq(reviewImages.reviewId, reviewId))
    .orderBy(asc(reviewImages.createdAt), asc(reviewImages.id));
}

/** Converts an image to a screenshot without sides: they are read from the picture itself. */
function toScreenshot(
  { id, imageUrl: href, annotation }: typeof reviewImages.$inferSelect,
  index: number,
): Screenshot {
  const caption = annotation || null;
  return { id, number: index + 1, caption, href, width: 0, height: 0, bands: [] };
}
