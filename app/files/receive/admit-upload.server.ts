import { day, hour, minute, now } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/app-context.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, isDiskFull, isExpected, TooMany } from "../../platform/errors.ts";
import type { Leases } from "../../platform/leases.server.ts";
import { countTry } from "../../platform/rate-limit.server.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { getUploadFailureTitle, nameTooLong, noRoom } from "../upload-messages.ts";
import type { DocumentProcess } from "../inspect/document-process.server.ts";
import { fileProblems } from "../finding.ts";
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

/** An upload as declared by its sender. */
export type Upload = {
  purpose: UploadPurpose;
  /** The target of the file, depending on the purpose: a type of review or a review's id. */
  target: string;
  /** The file's name from the browser. */
  name: string;
  /** A screenshot's annotation or a file's description. */
  note: string | null;
};

export type StoredFile = typeof storedFiles.$inferSelect;

export type UploadRules = {
  /**
   * Checks the permission for an upload before the first byte, and again before the file is stored. The target is
   * untrusted.
   *
   * @throws {Denied | NotFound | Conflict | Invalid} if the upload isn't allowed.
   */
  admit: (db: Database, uploaderId: string, upload: Upload) => Promise<void>;
  /**
   * Attaches the finished file to its target, in the transaction that records it. The same errors refuse the file.
   */
  attach: (tx: Database, uploaderId: string, upload: Upload, file: StoredFile) => Promise<void>;
};

/** Counts a person's uploads outside paid reviews. */
type CountHeldFiles = (
  db: Database,
  uploaderId: string,
) => Promise<{ files: number; bytes: number }>;

/** Checks whether a file is still attached to its target. */
type IsInPlace = (db: Database, file: StoredFile) => Promise<boolean>;

export type UploadRulesByPurpose = Record<UploadPurpose, UploadRules>;

/** The services needed to receive files. */
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

/** The limit of a person's uploads in progress. Idle ones don't count. */
const maxOpenUploads = 10;
const restingAfter = 10 * minute;

const maxNameLength = 255;
const maxNoteLength = 2000;

/**
 * Parses the declaration of an upload.
 *
 * @throws {RefusedUpload} if it is invalid.
 */
export function readDeclaration(declared: Record<string, string | null | undefined>): Upload {
  const purpose = uploadPurposes.find((candidate) => candidate === declared.purpose);
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
 * Checks whether an upload may start.
 *
 * @param size the declared size in bytes, or null if it is unknown
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
  if (size === 0) throw new RefusedUpload(buildTypeProblem(purpose, fileProblems.empty));
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

/** @throws {Conflict} if these additional files would exceed the account's limit. */
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

async function countUpload(app: AppContext, uploaderId: string, purpose: UploadPurpose) {
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

/** Returns the last segment of a possible path, without characters that are invalid in names. */
function extractFileBaseName(name: string): string {
  return cleanLine(name.toWellFormed().replace(/^.*[/\\]/s, ""));
}

/** Thrown when an upload is refused. Its message is for the person. */
export class RefusedUpload extends Error {
  override name = "RefusedUpload";
  readonly problem: UploadProblem;
  readonly status: number;
  /** Headers of the answer. */
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

/** Creates a refusal with our own message. */
export function createRefusal(
  purpose: UploadPurpose | null,
  description: string,
  status = 422,
): RefusedUpload {
  return new RefusedUpload({ title: getUploadFailureTitle(purpose), description }, status);
}

/** Converts an error that the person caused to a refusal. Other errors stay unchanged. */
export function toRefusal(error: unknown, purpose: UploadPurpose | null): unknown {
  if (!isExpected(error)) return error;
  const problem = { title: getUploadFailureTitle(purpose), description: error.message };
  if (!(error instanceof TooMany)) return new RefusedUpload(problem);
  return new RefusedUpload(problem, 429, { "Retry-After": String(error.retryAfterSeconds) });
}

/** The status for a full disk. The received part is kept, so the browser can resume later. */
export const noRoomStatus = 507;

/** Returns the refusal for a full disk, or null for any other error. */
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
