import { type UploadPurpose, uploadRules } from "../rules.ts";

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

export const noSession = "No user session found";
export const noFileChosen = "Please choose a file first.";
export const oneFileOnly = "Please choose one file at a time.";
export const nameTooLong = "Please give the file a shorter name.";
