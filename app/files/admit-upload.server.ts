import { day, hour, minute, now } from "../platform/clock.ts";
import type { Machine } from "../platform/machine.server.ts";
import { countTry, type RateLimit } from "../platform/rate-limit.server.ts";
import { countOpenUploads } from "./partial-files.server.ts";
import { asRefusal, RefusedUpload } from "./refused-upload.server.ts";
import { sizeProblem, typeProblem, uploadPurposes } from "./rules.ts";
import type { FileStore } from "./store.server.ts";
import type { Upload, UploadRulesByPurpose } from "./upload-rules.server.ts";
import { failedTitle, nameTooLong } from "./upload-words.ts";
import { flaws } from "./finding.ts";

/** What receiving files works with. */
export type UploadParts = {
  machine: Machine;
  store: FileStore;
  rules: UploadRulesByPurpose;
  /** Absolute path of the folder for files that are still arriving. */
  folder: string;
};

const uploadsByHour: RateLimit = { name: "upload-hour", max: 60, windowMs: hour };
const uploadsByDay: RateLimit = { name: "upload-day", max: 300, windowMs: day };

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
  { machine, rules, folder }: UploadParts,
  uploaderId: string,
  upload: Upload,
  size: number | null,
): Promise<void> {
  const { purpose } = upload;
  const tooLarge = size === null ? null : sizeProblem(purpose, size);
  if (tooLarge) throw new RefusedUpload(tooLarge);
  if (size === 0) throw new RefusedUpload(typeProblem(purpose, flaws.empty));
  try {
    await countTry(machine, uploadsByHour, uploaderId);
    await countTry(machine, uploadsByDay, uploaderId);
    await rules[purpose].admit(machine.db, uploaderId, upload);
  } catch (error) {
    throw asRefusal(error, purpose);
  }
  const recently = new Date(now().getTime() - restingAfter);
  if ((await countOpenUploads(folder, uploaderId, recently)) >= maxOpenUploads) {
    throw refused(purpose, "Too many uploads at once. Please let one of them finish first.", 429);
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
