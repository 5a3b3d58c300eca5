import type { HonoRequest } from "hono";
import { parseKeepingDigits } from "./payu.server.ts";

type Fields = Record<string, string>;

/**
 * The fields of a return or a notice exactly as received, since they are signed as received.
 * Notices are documented as forms, but have been seen as JSON.
 *
 * @returns null for a body of another kind, or one that cannot be read.
 */
export async function readCallbackFields(request: HonoRequest): Promise<Fields | null> {
  const type = request.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(await request.text()));
  }
  if (type === "application/json") return readJson(await request.text());
  return null;
}

function readJson(body: string): Fields | null {
  try {
    const values = parseKeepingDigits(body);
    if (typeof values !== "object" || values === null || Array.isArray(values)) return null;
    const texts = Object.entries(values).filter(([, value]) => typeof value === "string");
    return Object.fromEntries(texts);
  } catch {
    return null;
  }
}
