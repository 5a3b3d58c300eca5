import { createHash } from "node:crypto";
import { eq, or, type SQL, sql } from "drizzle-orm";
import { reviewAssignments } from "../tables.server.ts";

/** Names a state of the draft; two tabs that have the same text have the same version. */
export function draftVersion(draft: string | null): string {
  return createHash("sha256")
    .update(draft ?? "")
    .digest("hex");
}

/** True in SQL while the draft is still what the writer began with, or already what they send. */
export function isDraftUnchanged(sent: { feedback: string; version: string }): SQL {
  const draft = sql`coalesce(${reviewAssignments.draftFeedback}, '')`;
  return or(
    eq(sql`encode(sha256(convert_to(${draft}, 'UTF8')), 'hex')`, sent.version),
    eq(draft, sent.feedback),
  ) as SQL;
}
