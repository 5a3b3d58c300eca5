import { day, hour, minute, now } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/app-context.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, isDiskFull, isExpected, TooMany } from "../../platform/errors.ts";
import type { Leases } from "../../platform/leases.server.ts";
import { countTry } from "../../platform/rate-limit.server.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { getUploadFailureTitle, nameTooLong, noRoom } from "../upload-messages.ts";
import type { DocumentProcess } from "../inspect/document-process.server.ts";
import { flaws } from "../finding.ts";
import {
  findNameProblem,
  findSizeProblem,
  buildTypeProblem,
  uploadedTooMuch,
  type UploadProblem,
  type UploadPurpose,
  uploadPurposes,
  uploadRules,
} from "../rules.ts";
import type { FileStore } from "../store.server.ts";
import type { storedFiles } from "../tables.server.ts";
import type { Partials } from "./partials.server.ts";

/** An upload as its sender declares it. */
export type Upload = {
  purpose: UploadPurpose;
  /** The thing that the file is for, which depends on the purpose: a kind of review, a review's id. */
  target: string;
  /** The file's name as the browser gave it. */
  name: string;
  /** A line about the file: a screenshot's annotation, a file's description. */
  note: string | null;
};

export type StoredFile = typeof storedFiles.$inferSelect;

/** The decisions of a capability about its own uploads. */
export type UploadRules = {
  /**
   * Decides before the first byte, and again before the file is kept, whether this person may
   * upload this. The target may be anything that was typed.
   *
   * @throws {Denied | NotFound | Conflict | Invalid} when they may not.
   */
  admit: (db: Database, uploaderId: string, upload: Upload) => Promise<void>;
  /**
   * Makes the finished file part of its target, in the transaction that records it. Throwing one of
   * the same errors refuses the file.
   */
  attach: (tx: Database, uploaderId: string, upload: Upload, file: StoredFile) => Promise<void>;
};

/** Counts a person's uploads that are not part of a paid review. */
type CountHeldFiles = (
  db: Database,
  uploaderId: string,
) => Promise<{ files: number; bytes: number }>;

/** Checks whether a file is still where it was uploaded to. */
type IsInPlace = (db: Database, file: StoredFile) => Promise<boolean>;

export type UploadRulesByPurpose = Record<UploadPurpose, UploadRules>;

/** The parts that receiving files needs. */
export type UploadParts = {
  app: AppContext;
  store: FileStore;
  rules: UploadRulesByPurpose;
  documents: DocumentProcess;
  countHeldFiles: CountHeldFiles;
  isInPlace: IsInPlace;
  partials: Partials;
  leases: Leases;
};

/** Uploads that one person may have under way; one that rests does not hinder the next. */
const maxOpenUploads = 10;
const restingAfter = 10 * minute;

const maxNameLength = 255;
const maxNoteLength = 2000;

/**
 * Reads what was declared of an upload.
 *
 * @throws {RefusedUpload} when it makes no sense.
 */
export function readDeclaration(declared: Record<string, string | null | undefined>): Upload {
  const purpose = uploadPurposes.find((known) => known === declared.purpose);
  if (!purpose) throw createRefusal(null, "We couldn't tell what this file is for.");
  const target = declared.target ?? "";
  if (!/^[\w-]{1,64}$/.test(target))
    throw createRefusal(purpose, "We couldn't tell what this file is for.");
  const name = extractFileBaseName(declared.name ?? "");
  if (!name) throw createRefusal(purpose, "This file has no name.");
  if (name.length > maxNameLength) throw createRefusal(purpose, nameTooLong);
  const note = declared.note?.toWellFormed().replaceAll("\u0000", "").trim() || null;
  if (note && note.length > maxNoteLength) {
    throw createRefusal(purpose, `Please keep the text under ${maxNoteLength} characters.`);
  }
  return { purpose, target, name, note };
}

/**
 * Decides before a file arrives whether it may.
 *
 * @param size in bytes as declared; null when it will only be known at the end.
 * @throws {RefusedUpload}
 */
export async function requireUploadAllowed(
  parts: UploadParts,
  uploaderId: string,
  upload: Upload,
  size: number | null,
): Promise<void> {
  const { app, rules, partials } = parts;
  const { purpose } = upload;
  const tooLarge = size === null ? null : findSizeProblem(purpose, size);
  const problem = findNameProblem(purpose, upload.name) ?? tooLarge;
  if (problem) throw new RefusedUpload(problem);
  if (size === 0) throw new RefusedUpload(buildTypeProblem(purpose, flaws.empty));
  try {
    await countUpload(app, uploaderId, purpose);
    await checkHeld(parts, app.db, uploaderId, upload, {
      files: 1,
      bytes: (size ?? 0) + (await partials.declaredBytes(uploaderId)),
    });
    await rules[purpose].admit(app.db, uploaderId, upload);
  } catch (error) {
    throw toRefusal(error, purpose);
  }
  const recently = new Date(now().getTime() - restingAfter);
  if ((await partials.countOpen(uploaderId, recently)) >= maxOpenUploads) {
    throw createRefusal(purpose, "Too many uploads at once. Please wait for one to finish.", 429);
  }
}

/** @throws {Conflict} when a person with so much more would hold more than one account may. */
export async function checkHeld(
  { app: { config }, countHeldFiles }: Pick<UploadParts, "app" | "countHeldFiles">,
  db: Database,
  uploaderId: string,
  { purpose }: Upload,
  more: { files: number; bytes: number },
): Promise<void> {
  if (config.rateLimits === "off") return;
  const { heldFiles, heldBytes } = uploadRules[purpose].allowance;
  const { files, bytes } = await countHeldFiles(db, uploaderId);
  if (files + more.files > heldFiles || bytes + more.bytes > heldBytes) {
    throw new Conflict(uploadedTooMuch.held);
  }
}

async function countUpload(
  app: AppContext,
  uploaderId: string,
  purpose: UploadPurpose,
): Promise<void> {
  const { perHour, perDay } = uploadRules[purpose].allowance;
  await countTry(app, { name: "upload-hour", max: perHour, windowMs: hour }, uploaderId);
  try {
    await countTry(app, { name: "upload-day", max: perDay, windowMs: day }, uploaderId);
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    throw new RefusedUpload(
      { title: getUploadFailureTitle(purpose), description: uploadedTooMuch.today },
      429,
      { "Retry-After": String(error.retryAfterSeconds) },
    );
  }
}

/** The last part of what may be a path, without what no name holds. */
function extractFileBaseName(name: string): string {
  return cleanLine(name.toWellFormed().replace(/^.*[/\\]/s, ""));
}

/** Thrown when a file, or the attempt to upload it, is refused. Its message is for the person. */
export class RefusedUpload extends Error {
  override name = "RefusedUpload";
  readonly problem: UploadProblem;
  readonly status: number;
  /** Headers of the answer that says so. */
  readonly headers: Record<string, string>;

  constructor(
    { title, description }: UploadProblem,
    status = 422,
    headers: Record<string, string> = {},
  ) {
    super(`${title}: ${description}`);
    this.problem = { title, description };
    this.status = status;
    this.headers = headers;
  }
}

/** A refusal in our own words. */
export function createRefusal(
  purpose: UploadPurpose | null,
  description: string,
  status = 422,
): RefusedUpload {
  return new RefusedUpload({ title: getUploadFailureTitle(purpose), description }, status);
}

/** The error as a refusal if the person caused it, and as it is otherwise. */
export function toRefusal(error: unknown, purpose: UploadPurpose | null): unknown {
  if (!isExpected(error)) return error;
  const problem = { title: getUploadFailureTitle(purpose), description: error.message };
  if (!(error instanceof TooMany)) return new RefusedUpload(problem);
  return new RefusedUpload(problem, 429, { "Retry-After": String(error.retryAfterSeconds) });
}

/** Told of a full disk, a browser goes on later where it was: what has come is kept. */
export const noRoomStatus = 507;

/** Returns the refusal for an error that means our disk is full; null for any other error. */
export function toDiskFullRefusal(
  error: unknown,
  purpose: UploadPurpose | null,
): RefusedUpload | null {
  if (!isDiskFull(error)) return null;
  return new RefusedUpload(
    { title: getUploadFailureTitle(purpose), description: noRoom },
    noRoomStatus,
  );
}
