import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { attempt, readForm } from "../../platform/forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Route } from "./+types/save-draft.action.ts";
import { readWorkspace } from "./find.server.ts";
import { messages } from "../assign/rules.ts";
import { saveDraftFeedback } from "./save-draft-feedback.server.ts";

const draftForm = z.object({ feedback: z.string(), version: z.string() });

/**
 * Takes what is being written, every few seconds; answers in data and never leads elsewhere. When the
 * draft was changed meanwhile the answer holds what it is now.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request, draftForm);
  if (!form.ok) return Response.json({ message: "Nothing was sent to save." }, { status: 422 });
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const { reviewId } = params;
  const saved = await attempt(
    context,
    () => saveDraftFeedback(db, actor, { reviewId, ...form.value }),
    { fallback: "Please try again in a moment." },
  );
  if (saved.ok) return Response.json({ version: saved.value });
  const { message } = saved;
  const isChanged = message === messages.draftChanged && actor;
  const current = isChanged ? await readWorkspace(db, actor, reviewId) : null;
  return Response.json(
    { message, current: current?.draft },
    { status: saved.refusal.init?.status ?? 500 },
  );
}
