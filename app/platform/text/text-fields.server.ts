import { z } from "zod";
import { cleanLine, cleanLines } from "./text.ts";

/** A field of one line, for a mail's header or a list; one that a form lacks is empty. */
export const line = z.string().default("").transform(cleanLine);

/**
 * A field of several lines; one that a form lacks is empty. Browsers send two characters at the end of a line and
 * count one: limits are for what this gives.
 */
export const lines = z.string().default("").transform(cleanLines);

/**
 * For `refine` of a schema: whether a text fits into a field with this `maxlength`, which browsers count in UTF-16
 * code units. Zod's own `max` counts code points and would take more than the field.
 */
export function createFieldLengthCheck(most: number): (text: string) => boolean {
  return (text) => text.length <= most;
}
