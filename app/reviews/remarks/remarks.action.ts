import { signedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { formActions } from "../../platform/forms.server.ts";
import { answerForm } from "../brief/answer-forms.server.ts";
import { hasReview } from "../workspace/find.server.ts";
import type { Route } from "./+types/remarks.action.ts";
import { remarkForms } from "./remark-forms.server.ts";
import { listRemarks } from "./remarks.server.ts";

/** The remarks as they are now, for a tab that hears that another one has saved. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { reviewId } = params;
  if (!(await hasReview(db, signedInActor(context), reviewId))) throw new NotFound();
  const remarks = await listRemarks(db, reviewId);
  return Response.json(
    { remarks: remarks.map(({ authorId: _authorId, isDone: _isDone, ...remark }) => remark) },
    { headers: { "cache-control": "private, no-store" } },
  );
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
