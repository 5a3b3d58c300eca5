import { appContext } from "../../platform/app-context.server.ts";
import { currentActor } from "../../accounts/actor.server.ts";
import { editorData } from "../../annotations/remarks/read-annotations.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { formActions } from "../../platform/forms.server.ts";
import { remarkForms } from "../../annotations/remarks/remark-forms.server.ts";
import type { Route } from "./+types/edit-remarks.action.ts";
import { readCompletedReview } from "./completed-reviews.server.ts";

/** What the editor reads: of a completed review. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { reviewId } = params;
  if (!(await readCompletedReview(db, context.get(currentActor), reviewId))) throw new NotFound();
  return editorData(db, reviewId, request);
}

/** Takes what an admin writes on the pages of a completed review, one remark at a time. */
export const action = formActions({
  "save-remark": remarkForms.save.data,
  "delete-remark": remarkForms.delete.data,
  "rank-remarks": remarkForms.rank.data,
  score: remarkForms.score.data,
});
