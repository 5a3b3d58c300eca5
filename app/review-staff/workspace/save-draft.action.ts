import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formAction } from "../../platform/forms.server.ts";
import { messages } from "../../reviews/staff-rules.ts";
import { readWorkspace } from "./find.server.ts";
import { saveDraftFeedback } from "./own-review.server.ts";

/**
 * Takes what is being written, every few seconds; answers in data and never leads elsewhere. When the
 * draft was changed meanwhile the answer holds what it is now.
 */
export const action = formAction({
  schema: z.object({ feedback: z.string(), version: z.string() }),
  run({ context, params: { reviewId = "" }, value }) {
    const { db } = context.get(appContext);
    return saveDraftFeedback(db, context.get(currentActor), { reviewId, ...value });
  },
  done: (version) => ({ data: Response.json({ version }) }),
  async failed({ message, refusal }, { context, params: { reviewId = "" } }) {
    const actor = context.get(currentActor);
    const isChanged = message === messages.draftChanged && actor;
    const current = isChanged
      ? await readWorkspace(context.get(appContext).db, actor, reviewId)
      : null;
    const status = refusal.init?.status ?? 500;
    return { data: Response.json({ message, current: current?.draft }, { status }) };
  },
  fallback: "Please try again in a moment.",
});
