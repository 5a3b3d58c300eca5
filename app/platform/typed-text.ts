/** How texts of forms are counted: as `maxlength` counts in browsers, in UTF-16 code units with one for a line end. */
import { z } from "zod";

/**
 * Lines that were typed into a form. Browsers send two characters at the end of a line and count one: limits are for
 * what this gives. PostgreSQL refuses a zero character.
 */
export const typedLines = z
  .string()
  .transform((text) => text.replace(/\r\n?/g, "\n").replaceAll("\u0000", "").trim());

/**
 * For `refine` of a schema: whether a text fits into a field with this `maxlength`. Zod's own `max` counts code points
 * and would take more than the field.
 */
export function fitsField(most: number): (text: string) => boolean {
  return (text) => text.length <= most;
}
