import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import {
  ensurePages,
  type HandedIn,
  listPages,
} from "../../annotations/document-pages/pages.server.ts";
import { findRenderableKind } from "../../files/render/rendering.ts";
import { uploadedTooMuch, uploadRules } from "../../files/rules.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { type Counting, countTry } from "../../platform/rate-limit.server.ts";
import { queueTask } from "../../platform/tasks.server.ts";
import type { CopyRequest, PageBox } from "../../reviews/black-out.ts";
import type { ServiceKey } from "../../reviews/second-looks.ts";
import { isOwnDraft } from "../../reviews/second-looks.server.ts";
import { blackOuts, reviewDrafts } from "../../reviews/tables.server.ts";
import { countUnusedUploads } from "../../reviews/unreferenced-files.server.ts";
import { buildNextRevision, changeDraft, getCopyState } from "../buy/drafts.server.ts";
import type { CopyState, Part } from "../buy/submission.ts";
import { blackOutMessages as messages } from "./boxes.ts";

export const makeCopyTask = { name: "make-blacked-out-copy" };
export type MakeCopyData = { draftId: string; part: Part; id: string };

/** The columns of each part. */
export const draftColumns = {
  resume: { file: "resumeFileId", copy: "resumeCopy" },
  portfolio: { file: "portfolioFileId", copy: "portfolioCopy" },
} as const;

const originals = alias(storedFiles, "originals");

/**
 * Finds the file of a person's draft with the boxes that they black out.
 *
 * @returns the pages of the original, the saved boxes, and the state of the copy. Null without a file.
 */
export async function findBlackOut(
  db: Database,
  actor: { id: string },
  key: ServiceKey,
  part: Part,
) {
  const draftFile = await findDraftFile(db, actor, key, part);
  if (!draftFile) return null;
  const { original, boxes, version, copy, problem } = draftFile;
  const isShown = findRenderableKind(original.mimeType) !== null;
  if (isShown) await ensurePages(db, toHandedIn(part, original.path));
  return { boxes, version, copy, problem, isShown, ...(await listWholePages(db, part, original)) };
}

/** Lists the pages of a file. `isWhole` is true once all of them are shown. */
async function listWholePages(db: Database, part: Part, { path }: { path: string }) {
  const [listed] = await listPages(db, toHandedIn(part, path));
  const { pages = [], isComing = false, notice = null } = listed ?? {};
  return { pages, isComing, notice, isWhole: pages.length > 0 && !isComing && notice === null };
}

/** Returns the materials of a draft with only this file. */
export function toHandedIn(part: Part, path: string): HandedIn {
  return {
    resumeFilePath: part === "resume" ? path : null,
    portfolioFilePath: part === "portfolio" ? path : null,
  };
}

type DraftFileRow = {
  draftId: string;
  original: typeof storedFiles.$inferSelect;
  boxes: PageBox[];
  /** The id of the saved boxes; null without any. */
  id: string | null;
  /** Changes with the original and with every saved change of the boxes. */
  version: string;
  copy: CopyState;
  problem: string | null;
};

/** Finds the original of a draft's file. */
async function findDraftFile(
  db: Database,
  actor: { id: string },
  key: ServiceKey,
  part: Part,
): Promise<DraftFileRow | null> {
  const columns = draftColumns[part];
  const [row] = await db
    .select({
      draftId: reviewDrafts.id,
      copyRequest: reviewDrafts[columns.copy],
      file: storedFiles,
      blackOut: blackOuts,
      original: originals,
    })
    .from(reviewDrafts)
    .innerJoin(storedFiles, eq(storedFiles.id, reviewDrafts[columns.file]))
    .leftJoin(blackOuts, eq(blackOuts.copyFileId, storedFiles.id))
    .leftJoin(originals, eq(originals.id, blackOuts.originalFileId))
    .where(isOwnDraft(actor, key));
  if (!row) return null;
  const { draftId, copyRequest, file, blackOut } = row;
  const original = row.original ?? file;
  const current = copyRequest ?? blackOut;
  return {
    draftId,
    original,
    boxes: current?.boxes ?? [],
    id: current?.id ?? null,
    version: `${original.id}:${current?.id ?? ""}`,
    copy: getCopyState(copyRequest, blackOut?.id ?? null),
    problem: copyRequest?.problem ?? null,
  };
}

/** Locks a draft in a transaction, and finds the original of its file. */
async function lockDraftFile(...[tx, actor, key, part]: Parameters<typeof findDraftFile>) {
  // Alone, since a query that waits for a lock reads earlier rows of the tables it joins.
  await tx
    .select({ id: reviewDrafts.id })
    .from(reviewDrafts)
    .where(isOwnDraft(actor, key))
    .for("update");
  return findDraftFile(tx, actor, key, part);
}

/** Each press makes a file, as an upload does. */
const limit = { name: "black-out", max: 60, windowMs: hour };

/**
 * Asks for a copy of a draft's file in which these boxes are black. Until it is made, the draft can't be paid. Without
 * boxes, the draft has its original again. Asking for the same boxes again changes nothing.
 *
 * @param shownVersion the version that the person saw
 * @throws {Conflict} when the file or its boxes changed since, pages are missing, or too many files are stored.
 * @throws {Invalid} when there are no boxes, or one is on a page that doesn't exist.
 * @throws {TooMany} after 60 times in an hour.
 */
export async function requestCopy(
  { db, config }: Counting,
  actor: Actor | null,
  key: ServiceKey,
  { part, boxes, shownVersion }: { part: Part; boxes: PageBox[]; shownVersion: string },
): Promise<void> {
  authorize(actor, "review.black-out");
  await countTry({ db, config }, limit, actor.id);
  await db.transaction(async (tx) => {
    const draftFile = await lockDraftFile(tx, actor, key, part);
    if (!draftFile) throw new Conflict(messages.noFile);
    const { draftId, original, version, copy } = draftFile;
    if (draftFile.id && copy !== "failed" && isDeepStrictEqual(draftFile.boxes, boxes)) {
      // The task is lost with the queue, for example in a restore. Two runs make one copy.
      const data = { draftId, part, id: draftFile.id };
      return copy === "coming" ? queueTask<MakeCopyData>(tx, makeCopyTask, data) : undefined;
    }
    if (shownVersion !== version) throw new Conflict(messages.changed);
    if (boxes.length === 0) {
      if (copy === "none") throw new Invalid({ boxes: messages.none });
      return changeDraft(tx, actor.id, key, { [draftColumns[part].file]: original.id });
    }
    const { pages, isWhole } = await listWholePages(tx, part, original);
    if (!isWhole) throw new Conflict(messages.notReady);
    const unknown = boxes.findIndex(({ page }) => !pages.some(({ number }) => number === page));
    if (unknown >= 0) throw new Invalid({ boxes: messages.invalid(unknown + 1) });
    if (config.rateLimits !== "off") await requireRoom(tx, actor, part, original.size);
    const copyRequest: CopyRequest = { id: randomUUID(), boxes, attempts: 0, problem: null };
    await tx
      .update(reviewDrafts)
      .set({
        [draftColumns[part].file]: original.id,
        [draftColumns[part].copy]: copyRequest,
        ...buildNextRevision(now()),
      })
      .where(eq(reviewDrafts.id, draftId));
    await queueTask<MakeCopyData>(tx, makeCopyTask, { draftId, part, id: copyRequest.id });
  });
}

/** @throws {Conflict} if another file would exceed the account's limit of files outside of paid reviews. */
async function requireRoom(tx: Database, actor: { id: string }, part: Part, bytes: number) {
  const { heldFiles, heldBytes } = uploadRules[part].allowance;
  const uploads = await countUnusedUploads(tx, actor.id);
  if (uploads.files + 1 > heldFiles || uploads.bytes + bytes > heldBytes)
    throw new Conflict(uploadedTooMuch.held);
}

/**
 * Takes all boxes back: the draft has its original again. Does nothing if it has it already.
 *
 * @throws {Conflict} when the file was removed.
 */
export async function restoreOriginal(
  db: Database,
  actor: Actor | null,
  key: ServiceKey,
  part: Part,
): Promise<void> {
  authorize(actor, "review.black-out");
  await db.transaction(async (tx) => {
    const draftFile = await lockDraftFile(tx, actor, key, part);
    if (!draftFile) throw new Conflict(messages.noFile);
    if (draftFile.copy === "none") return;
    await changeDraft(tx, actor.id, key, {
      [draftColumns[part].file]: draftFile.original.id,
    });
  });
}

/** True in SQL for the draft that still asks for this copy. */
export function isCopyRequested({ draftId, part, id }: MakeCopyData) {
  return and(
    eq(reviewDrafts.id, draftId),
    sql`${reviewDrafts[draftColumns[part].copy]} ->> 'id' = ${id}`,
  );
}
