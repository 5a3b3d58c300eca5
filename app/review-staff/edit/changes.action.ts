import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { loadEditor } from "../../annotations/remarks/read-annotations.server.ts";
import {
  applyRemarkChange,
  getChangeContext,
  remarkChanges,
} from "../../annotations/remarks/remark-changes.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { createChangeAction } from "../../platform/forms.server.ts";
import { findCompletedReview } from "./completed-reviews.server.ts";
import type { Route } from "./+types/changes.action.ts";

/** Loads the remarks of a completed review for the editor. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { reviewId } = params;
  if (!(await findCompletedReview(db, context.get(currentActor), reviewId))) throw new NotFound();
  return loadEditor(db, reviewId, request);
}

/** Saves the changes of an admin's editor while it is open. */
export const action = createChangeAction(
  z.discriminatedUnion("intent", [...remarkChanges]),
  (form) => applyRemarkChange(getChangeContext(form), form.value),
);
