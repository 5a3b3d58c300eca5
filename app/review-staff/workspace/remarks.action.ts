import { signedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { formActions } from "../../platform/forms.server.ts";
import { answerForm } from "../../annotations/answers/answers.server.ts";
import { editorData } from "../../annotations/remarks/read-annotations.server.ts";
import { hasReview } from "./find.server.ts";
import type { Route } from "./+types/remarks.action.ts";
import { remarkForms } from "../../annotations/remarks/remark-forms.server.ts";

/** What the editor reads: of one's own review. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { reviewId } = params;
  if (!(await hasReview(db, signedInActor(context), reviewId))) throw new NotFound();
  return editorData(db, reviewId, request);
}

/** Takes what is written on pages, one remark at a time; answers in data and never leads elsewhere. */
export const action = formActions({
  "save-remark": remarkForms.save.data,
  "delete-remark": remarkForms.delete.data,
  "rank-remarks": remarkForms.rank.data,
  score: remarkForms.score.data,
  answer: answerForm.data,
  "save-phrase": remarkForms.savePhrase.data,
});
