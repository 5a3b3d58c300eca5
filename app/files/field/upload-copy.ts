import { flaws } from "../inspect/finding.ts";
import {
  extensionOf,
  mimeTypes,
  nameProblem,
  sizeProblem,
  typeProblem,
  type UploadProblem,
  type UploadPurpose,
  uploadRules,
} from "../rules.ts";

/** The title of the notice that an upload did not succeed, whatever the reason. */
export function failedTitle(purpose: UploadPurpose | null): string {
  if (purpose === "review-image" || purpose === "review-file") {
    return uploadRules[purpose].tooLarge.title;
  }
  return "Upload failed";
}

/** The title of the notice that an upload succeeded. */
export function uploadedTitle(purpose: UploadPurpose): string {
  return purpose === "review-image" ? "Image uploaded successfully" : "File uploaded successfully";
}

export const noRoom = "We have no room for files just now. Please try again in a while.";
export const noSession = "No user session found";
export const noFileChosen = "Please choose a file first.";
export const oneFileOnly = "Please choose one file at a time.";
export const nameTooLong = "Please give the file a shorter name.";

/** What is plainly wrong with a chosen file; the server looks at its content as well. */
export function chooseProblem(
  purpose: UploadPurpose,
  { name, type, size }: { name: string; type: string; size: number },
): UploadProblem | null {
  if (size === 0) return typeProblem(purpose, flaws.empty);
  if (extensionOf(name) === null && !mayBe(purpose, type)) return typeProblem(purpose);
  return nameProblem(purpose, name) ?? sizeProblem(purpose, size);
}

function mayBe(purpose: UploadPurpose, type: string): boolean {
  const { kinds } = uploadRules[purpose];
  return !kinds || type === "" || kinds.some((kind) => mimeTypes[kind] === type);
}
