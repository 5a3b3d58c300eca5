import { z } from "zod";
import { jobTypes, webLink } from "../rules.ts";
import { longest } from "./rules.ts";

const tooLong = (most: number) =>
  `Please keep this within ${most.toLocaleString("en-IN")} characters`;

/** One line: whatever else a paste brings along becomes a space. */
const line = z
  .string()
  .default("")
  .transform((text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim());

/** Several lines, with one kind of line end and no characters that a database refuses. */
const lines = z
  .string()
  .default("")
  .transform((text) =>
    text
      .replace(/\r\n?/g, "\n")
      .replace(/[^\P{Cc}\n\t]/gu, "")
      .trim(),
  );

const orNull = (text: string) => text || null;

function optional(most: number) {
  return line.pipe(z.string().max(most, tooLong(most)).transform(orNull));
}

function required(most: number, message: string) {
  return lines.pipe(z.string().min(1, message).max(most, tooLong(most)));
}

function atLeast(least: number, most: number, message: string) {
  return line.pipe(z.string().min(least, message).max(most, tooLong(most)));
}

function link(most: number) {
  return line.pipe(
    z
      .string()
      .max(most, tooLong(most))
      .refine((text) => text === "" || webLink(text) !== null, "Must be a valid URL")
      .transform(orNull),
  );
}

/** The fields of a listing, the same for whoever writes it. */
export const jobFields = z.object({
  title: atLeast(3, longest.title, "Job title must be at least 3 characters"),
  company: atLeast(2, longest.company, "Company name is required"),
  location: atLeast(2, longest.location, "Location is required"),
  jobType: z.enum(jobTypes, "Please select a valid job type").default("Full-time"),
  compensation: optional(longest.compensation),
  description: required(longest.description, "Please summarise the job"),
  largeDescription: required(longest.largeDescription, "Please describe the job in detail"),
  pocName: optional(longest.pocName),
  pocContact: optional(longest.pocContact),
  portalApplicationLink: link(longest.portalApplicationLink),
  directApplicationLink: link(longest.directApplicationLink),
});
