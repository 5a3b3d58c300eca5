import type { Database } from "../../platform/database.server.ts";
import type { UploadPurpose } from "../rules.ts";
import type { storedFiles } from "../tables.server.ts";

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
