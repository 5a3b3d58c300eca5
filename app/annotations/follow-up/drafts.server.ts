import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { cleanText } from "../../platform/text/text.ts";
import { reviewRemarks } from "../tables.server.ts";
import {
  type FollowUpDraft,
  followUpLimits as limits,
  followUpMessages as messages,
} from "./rules.ts";

/** The fields of a question or an answer, as a form or a script sends them. */
export const draftFields = {
  text: z.string(),
  /** The id of a remark; "" for none. */
  remark: z.string(),
  /** The version of the draft that the text was written from. */
  version: z.coerce.number().int().min(0),
};

/**
 * Cleans a sent text and checks its length and remark.
 *
 * @param isSent whether it is sent to the other person, and needs a minimum of characters
 * @throws {Invalid} for a text that is too long or too short, or a remark that the review doesn't have.
 */
export async function validateDraft(
  tx: Database,
  { reviewId, ...form }: FollowUpDraft & { reviewId: string },
  kind: "question" | "answer",
  isSent: boolean,
): Promise<FollowUpDraft> {
  const cleaned = cleanText(form.text);
  const text = isSent ? cleaned.trim() : cleaned;
  if (isSent && text.length < limits.min) throw new Invalid({ text: messages[`${kind}TooShort`] });
  if (text.length > limits[kind]) throw new Invalid({ text: messages[`${kind}TooLong`] });
  if (form.remark !== "" && !(await hasRemark(tx, reviewId, form.remark)))
    throw new Invalid({ remark: messages.remarkRemoved });
  return { ...form, text };
}

async function hasRemark(tx: Database, reviewId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const isTheirs = and(eq(reviewRemarks.id, id), eq(reviewRemarks.reviewId, reviewId));
  return (await tx.$count(reviewRemarks, isTheirs)) > 0;
}

/** Checks whether two drafts say the same. */
export function isSameDraft(one: FollowUpDraft, other: FollowUpDraft): boolean {
  return one.text.trim() === other.text.trim() && one.remark === other.remark;
}

/**
 * Checks that the sent draft replaces the stored one, or repeats it after a lost response.
 *
 * @throws {Conflict} when another tab has saved in the meantime.
 */
export function requireSameVersion(stored: FollowUpDraft, form: FollowUpDraft): void {
  if (stored.version !== form.version && !isSameDraft(stored, form))
    throw new Conflict(messages.changed, { code: "changed", current: stored });
}
