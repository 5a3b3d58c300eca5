/** The fields of design and the languages that reviewers know and customers wish for; safe for the browser. */
import { type Discipline, disciplines } from "../jobs/details.ts";

export type ReviewField = Exclude<Discipline, "other">;

/** Lists the fields with their labels: the disciplines of jobs, except for "other". */
export function listReviewFields() {
  return disciplines.flatMap(({ value, label }) => (value === "other" ? [] : [{ value, label }]));
}

/** English, and the languages of the Eighth Schedule to the Constitution of India. */
export const languages = [
  "English",
  "Assamese",
  "Bengali",
  "Bodo",
  "Dogri",
  "Gujarati",
  "Hindi",
  "Kannada",
  "Kashmiri",
  "Konkani",
  "Maithili",
  "Malayalam",
  "Manipuri",
  "Marathi",
  "Nepali",
  "Odia",
  "Punjabi",
  "Sanskrit",
  "Santali",
  "Sindhi",
  "Tamil",
  "Telugu",
  "Urdu",
] as const;
export type Language = (typeof languages)[number];

/** The fields and languages that a reviewer knows. */
export type Known = { knownFields: ReviewField[]; languages: Language[] };

/** The field and the language that a customer wishes for; null without a wish. */
export type Wish = { field: ReviewField | null; language: Language | null };

/** Returns the label of a field: "Motion design". */
export function getFieldLabel(field: ReviewField): string {
  return disciplines.find(({ value }) => value === field)?.label ?? field;
}

/** Lists a wish as labels: ["Motion design", "Tamil"]; empty without one. */
export function listWishLabels(wish: Wish | null | undefined): string[] {
  return [wish?.field ? getFieldLabel(wish.field) : null, wish?.language ?? null].filter(
    (label) => label !== null,
  );
}
