import { z } from "zod";
import { getSignedInActor } from "../accounts/actor.server.ts";
import { requireSignIn } from "../accounts/guards.server.ts";
import { saveQuestion } from "../annotations/follow-up/ask-question.server.ts";
import { draftFields } from "../annotations/follow-up/drafts.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { createChangeAction } from "../platform/forms.server.ts";
import { briefSchema, saveBrief } from "../reviews/brief/brief.server.ts";

export const middleware = [requireSignIn];

/** The changes that a customer's screens save while they are open. */
const change = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save-brief"),
    /** A type of review, or the review that a second look is for. */
    service: z.string().max(64),
    ...briefSchema,
  }),
  z.object({ intent: z.literal("save-question"), reviewId: z.string(), ...draftFields }),
]);

export const action = createChangeAction(change, ({ context, value }): Promise<unknown> => {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  if (value.intent === "save-question") return saveQuestion(db, actor, value);
  const { service, ...brief } = value;
  return saveBrief(db, actor, service, brief);
});
