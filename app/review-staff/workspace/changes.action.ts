import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { answerChange, answerQuestion } from "../../annotations/answers/answers.server.ts";
import { saveAnswer } from "../../annotations/follow-up/answer-question.server.ts";
import { draftFields } from "../../annotations/follow-up/drafts.server.ts";
import { loadEditor } from "../../annotations/remarks/read-annotations.server.ts";
import {
  applyRemarkChange,
  getChangeContext,
  phraseChanges,
  remarkChanges,
} from "../../annotations/remarks/remark-changes.server.ts";
import { outcomeChange } from "../../annotations/second-look/outcome-changes.server.ts";
import { saveOutcome } from "../../annotations/second-look/outcomes.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { createChangeAction } from "../../platform/forms.server.ts";
import { hasAssignedReview } from "./find.server.ts";
import { saveDraftFeedback } from "./own-review.server.ts";
import type { Route } from "./+types/changes.action.ts";

/** Loads the remarks of a reviewer's own review for the editor. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { reviewId } = params;
  if (!(await hasAssignedReview(db, getSignedInActor(context), reviewId))) throw new NotFound();
  return loadEditor(db, reviewId, request);
}

const draftChange = z.object({
  intent: z.literal("save-draft"),
  feedback: z.string(),
  version: z.string(),
});

/** The changes that a reviewer's workspace saves while it is open. */
const change = z.discriminatedUnion("intent", [
  ...remarkChanges,
  ...phraseChanges,
  answerChange,
  outcomeChange,
  draftChange,
  z.object({ intent: z.literal("save-answer"), ...draftFields }),
]);

export const action = createChangeAction(change, (form) => {
  const { db, actor, reviewId } = getChangeContext(form);
  const { value } = form;
  switch (value.intent) {
    case "save-draft":
      return saveDraftFeedback(db, actor, { reviewId, ...value });
    case "save-answer":
      return saveAnswer(db, actor, { reviewId, ...value });
    case "answer":
      return answerQuestion(db, actor, { reviewId, ...value });
    case "save-outcome":
      return saveOutcome(db, actor, { reviewId, ...value });
    default:
      return applyRemarkChange({ db, actor, reviewId }, value);
  }
});
