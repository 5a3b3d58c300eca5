import { and, asc, desc, eq, isNotNull, isNull, ne, or, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { fileAddress, readFileAddress } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { isUuid } from "../../platform/uuid.ts";
import type { ReviewStatus, ServiceType } from "../rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import type { AssignmentsQuery } from "../assign/assignments-query.ts";
import { type Material, materialsOf } from "../materials.ts";
import { draftVersion } from "./save-draft-feedback.server.ts";
import { isReviewerNow } from "./own-review.server.ts";
import { type HandedFile, type HandedImage, listFiles, listImages } from "../handed-back.server.ts";

export type OwnAssignment = {
  reviewId: string;
  serviceType: ServiceType;
  status: ReviewStatus;
  priority: number;
  submittedAt: Date;
  assignedAt: Date;
  completedAt: Date | null;
  hasDraft: boolean;
};

/** Lists a reviewer's own assignments of one tab; none for who does not hold the role now. */
export async function listOwnAssignments(
  db: Database,
  actor: Actor,
  { tab, sort, direction, from, show }: AssignmentsQuery,
): Promise<{ assignments: OwnAssignment[]; hasMore: boolean }> {
  const ordered = direction === "asc" ? asc : desc;
  const rows = await db
    .select({
      reviewId: serviceReviews.id,
      serviceType: serviceReviews.serviceType,
      status: serviceReviews.status,
      priority: serviceReviews.priority,
      submittedAt: serviceReviews.createdAt,
      assignedAt: reviewAssignments.assignedAt,
      completedAt: reviewAssignments.completedAt,
      draftSavedAt: reviewAssignments.draftSavedAt,
    })
    .from(reviewAssignments)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewAssignments.reviewId))
    .where(
      and(
        eq(reviewAssignments.reviewerId, actor.id),
        isReviewerNow(db, actor.id),
        tab === "completed" ? completedRows : openRows,
      ),
    )
    .orderBy(
      ordered(sort === "priority" ? serviceReviews.priority : reviewAssignments.assignedAt),
      desc(reviewAssignments.assignedAt),
      desc(reviewAssignments.id),
    )
    .offset(from)
    .limit(show + 1);
  return {
    assignments: rows.slice(0, show).map(({ draftSavedAt, ...assignment }) => ({
      ...assignment,
      hasDraft: draftSavedAt !== null,
    })),
    hasMore: rows.length > show,
  };
}

// Either may say so: rows from elsewhere have the one without the other.
const completedRows = or(
  eq(serviceReviews.status, "completed"),
  isNotNull(reviewAssignments.completedAt),
) as SQL;
const openRows = and(
  ne(serviceReviews.status, "completed"),
  isNull(reviewAssignments.completedAt),
) as SQL;

/** A draft as the server has it, and the name of this state. */
export type SavedDraft = { feedback: string; version: string };

export type Workspace = {
  reviewId: string;
  assignmentId: string;
  serviceType: ServiceType;
  status: ReviewStatus;
  priority: number;
  submittedAt: Date;
  assignedAt: Date;
  completedAt: Date | null;
  /** False once completed: then everything is only to read. */
  isOpen: boolean;
  /** What is being written. */
  draft: SavedDraft;
  /** What was submitted; empty until then. */
  feedback: string;
  materials: Material[];
  images: HandedImage[];
  files: HandedFile[];
};

/** A document that browsers must not show is one to save. */
async function asShown(db: Database, materials: Material[]): Promise<Material[]> {
  const addresses = materials.flatMap(({ href }) => readFileAddress(href ?? "") ?? []);
  if (addresses.length === 0) return materials;
  const toSave = await db
    .select({ bucket: storedFiles.bucket, path: storedFiles.path })
    .from(storedFiles)
    .where(
      and(
        eq(storedFiles.showable, false),
        or(
          ...addresses.map(({ bucket, path }) =>
            and(eq(storedFiles.bucket, bucket), eq(storedFiles.path, path)),
          ),
        ),
      ),
    );
  const hrefs = new Set<string | null>(toSave.map(({ bucket, path }) => fileAddress(bucket, path)));
  return materials.map((material) =>
    hrefs.has(material.href) ? { ...material, shownAs: "download" } : material,
  );
}

/** Whether a review is assigned to this person, who holds the role now. */
export async function hasReview(db: Database, actor: Actor, reviewId: string): Promise<boolean> {
  if (!isUuid(reviewId)) return false;
  const rows = await db
    .select({ id: reviewAssignments.id })
    .from(reviewAssignments)
    .where(isOwn(db, actor, reviewId));
  return rows.length > 0;
}

function isOwn(db: Database, actor: Actor, reviewId: string): SQL | undefined {
  return and(
    eq(reviewAssignments.reviewId, reviewId),
    eq(reviewAssignments.reviewerId, actor.id),
    isReviewerNow(db, actor.id),
  );
}

/** Reads a reviewer's own assignment with all that belongs to it; null for any other. */
export async function readWorkspace(
  db: Database,
  actor: Actor,
  reviewId: string,
): Promise<Workspace | null> {
  if (!isUuid(reviewId)) return null;
  const [row] = await db
    .select({ review: serviceReviews, assignment: reviewAssignments })
    .from(reviewAssignments)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewAssignments.reviewId))
    .where(isOwn(db, actor, reviewId));
  if (!row) return null;
  const { review, assignment } = row;
  const isOpen = review.status !== "completed" && !assignment.completedAt;
  const [images, files] = await Promise.all([listImages(db, reviewId), listFiles(db, reviewId)]);
  return {
    reviewId,
    assignmentId: assignment.id,
    serviceType: review.serviceType,
    status: review.status,
    priority: review.priority,
    submittedAt: review.createdAt,
    assignedAt: assignment.assignedAt,
    completedAt: assignment.completedAt,
    isOpen,
    draft: {
      feedback: assignment.draftFeedback ?? "",
      version: draftVersion(assignment.draftFeedback),
    },
    feedback: review.reviewerFeedback ?? "",
    materials: await asShown(db, materialsOf(review)),
    images,
    files,
  };
}
