import { z } from "zod";
import { validateClosingDate, closingForm } from "../jobs/manage/details/closing-date.server.ts";
import { detailsForm } from "../jobs/manage/details/parse-details.server.ts";
import { detailsMarker, maxDetailLengths } from "../jobs/manage/details/rules.ts";
import { jobFields } from "../jobs/manage/job-fields.server.ts";
import { blankJob, type JobInput, type JobValues, maxLengths } from "../jobs/manage/rules.ts";
import { parseContact } from "../jobs/contact/parse-contact.ts";
import { Invalid } from "../platform/errors.ts";
import { cleanLine, cleanLines } from "../platform/text/text.ts";
import type { DraftFields, SubmissionSource } from "./rules.ts";

const { company: _company, ...blankFields } = blankJob;
const fieldNames = Object.keys(blankFields) as (keyof DraftFields)[];
const severalLines = new Set<string>(["description", "largeDescription"]);

/** The limit of the details, in UTF-16 units. The places are the longest. */
const maxOtherLength = maxDetailLengths.places;

/**
 * Reads the typed text of a listing's form. A draft may be incomplete, but no field may be longer than its limit.
 *
 * @throws {Invalid} for a text that is too long
 */
export function readDraft(values: Readonly<Record<string, string>>): Partial<DraftFields> {
  const errors: Record<string, string> = {};
  const fields: Partial<Record<string, string>> = {};
  for (const name of fieldNames) {
    const text = values[name] ?? "";
    const cleaned = severalLines.has(name) ? cleanLines(text) : cleanLine(text);
    const max = maxLengths[name as keyof typeof maxLengths] ?? maxOtherLength;
    if (cleaned.length > max) errors[name] = `Please keep this within ${max} characters`;
    if (cleaned !== "") fields[name] = cleaned;
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return fields;
}

/** Picks the typed text from the values of a listing's form, such as those of a published listing. */
export function toTypedFields({ company: _name, ...values }: JobValues): Partial<DraftFields> {
  return Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ""));
}

/** Fills in the fields that a draft leaves out, for its form and its preview. */
export function toDraftValues(fields: Partial<DraftFields>, company: string): JobValues {
  return { ...blankJob, ...fields, company };
}

/** A contact is optional in the forms of staff, and required here. */
const contactForm = z
  .object({ pocName: z.string(), pocContact: z.string() })
  .transform(({ pocName, pocContact }, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [name], message });
    const namesAWay = parseContact(pocContact).parts.some(({ kind }) => kind !== "text");
    if (pocName === "") refuse("pocName", "Enter the name of a person whom designers can ask");
    if (!namesAWay) refuse("pocContact", "Enter their email address, their phone number or a link");
    return {};
  });

const importedForm = jobFields.and(detailsForm).and(closingForm);
const completeForm = importedForm.and(contactForm);

/**
 * Reads a complete listing: all that the listing form of staff requires, and a contact unless it was imported.
 *
 * @param company the name of the company, as its page shows it
 * @throws {Invalid} with a message for each field that is missing or wrong
 */
export function readListing(
  fields: Partial<DraftFields>,
  company: string,
  source: SubmissionSource = "form",
): JobInput {
  const values = { ...toDraftValues(fields, company), [detailsMarker]: "yes" };
  const parsed = (source === "import" ? importedForm : completeForm).safeParse(values);
  if (!parsed.success) {
    const errors: Record<string, string> = {};
    for (const { path, message } of parsed.error.issues) errors[path.join(".")] ??= message;
    throw new Invalid(errors);
  }
  validateClosingDate(parsed.data);
  return parsed.data;
}
