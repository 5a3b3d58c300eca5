import { z } from "zod";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { createFieldLengthCheck, line, lines } from "../../platform/text/text-fields.server.ts";
import { parseWebLink } from "../contact/apply-methods.ts";
import { jobTypes } from "../rules.ts";
import { toDetailValues } from "./details/parse-details.server.ts";
import type { WrittenJob } from "./job-commands.server.ts";
import { blankFields, type JobValues, maxLengths } from "./rules.ts";

const formatTooLong = (max: number) =>
  `Please keep this within ${formatIndianNumber(max)} characters`;

const toNullIfEmpty = (text: string) => text || null;

function buildOptionalField(max: number) {
  return line.pipe(
    z.string().refine(createFieldLengthCheck(max), formatTooLong(max)).transform(toNullIfEmpty),
  );
}

function buildRequiredField(max: number, message: string) {
  return lines.pipe(
    z.string().min(1, message).refine(createFieldLengthCheck(max), formatTooLong(max)),
  );
}

function buildMinLengthField(min: number, max: number, message: string) {
  return line.pipe(
    z.string().min(min, message).refine(createFieldLengthCheck(max), formatTooLong(max)),
  );
}

function buildLinkField(max: number) {
  return line.pipe(
    z
      .string()
      .refine(createFieldLengthCheck(max), formatTooLong(max))
      .refine((text) => text === "" || parseWebLink(text) !== null, "Must be a valid URL")
      .transform(parseWebLink),
  );
}

const minTitleLength = 3;

/** The fields of a listing, the same for every role. */
export const jobFields = z.object({
  title: buildMinLengthField(
    minTitleLength,
    maxLengths.title,
    `Job title must be at least ${minTitleLength} characters`,
  ),
  company: buildMinLengthField(2, maxLengths.company, "Company name is required"),
  location: buildMinLengthField(2, maxLengths.location, "Location is required"),
  jobType: z.enum(jobTypes, "Please select a valid job type").default("Full-time"),
  compensation: buildOptionalField(maxLengths.compensation),
  description: buildRequiredField(maxLengths.description, "Please summarise the job"),
  largeDescription: buildRequiredField(
    maxLengths.largeDescription,
    "Please describe the job in detail",
  ),
  pocName: buildOptionalField(maxLengths.pocName),
  pocContact: buildOptionalField(maxLengths.pocContact),
  portalApplicationLink: buildLinkField(maxLengths.portalApplicationLink),
  directApplicationLink: buildLinkField(maxLengths.directApplicationLink),
});

/** Formats a listing as the values of its form. */
export function toJobValues(written: WrittenJob): JobValues {
  const names = Object.keys(blankFields) as (keyof typeof blankFields)[];
  const fields = Object.fromEntries(names.map((name) => [name, written[name] ?? ""]));
  const closesOn = written.closesOn ?? "";
  return { ...(fields as typeof blankFields), ...toDetailValues(written), closesOn };
}
