import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { createFormIntent, showReasonAboveForm, type Sent } from "../../platform/forms.server.ts";
import { getOwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { parseArea, parseTarget } from "../rules.ts";
import { deleteRemark, rankRemarks, saveRemark, settleEarlierRemarks } from "./remarks.server.ts";
import { deletePhrase, savePhrase, scoreCriterion } from "./scores.server.ts";

const optionalNumber = z.string().transform((typed) => (typed === "" ? null : Number(typed)));

const saveSchema = z.object({
  intent: z.literal("save-remark"),
  id: z.string(),
  target: z.string().transform(parseTarget),
  area: z.string().transform(parseArea),
  severity: z.string(),
  criterion: z.string(),
  text: z.string(),
  quote: z.string(),
  suggestion: z.string(),
  base: optionalNumber,
  last: optionalNumber,
});
const deleteSchema = z.object({
  intent: z.literal("delete-remark"),
  id: z.string(),
  base: z.coerce.number(),
});
const rankSchema = z.object({
  intent: z.literal("rank-remarks"),
  ids: z.string().transform((ids) => ids.split(",").filter((id) => id !== "")),
});
const scoreSchema = z.object({
  intent: z.literal("score"),
  criterion: z.string(),
  score: optionalNumber,
});
const settleSchema = z.object({
  intent: z.literal("settle-earlier"),
  keep: z.enum(["yes", "no"]).transform((keep) => keep === "yes"),
});
const savePhraseSchema = z.object({ intent: z.literal("save-phrase"), text: z.string() });
const deletePhraseSchema = z.object({ intent: z.literal("delete-phrase"), id: z.string() });

/** The schemas of changes to remarks and scores, for an endpoint's union of changes. */
export const remarkChanges = [saveSchema, deleteSchema, rankSchema, scoreSchema] as const;
/** The schemas of changes to a reviewer's own phrases. */
export const phraseChanges = [savePhraseSchema] as const;

type RemarkChange = z.output<
  | (typeof remarkChanges)[number]
  | typeof settleSchema
  | typeof savePhraseSchema
  | typeof deletePhraseSchema
>;

/**
 * Applies a change to a review's remarks, scores or phrases.
 *
 * @returns the saved remark; undefined for other changes
 * @throws the errors of the change's command.
 */
export async function applyRemarkChange(
  { db, actor, reviewId }: { db: Database; actor: Actor | null; reviewId: string },
  change: RemarkChange,
): Promise<unknown> {
  switch (change.intent) {
    case "save-remark":
      return saveRemark(db, actor, { reviewId, ...change });
    case "delete-remark":
      return deleteRemark(db, actor, { reviewId, ...change });
    case "rank-remarks":
      return rankRemarks(db, actor, { reviewId, ids: change.ids });
    case "score":
      return scoreCriterion(db, actor, { reviewId, ...change });
    case "settle-earlier":
      return settleEarlierRemarks(db, actor, { reviewId, keep: change.keep });
    case "save-phrase":
      return savePhrase(db, actor, change);
    case "delete-phrase":
      return deletePhrase(db, actor, change);
  }
}

/** Returns the review of a change, and its sender. */
export function getChangeContext({ context, params: { reviewId = "" } }: Sent<unknown>) {
  return { db: context.get(appContext).db, actor: context.get(currentActor), reviewId };
}

/** Builds a form for browsers without scripts, which reloads the screen. */
function buildPlainForm(
  schema: z.ZodType<RemarkChange>,
  { done, failed }: { done: string; failed: string },
) {
  return createFormIntent({
    schema,
    run: (form) => applyRemarkChange(getChangeContext(form), form.value),
    done: (_, { url: { pathname } }) => ({
      toast: { kind: "success", title: done },
      data: redirect(`${getOwnPath({ pathname })}#remarks`),
    }),
    failed: showReasonAboveForm(failed),
  });
}

/** The forms of the screens that show an editor of remarks. */
export const remarkForms = {
  save: buildPlainForm(saveSchema, { done: "Remark saved", failed: "Failed to save the remark" }),
  delete: buildPlainForm(deleteSchema, {
    done: "Remark deleted",
    failed: "Failed to delete the remark",
  }),
  score: buildPlainForm(scoreSchema, { done: "Score saved", failed: "Failed to save the score" }),
  settleEarlier: buildPlainForm(settleSchema, { done: "Saved", failed: "Failed to save that" }),
  deletePhrase: buildPlainForm(deletePhraseSchema, {
    done: "Phrase deleted",
    failed: "Failed to delete the phrase",
  }),
};
