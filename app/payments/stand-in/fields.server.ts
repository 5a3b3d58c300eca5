import type { HonoRequest } from "hono";
import type { Fields } from "./attempt.ts";

/** The fields of a form-encoded request; none for a request of another kind. */
export async function readFields(request: HonoRequest): Promise<Fields> {
  const type = request.header("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return {};
  return Object.fromEntries(new URLSearchParams(await request.text()));
}
