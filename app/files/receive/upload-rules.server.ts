import { failedTitle, noRoom } from "../field/upload-copy.ts";
import type { UploadProblem, UploadPurpose } from "../rules.ts";
import type { storedFiles } from "../tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { isDiskFull, isExpected, TooMany } from "../../platform/errors.ts";

/** What somebody wants to upload, as they declare it. */
export type Upload = {
  purpose: UploadPurpose;
  /** What the file is for; each purpose says what this names: a kind of review, a review's id. */
  target: string;
  /** The file's name as the browser gave it. */
  name: string;
  /** A line about the file: a screenshot's annotation, a file's description. */
  note: string | null;
};

export type StoredFile = typeof storedFiles.$inferSelect;

/** What a capability decides about the uploads that are its own. */
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

/** How much a person has uploaded that is no part of a paid review. */
export type CountHeldFiles = (
  db: Database,
  uploaderId: string,
) => Promise<{ files: number; bytes: number }>;

export type UploadRulesByPurpose = Record<UploadPurpose, UploadRules>;

/** A file, or the attempt to upload one, is refused; the person is told why. */
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

/** The error as a refusal if the person caused it, and as it is otherwise. */
export function asRefusal(error: unknown, purpose: UploadPurpose | null): unknown {
  if (!isExpected(error)) return error;
  const problem = { title: failedTitle(purpose), description: error.message };
  if (!(error instanceof TooMany)) return new RefusedUpload(problem);
  return new RefusedUpload(problem, 429, { "Retry-After": String(error.retryAfterSeconds) });
}

/** Told of a full disk, a browser goes on later where it was: what has come is kept. */
export const noRoomStatus = 507;

/** What the person is told of an error that is our full disk; null for any other. */
export function asNoRoom(error: unknown, purpose: UploadPurpose | null): RefusedUpload | null {
  if (!isDiskFull(error)) return null;
  return new RefusedUpload({ title: failedTitle(purpose), description: noRoom }, noRoomStatus);
}
