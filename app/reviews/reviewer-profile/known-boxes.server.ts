import { z } from "zod";
import { type Known, languages, listReviewFields } from "../fields-and-languages.ts";

/** The checkboxes for a reviewer's fields and languages. Forms have one value for each name, so each box has its own. */
export const knownBoxes = {
  fields: listReviewFields().map((field) => ({ ...field, name: `field-${field.value}` })),
  languages: languages.map((value) => ({ value, label: value, name: `language-${value}` })),
};

type Boxes = Record<`${"field" | "language"}-${string}`, z.ZodOptional<z.ZodString>>;

/** The schema of the boxes. An unticked one is absent. */
export const knownBoxesSchema: Boxes = Object.fromEntries(
  [...knownBoxes.fields, ...knownBoxes.languages].map(({ name }) => [name, z.string().optional()]),
);

/** Returns what a reviewer ticked, in the order of the boxes. */
export function readKnownBoxes(form: Record<string, unknown>): Known {
  const isTicked = ({ name }: { name: string }) => form[name] === "yes";
  return {
    knownFields: knownBoxes.fields.filter(isTicked).map(({ value }) => value),
    languages: knownBoxes.languages.filter(isTicked).map(({ value }) => value),
  };
}
