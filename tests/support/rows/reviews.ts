import { randomUUID } from "node:crypto";
import { hashToken, generateToken } from "../../../app/accounts/session.server.ts";
import { reviewShares } from "../../../app/annotations/share/tables.server.ts";
import type { Bucket } from "../../../app/files/rules.ts";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { day, now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { reviewAssignments, serviceReviews } from "../../../app/reviews/tables.server.ts";

/** Inserts the record of an uploaded file, without bytes. */
export async function storedFile(
  db: Database,
  uploader: { id: string | null },
  bucket: Bucket,
  path = `${uploader.id ?? "nobody"}/${randomUUID()}.pdf`,
  mimeType = "application/pdf",
) {
  const [file] = await db
    .insert(storedFiles)
    .values({
      bucket,
      path,
      uploadedBy: uploader.id,
      originalName: `my ${bucket}.pdf`,
      mimeType,
      size: 1234,
      showable: true,
      createdAt: now(),
    })
    .returning();
  return file!;
}

/** Inserts a review, by default a pending resume review. */
export async function review(
  db: Database,
  owner: { id: string },
  fields: Partial<typeof serviceReviews.$inferInsert> = {},
) {
  const [row] = await db
    .insert(serviceReviews)
    .values({
      userId: owner.id,
      serviceType: "resume_review",
      status: "pending",
      createdAt: now(),
      ...fields,
    })
    .returning();
  return row!;
}

export async function assignment(
  db: Database,
  reviewId: string,
  reviewer: { id: string },
  completedAt: Date | null = null,
): Promise<void> {
  await db
    .insert(reviewAssignments)
    .values({ reviewId, reviewerId: reviewer.id, assignedAt: now(), completedAt });
}

/** Inserts an open share of a review, without pages. @returns its token */
export async function shareOf(db: Database, reviewId: string): Promise<string> {
  const token = generateToken();
  const createdAt = now();
  await db.insert(reviewShares).values({
    reviewId,
    tokenHash: hashToken(token),
    hidden: [],
    withFeedback: false,
    pages: [],
    createdAt,
    expiresAt: new Date(createdAt.getTime() + day),
  });
  return token;
}
