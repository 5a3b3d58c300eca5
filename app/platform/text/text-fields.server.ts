import { z } from "zod";
import { cleanLine, cleanLines } from "./text.ts";

/** A field of one line, for an email's header or a list. A missing field is empty. */
export const line = z.string().default("").transform(cleanLine);

/**
 * A field of several lines. A missing field is empty. Browsers send two characters for a line end but count one, so
 * limits apply to the cleaned text.
 */
export const lines = z.string().default("").transform(cleanLines);

/**
 * For a schema's `refine`: checks whether a text fits a field with this `maxlength`, which browsers count in UTF-16 code
 * units. Zod's `max` counts code points and would accept more.
 */
export function createFieldLengthCheck(maxLength: number): (text: string) => boolean {
  return (text) => text.length <= maxLength;
}
