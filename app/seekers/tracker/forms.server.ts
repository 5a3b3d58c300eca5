import { z } from "zod";
import { parseWebLink } from "../../jobs/contact/apply-methods.ts";
import { now } from "../../platform/clock.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { createFieldLengthCheck, line, lines } from "../../platform/text/text-fields.server.ts";
import {
  listingPrefix,
  maxRestoredEvents,
  type ReplyAnswer,
  replyLabels,
  replyOutcomes,
  trackerLimits,
  trackerStates,
} from "./rules.ts";

const formatLimit = (max: number) => `Enter at most ${formatIndianNumber(max)} characters.`;

function buildTextField(max: number) {
  return line.pipe(z.string().refine(createFieldLengthCheck(max), formatLimit(max)));
}

/** The facts of a job that was found elsewhere. */
const ownFields = {
  title: buildTextField(trackerLimits.title).refine(Boolean, "Enter the job's title."),
  company: buildTextField(trackerLimits.company).refine(Boolean, "Enter the company's name."),
  place: buildTextField(trackerLimits.place),
  url: buildTextField(trackerLimits.url)
    .refine(isLinkOrEmpty, "Enter a link that begins with https:// or http://.")
    .transform((text) => parseWebLink(text) ?? ""),
};

function isLinkOrEmpty(text: string): boolean {
  return text === "" || parseWebLink(text) !== null;
}

const state = z.enum(trackerStates, "Choose a state.");
const version = z.coerce.number().int().min(0).max(1_000_000_000);

export const newTrackedJob = z.object({ ...ownFields, state });

/** A field for a date in India; "" means none. */
const dateField = line
  .refine((text) => text === "" || isDateInRange(text), "Enter a date, such as 2026-12-31.")
  .transform((text) => text || null);

function isDateInRange(text: string): boolean {
  const isInRange = text >= "2000-01-01" && text <= "2099-12-31";
  return isInRange && z.iso.date().safeParse(text).success;
}

/** The quick move from the list. */
export const trackedJobMove = z.object({ id: z.string(), version, state });

const details = {
  version,
  state,
  appliedOn: dateField,
  nextStepOn: dateField,
  notes: lines.pipe(
    z
      .string()
      .refine(createFieldLengthCheck(trackerLimits.notes), formatLimit(trackerLimits.notes)),
  ),
};

/** The form of one job. Only a job that was found elsewhere has the fields for its facts. */
export const trackedJobForm = z.object({
  ...details,
  title: ownFields.title.optional(),
  company: ownFields.company.optional(),
  place: ownFields.place.optional(),
  url: ownFields.url.optional(),
});

const moment = z.iso
  .datetime()
  .transform((text) => new Date(text))
  .refine((date) => date <= now());
/** Texts that were copied from a listing can be longer than those of the form. */
const copied = z.string().max(trackerLimits.url);

/** The question if a company replied. */
export const replyForm = z.object({
  id: z.string(),
  outcome: z.enum(Object.keys(replyLabels) as ReplyAnswer[], "Choose an answer."),
});

/** A removed job, as its page sends it back. People could change it, but it only holds their own data. */
export const removedJob = z.object({
  id: z.guid(),
  jobId: z.guid().nullable(),
  title: copied.min(1),
  company: copied,
  place: copied,
  url: copied.refine((text) => text.startsWith(listingPrefix) || isLinkOrEmpty(text)),
  state,
  appliedOn: z.iso.date().nullable(),
  nextStepOn: z.iso.date().nullable(),
  notes: z.string().max(trackerLimits.notes),
  // Pages from before this field don't send it.
  motivation: z.string().max(trackerLimits.motivation).default(""),
  version,
  createdAt: moment,
  askedAt: moment.optional(),
  history: z.array(z.object({ state, at: moment })).max(maxRestoredEvents),
  reply: z.object({ outcome: z.enum(replyOutcomes), at: moment }).optional(),
});

const unreadable = "We couldn't read the removed job.";

/** The form that restores a removed job, which it holds as JSON. */
export const restoredJob = z.object({
  removed: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: unreadable });
        return z.NEVER;
      }
    })
    .pipe(removedJob),
});
