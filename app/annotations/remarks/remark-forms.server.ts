import { redirect } from "react-router";
import { z } from "zod";
import { currentActor, signedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formIntent, reasonAboveForm, type Sent } from "../../platform/forms.server.ts";
import { reviewIdOf } from "../../reviews/addresses.ts";
import {
  deleteRemark,
  listRemarks,
  rankRemarks,
  saveRemark,
  settleEarlierRemarks,
  tickRemark,
} from "./remarks.server.ts";
import { readTargetKey, type Remark, remarkMessages } from "../rules.ts";
import { deletePhrase, savePhrase, scoreCriterion } from "./scores.server.ts";

type RemarkForm<Schema extends z.ZodType> = {
  schema: Schema;
  run(sent: Sent<z.output<Schema>>): Promise<unknown>;
  /** What is said of it where no script shows the change. */
  said: string;
  failed: string;
};

/**
 * One row of both tables below. Scripts send it while the screen stays and are answered in data; when a
 * remark was changed meanwhile that holds what it is now. Without scripts the screen comes anew.
 */
function row<Schema extends z.ZodType>({ schema, run, said, failed }: RemarkForm<Schema>) {
  return {
    plain: formIntent({
      schema,
      run,
      done: (_, { url }) => ({
        toast: { kind: "success", title: said },
        data: redirect(`${url.pathname}#remarks`),
      }),
      failed: reasonAboveForm(failed),
    }),
    data: formIntent({
      schema,
      run,
      done: (result) => ({ data: Response.json({ result: result ?? null }) }),
      async failed({ message, refusal }, sent) {
        const { errors } = refusal.data;
        const status = refusal.init?.status ?? 500;
        return {
          data: Response.json({ message, errors, ...(await asItIs(message, sent)) }, { status }),
        };
      },
      fallback: "Please try again in a moment.",
    }),
  };
}

/** Who is told that a remark was changed may see it: they write the same review. */
async function asItIs(
  message: string,
  { context, params, values }: Sent<unknown>,
): Promise<{ current?: Remark | null }> {
  if (message !== remarkMessages.changed && message !== remarkMessages.deleted) return {};
  const remarks = await listRemarks(context.get(appContext).db, params.reviewId ?? "");
  return { current: remarks.find(({ id }) => id === values.id) ?? null };
}

function asked({ context, params: { reviewId = "" } }: Sent<unknown>) {
  return [context.get(appContext).db, context.get(currentActor), reviewId] as const;
}

const optionalNumber = (typed: string) => (typed === "" ? null : Number(typed));

const saveForm = row({
  schema: z.object({
    id: z.string(),
    target: z.string(),
    x: z.string(),
    y: z.string(),
    width: z.string(),
    height: z.string(),
    severity: z.string(),
    criterion: z.string(),
    text: z.string(),
    quote: z.string(),
    suggestion: z.string(),
    base: z.string(),
    last: z.string(),
  }),
  run(sent) {
    const [db, actor, reviewId] = asked(sent);
    const { target, x, y, width, height, base, last, ...remark } = sent.value;
    const sides = { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
    return saveRemark(db, actor, {
      ...remark,
      reviewId,
      target: readTargetKey(target),
      area: x === "" ? null : sides,
      base: optionalNumber(base),
      last: optionalNumber(last),
    });
  },
  said: "Remark saved",
  failed: "Failed to save the remark",
});

const deleteForm = row({
  schema: z.object({ id: z.string(), base: z.string() }),
  run(sent) {
    const [db, actor, reviewId] = asked(sent);
    return deleteRemark(db, actor, { reviewId, id: sent.value.id, base: Number(sent.value.base) });
  },
  said: "Remark deleted",
  failed: "Failed to delete the remark",
});

const rankForm = row({
  schema: z.object({ ids: z.string() }),
  run(sent) {
    const [db, actor, reviewId] = asked(sent);
    const ids = sent.value.ids.split(",").filter((id) => id !== "");
    return rankRemarks(db, actor, { reviewId, ids });
  },
  said: "Saved what comes first",
  failed: "Failed to save what comes first",
});

const scoreForm = row({
  schema: z.object({ criterion: z.string(), score: z.string() }),
  run(sent) {
    const [db, actor, reviewId] = asked(sent);
    const { criterion, score } = sent.value;
    return scoreCriterion(db, actor, { reviewId, criterion, score: optionalNumber(score) });
  },
  said: "Score saved",
  failed: "Failed to save the score",
});

const settleForm = row({
  schema: z.object({ keep: z.enum(["yes", "no"]) }),
  run(sent) {
    const [db, actor, reviewId] = asked(sent);
    return settleEarlierRemarks(db, actor, { reviewId, keep: sent.value.keep === "yes" });
  },
  said: "Saved",
  failed: "Failed to save that",
});

const savePhraseForm = row({
  schema: z.object({ text: z.string() }),
  run(sent) {
    const [db, actor] = asked(sent);
    return savePhrase(db, actor, sent.value);
  },
  said: "Phrase saved",
  failed: "Failed to save the phrase",
});

const deletePhraseForm = row({
  schema: z.object({ id: z.string() }),
  run(sent) {
    const [db, actor] = asked(sent);
    return deletePhrase(db, actor, sent.value);
  },
  said: "Phrase deleted",
  failed: "Failed to delete the phrase",
});

/** Every form of remarks; `plain` for those of a screen, `data` for scripts. */
export const remarkForms = {
  save: saveForm,
  delete: deleteForm,
  rank: rankForm,
  score: scoreForm,
  settleEarlier: settleForm,
  savePhrase: savePhraseForm,
  deletePhrase: deletePhraseForm,
};

/**
 * Ticks a remark off. What is sent says how it is to be, not that it is to change: so two tabs, and a form that
 * is sent twice, come to the same. Without scripts the remark is shown again.
 */
export const tickForm = formIntent({
  schema: z.object({
    remark: z.string(),
    done: z.enum(["yes", "no"]),
    /** The number of the remark to go back to; none where the screen stays. */
    back: z.string().regex(/^\d{0,3}$/),
  }),
  run({ context, params, url, value: { remark, done } }) {
    const reviewId = reviewIdOf({ params, url }) ?? "";
    const ticked = { reviewId, id: remark, isDone: done === "yes" };
    return tickRemark(context.get(appContext).db, signedInActor(context), ticked);
  },
  done: (_, { url, value: { back } }) => ({
    data: back ? redirect(`${url.pathname}${url.search}#remark-${back}`) : { ok: true as const },
  }),
  failed: "The remark could not be ticked off",
});
