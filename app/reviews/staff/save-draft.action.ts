import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { attempt, readForm } from "../../platform/forms.server.ts";
import { machine } from "../../platform/machine.server.ts";
import type { Route } from "./+types/save-draft.action.ts";
import { saveDraftFeedback } from "./save-draft-feedback.server.ts";

const draftForm = z.object({ feedback: z.string() });

/** Takes what is being written, every few seconds; answers in data and never leads elsewhere. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request, draftForm);
  if (!form.ok) return Response.json({ message: "Nothing was sent to save." }, { status: 422 });
  const { db } = context.get(machine);
  const draft = { reviewId: params.reviewId, feedback: form.value.feedback };
  const saved = await attempt(
    context,
    () => saveDraftFeedback(db, context.get(currentActor), draft),
    {
      fallback: "Please try again in a moment.",
    },
  );
  if (saved.ok) return Response.json({ savedAt: saved.value });
  return Response.json({ message: saved.message }, { status: saved.refusal.init?.status ?? 500 });
}
