import { day, hour, minute, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, TooMany } from "../../platform/errors.ts";
import type { AppContext } from "../../platform/app-context.server.ts";
import type { Leases } from "../../platform/leases.server.ts";
import { countTry } from "../../platform/rate-limit.server.ts";
import type { Partials } from "./partials.server.ts";
import {
  nameProblem,
  sizeProblem,
  typeProblem,
  uploadedTooMuch,
  uploadPurposes,
  uploadRules,
} from "../rules.ts";
import type { FileStore } from "../store.server.ts";
import {
  asRefusal,
  type CountHeldFiles,
  RefusedUpload,
  type Upload,
  type UploadRulesByPurpose,
} from "./upload-rules.server.ts";
import { failedTitle, nameTooLong } from "../field/upload-copy.ts";
import type { DocumentProcess } from "../inspect/document-process.server.ts";
import { flaws } from "../inspect/finding.ts";

/** What receiving files works with. */
export type UploadParts = {
  app: AppContext;
  store: FileStore;
  rules: UploadRulesByPurpose;
  documents: DocumentProcess;
  countHeldFiles: CountHeldFiles;
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
  if (!purpose) throw refused(null, "It is not clear what this file is for.");
  const target = declared.target ?? "";
  if (!/^[\w-]{1,64}$/.test(target))
    throw refused(purpose, "It is not clear what this file is for.");
  const name = nameAlone(declared.name ?? "");
  if (!name) throw refused(purpose, "This file has no name.");
  if (name.length > maxNameLength) throw refused(purpose, nameTooLong);
  const note = declared.note?.toWellFormed().replaceAll("\u0000", "").trim() || null;
  if (note && note.length > maxNoteLength) {
    throw refused(purpose, `Please keep the text under ${maxNoteLength} characters.`);
  }
  return { purpose, target, name, note };
}

/**
 * Decides before a file arrives whether it may.
 *
 * @param size in bytes as declared; null when it will only be known at the end.
 * @throws {RefusedUpload}
 */
export async function admitUpload(
  parts: UploadParts,
  uploaderId: string,
  upload: Upload,
  size: number | null,
): Promise<void> {
  const { app, rules, partials } = parts;
  const { purpose } = upload;
  const tooLarge = size === null ? null : sizeProblem(purpose, size);
  const problem = nameProblem(purpose, upload.name) ?? tooLarge;
  if (problem) throw new RefusedUpload(problem);
  if (size === 0) throw new RefusedUpload(typeProblem(purpose, flaws.empty));
  try {
    await countUpload(app, uploaderId, purpose);
    await checkHeld(parts, app.db, uploaderId, upload, {
      files: 1,
      bytes: (size ?? 0) + (await partials.declaredBytes(uploaderId)),
    });
    await rules[purpose].admit(app.db, uploaderId, upload);
  } catch (error) {
    throw asRefusal(error, purpose);
  }
  const recently = new Date(now().getTime() - restingAfter);
  if ((await partials.countOpen(uploaderId, recently)) >= maxOpenUploads) {
    throw refused(purpose, "Too many uploads at once. Please let one of them finish first.", 429);
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
  purpose: Upload["purpose"],
): Promise<void> {
  const { perHour, perDay } = uploadRules[purpose].allowance;
  await countTry(app, { name: "upload-hour", max: perHour, windowMs: hour }, uploaderId);
  try {
    await countTry(app, { name: "upload-day", max: perDay, windowMs: day }, uploaderId);
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    throw new RefusedUpload(
      { title: failedTitle(purpose), description: uploadedTooMuch.today },
      429,
      { "Retry-After": String(error.retryAfterSeconds) },
    );
  }
}

/** The last part of what may be a path, without what no name holds. */
function nameAlone(name: string): string {
  return name
    .toWellFormed()
    .normalize("NFC")
    .replace(/^.*[/\\]/s, "")
    .replace(/\p{Cc}/gu, "")
    .trim();
}

function refused(
  purpose: Upload["purpose"] | null,
  description: string,
  status = 422,
): RefusedUpload {
  return new RefusedUpload({ title: failedTitle(purpose), description }, status);
}
