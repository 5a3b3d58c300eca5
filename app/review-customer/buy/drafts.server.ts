import { and, eq, isNotNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { ensurePages } from "../../annotations/document-pages/pages.server.ts";
import { getFileAddress } from "../../files/rules.ts";
import type { Upload, UploadRules } from "../../files/receive/admit-upload.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import type { CopyRequest } from "../../reviews/black-out.ts";
import { findUnansweredBrief } from "../../reviews/brief/brief.server.ts";
import { services } from "../../reviews/rules.ts";
import type { ServiceKey } from "../../reviews/second-looks.ts";
import { getServiceKey, isOwnDraft } from "../../reviews/second-looks.server.ts";
import { blackOuts, reviewDrafts } from "../../reviews/tables.server.ts";
import {
  anotherAddress,
  type CopyState,
  formatAddressConflict,
  type Draft,
  type DraftFile,
  type Part,
} from "./submission.ts";

type Person = { id: string };

export const resumeFiles = alias(storedFiles, "resume_files");
export const portfolioFiles = alias(storedFiles, "portfolio_files");
const resumeBlackOuts = alias(blackOuts, "resume_black_outs");
const portfolioBlackOuts = alias(blackOuts, "portfolio_black_outs");

/** Returns a person's draft of what they buy; an empty one if there is none. */
export async function getDraft(db: Database, actor: Person, key: ServiceKey): Promise<Draft> {
  const [row] = await db
    .select({
      draft: reviewDrafts,
      resume: resumeFiles,
      portfolio: portfolioFiles,
      resumeBlackOut: resumeBlackOuts.id,
      portfolioBlackOut: portfolioBlackOuts.id,
    })
    .from(reviewDrafts)
    .leftJoin(resumeFiles, eq(resumeFiles.id, reviewDrafts.resumeFileId))
    .leftJoin(portfolioFiles, eq(portfolioFiles.id, reviewDrafts.portfolioFileId))
    .leftJoin(resumeBlackOuts, eq(resumeBlackOuts.copyFileId, reviewDrafts.resumeFileId))
    .leftJoin(portfolioBlackOuts, eq(portfolioBlackOuts.copyFileId, reviewDrafts.portfolioFileId))
    .where(isOwnDraft(actor, key));
  return {
    resume: row?.resume
      ? toDraftFile(row.resume, getCopyState(row.draft.resumeCopy, row.resumeBlackOut))
      : null,
    portfolio: row?.portfolio
      ? toDraftFile(row.portfolio, getCopyState(row.draft.portfolioCopy, row.portfolioBlackOut))
      : null,
    portfolioUrl: row?.draft.portfolioUrl ?? null,
    isPortfolioSeen: (row?.draft.portfolioSeenAt ?? null) !== null,
    version: row ? getMaterialsVersion(row.draft) : "",
  };
}

/** Returns the version of a draft's materials, such as "0f8b…:3". */
export function getMaterialsVersion({ id, revision }: { id: string; revision: number }): string {
  return `${id}:${revision}`;
}

/**
 * Saves the address of a portfolio; null removes it.
 *
 * @param seen the address that the form showed; undefined if unknown
 * @throws {NotFound} when this kind of review takes no portfolio.
 * @throws {Invalid} when another address was saved in the meantime.
 */
export async function savePortfolioUrl(
  db: Database,
  actor: Person,
  key: ServiceKey,
  portfolioUrl: string | null,
  seen?: string | null,
): Promise<void> {
  requirePart(key, "portfolio");
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select({ url: reviewDrafts.portfolioUrl })
      .from(reviewDrafts)
      .where(isOwnDraft(actor, key))
      .for("update");
    const current = row?.url ?? null;
    const isSeen = seen === undefined || current === seen || current === portfolioUrl;
    if (!isSeen) throw new Invalid({ portfolioUrl: formatAddressConflict(current) });
    if (portfolioUrl) return changeDraft(tx, actor.id, key, { portfolioUrl });
    await removeFromDraft(tx, actor, key, "portfolioUrl");
  });
}

/**
 * Records whether the owner confirmed that their portfolio opens without signing in. The materials stay the same, so
 * the revision does too.
 *
 * @param address the one that they checked
 * @throws {Invalid} when the address was changed or removed in the meantime.
 */
export async function recordPortfolioCheck(
  db: Database,
  actor: Person,
  key: ServiceKey,
  { address, opens }: { address: string; opens: boolean },
): Promise<void> {
  const updated = await db
    .update(reviewDrafts)
    .set({ portfolioSeenAt: opens ? now() : null })
    .where(and(isOwnDraft(actor, key), eq(reviewDrafts.portfolioUrl, address)))
    .returning({ id: reviewDrafts.id });
  if (updated.length === 0) throw new Invalid({ portfolioUrl: anotherAddress });
}

/** Removes a file from the draft; its bytes are swept later. Does nothing without a file. */
export async function removeDraftFile(
  db: Database,
  actor: Person,
  key: ServiceKey,
  part: Part,
): Promise<void> {
  const column = part === "resume" ? "resumeFileId" : "portfolioFileId";
  await removeFromDraft(db, actor, key, column);
}

/** The fields of a draft, except for its owner. */
type DraftChange = Partial<
  Pick<typeof reviewDrafts.$inferSelect, "resumeFileId" | "portfolioFileId" | "portfolioUrl">
>;

/** Returns a change of a draft with what depends on it: a new file has no copy, and a new address no check. */
function withDependents(change: DraftChange) {
  return {
    ...change,
    ...("resumeFileId" in change && { resumeCopy: null }),
    ...("portfolioFileId" in change && { portfolioCopy: null }),
    ...(change.portfolioUrl && { portfolioSeenAt: null }),
  };
}

/**
 * Changes a person's draft, creating one if needed, and counts a revision. A new draft of a second look starts with the
 * brief of the earlier review. Check that this review is theirs before calling it.
 */
export async function changeDraft(
  db: Database,
  userId: string,
  { type: serviceType, secondLookOf }: ServiceKey,
  change: DraftChange,
): Promise<void> {
  const at = now();
  const brief = secondLookOf ? await findUnansweredBrief(db, secondLookOf) : undefined;
  const changed = withDependents(change);
  await db
    .insert(reviewDrafts)
    .values({ userId, serviceType, secondLookOf, brief, ...changed, createdAt: at, updatedAt: at })
    .onConflictDoUpdate({
      target: [reviewDrafts.userId, reviewDrafts.serviceType, reviewDrafts.secondLookOf],
      set: { ...changed, ...buildNextRevision(at) },
      // The same text again is no change, so a payment started with it stays the same.
      setWhere: change.portfolioUrl
        ? sql`${reviewDrafts.portfolioUrl} is distinct from ${change.portfolioUrl}`
        : undefined,
    });
}

/** @throws {NotFound} when this kind of review does not take this part. */
function requirePart({ type }: ServiceKey, part: Part): void {
  if (!services[type].needs[part]) throw new NotFound();
}

/**
 * The rules for customers' uploads. The target is a kind of review, or the earlier review of a second look. The file
 * goes to their draft of it.
 */
export const draftUploads: Record<Part, UploadRules> = {
  resume: buildUploadRules("resume"),
  portfolio: buildUploadRules("portfolio"),
};

function buildUploadRules(part: Part): UploadRules {
  return {
    async admit(db, uploaderId, upload) {
      await getUploadKey(db, uploaderId, part, upload);
    },
    async attach(tx, uploaderId, upload, file) {
      const [column, path] =
        part === "resume"
          ? (["resumeFileId", "resumeFilePath"] as const)
          : (["portfolioFileId", "portfolioFilePath"] as const);
      const key = await getUploadKey(tx, uploaderId, part, upload);
      await changeDraft(tx, uploaderId, key, { [column]: file.id });
      // A rendering problem must not block the upload. Opening the draft starts the rendering again.
      const materials = { resumeFilePath: null, portfolioFilePath: null, [path]: file.path };
      await ensurePages(tx, materials).catch(() => {});
    },
  };
}

/** @throws {NotFound} for an unknown service or another person's review, or one that takes no such file. */
async function getUploadKey(db: Database, id: string, part: Part, { target }: Upload) {
  const key = await getServiceKey(db, { id }, target);
  requirePart(key, part);
  return key;
}

async function removeFromDraft(
  db: Database,
  actor: Person,
  key: ServiceKey,
  column: keyof DraftChange,
): Promise<void> {
  await db
    .update(reviewDrafts)
    .set({ ...withDependents({ [column]: null }), ...buildNextRevision(now()) })
    .where(and(isOwnDraft(actor, key), isNotNull(reviewDrafts[column])));
}

/** Returns the change that counts a revision of a draft. */
export function buildNextRevision(updatedAt: Date) {
  return { revision: sql`${reviewDrafts.revision} + 1`, updatedAt };
}

function toDraftFile(
  { bucket, path, originalName, size }: typeof storedFiles.$inferSelect,
  copy: CopyState,
): DraftFile {
  return { name: originalName, size, address: getFileAddress(bucket, path), copy };
}

/** Returns the state of a file's blacked-out copy. @param blackOut the id of the finished one */
export function getCopyState(request: CopyRequest | null, blackOut: string | null): CopyState {
  if (request) return request.problem === null ? "coming" : "failed";
  return blackOut ? "made" : "none";
}
