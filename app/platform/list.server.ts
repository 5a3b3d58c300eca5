import type { z } from "zod";

/** The last row of a page, as the address of the page behind it names it. */
export function writeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** @returns null for what is no cursor of this kind: the first page, then. */
export function readCursor<Schema extends z.ZodType>(
  cursor: string | null,
  schema: Schema,
): z.output<Schema> | null {
  if (!cursor) return null;
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return schema.safeParse(values).data ?? null;
  } catch {
    return null;
  }
}
