import { fileProblems } from "./finding.ts";
import {
  extractExtension,
  formatBytes,
  mimeTypes,
  findNameProblem,
  findSizeProblem,
  buildTypeProblem,
  type UploadProblem,
  type UploadPurpose,
  uploadRules,
} from "./rules.ts";

export function getUploadFailureTitle(purpose: UploadPurpose | null): string {
  if (purpose === "review-image" || purpose === "review-file") {
    return uploadRules[purpose].tooLarge.title;
  }
  return "Upload failed";
}

export function getUploadSuccessTitle(purpose: UploadPurpose): string {
  return purpose === "review-image" ? "Image uploaded successfully" : "File uploaded successfully";
}

export const noRoom = "We can't store files right now. Please try again later.";
export const noSession = "No user session found";
export const noFileChosen = "Please choose a file first.";
export const oneFileOnly = "Please choose one file at a time.";
export const nameTooLong = "Please give the file a shorter name.";

/** Finds an obvious problem with a chosen file. The server checks its content too. */
export function findChosenFileProblem(
  purpose: UploadPurpose,
  { name, type, size }: { name: string; type: string; size: number },
): UploadProblem | null {
  if (size === 0) return buildTypeProblem(purpose, fileProblems.empty);
  if (extractExtension(name) === null && !canBeType(purpose, type))
    return buildTypeProblem(purpose);
  return findNameProblem(purpose, name) ?? findSizeProblem(purpose, size);
}

/**
 * Formats the message at the field of a refused file. The toast says what to do, so the field says only what is
 * wrong.
 */
export function formatFieldProblem(
  purpose: UploadPurpose,
  { title, description }: UploadProblem,
): string {
  const { maxBytes, reasons, tooLarge, types, wrongType } = uploadRules[purpose];
  if (description === tooLarge.description)
    return `This file is larger than ${formatBytes(maxBytes)}.`;
  if (description === noSession) return "You're no longer signed in.";
  const expected = wrongType.description;
  if (reasons === "instead" || !description.startsWith(expected)) return description || title;
  return description.slice(`${expected}. `.length) || `This file is not a ${types}.`;
}

function canBeType(purpose: UploadPurpose, type: string): boolean {
  const { kinds } = uploadRules[purpose];
  return !kinds || type === "" || kinds.some((kind) => mimeTypes[kind] === type);
}
