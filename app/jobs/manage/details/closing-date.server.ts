import { z } from "zod";
import { now, toIsoDay } from "../../../platform/clock.ts";
import { Invalid } from "../../../platform/errors.ts";
import { line } from "../../../platform/text/text-fields.server.ts";
import { maxClosing } from "../../check-rules.ts";
import { detailsMarker } from "./rules.ts";

/** The closing date as a form sends it. Undefined leaves the stored one as it is. */
type ClosingDate = { closesOn?: string | null };

const closingErrors = {
  format: "Enter a date, such as 2026-12-31.",
  past: "Choose today or a later date.",
  far: "Choose a date within the next 180 days.",
} as const;

/** Parses the field for the closing date. A form without the marker for details has no such field. */
export const closingForm = z
  .object({ [detailsMarker]: line, closesOn: line })
  .transform((values, context): ClosingDate => {
    if (!values[detailsMarker]) return {};
    if (!values.closesOn) return { closesOn: null };
    if (!isDate(values.closesOn))
      context.addIssue({ code: "custom", path: ["closesOn"], message: closingErrors.format });
    return { closesOn: values.closesOn };
  });

/** The closing date of a form that has nothing else. */
export const closingDate = line.pipe(z.iso.date(closingErrors.format));

function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

/**
 * Checks a new closing date. A stored date in the past may stay, so that old listings can be edited.
 *
 * @throws {Invalid} for a date before today or too far ahead, in India
 */
export function validateClosingDate({ closesOn }: ClosingDate, stored: string | null = null): void {
  if (!closesOn || closesOn === stored) return;
  const { first, last } = getClosingRange(now());
  if (closesOn < first) throw new Invalid({ closesOn: closingErrors.past });
  if (closesOn > last) throw new Invalid({ closesOn: closingErrors.far });
}

/** Returns the first and last possible closing date at a moment, such as "2026-12-31". */
function getClosingRange(moment: Date) {
  return { first: toIsoDay(moment), last: toIsoDay(new Date(moment.getTime() + maxClosing)) };
}
