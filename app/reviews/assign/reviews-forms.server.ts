import type { RouterContextProvider } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { assignReviews } from "./assign-reviews.server.ts";
import { assignmentToast, reassignmentToast, unassignmentToast } from "./assignment-copy.ts";
import { reassignReviews } from "./reassign-reviews.server.ts";
import { messages } from "./rules.ts";
import { unassignReviews } from "./unassign-reviews.server.ts";
import { attemptAndToast } from "../../platform/attempt-and-toast.server.ts";

const plainly = [
  messages.noReviewer,
  messages.noSelection,
  messages.allAssigned,
  messages.alreadyTheirs,
];

type Context = Readonly<RouterContextProvider>;

/** Answers the form that assigns the ticked pending reviews. */
export function assign(context: Context, form: FormData) {
  const { db, config } = context.get(appContext);
  const selection = { reviewIds: readTicked(form), reviewerId: readReviewer(form) };
  return attemptAndToast(
    context,
    () => assignReviews(db, context.get(currentActor), selection, config),
    { done: assignmentToast, failed: "Failed to assign reviews", plainly },
  );
}

/** Answers the forms that give the ticked reviews, or one of them, to another reviewer. */
export function reassign(context: Context, form: FormData, extent: "one" | "ticked") {
  const { db, config } = context.get(appContext);
  const selection = { reviewIds: readTicked(form), reviewerId: readReviewer(form) };
  return attemptAndToast(
    context,
    () => reassignReviews(db, context.get(currentActor), selection, config),
    extent === "one"
      ? {
          done: () => ({ kind: "success", title: "Successfully reassigned the review" }),
          failed: "Failed to reassign review",
          plainly,
        }
      : {
          done: reassignmentToast,
          failed: "Failed to reassign some reviews",
          plainly,
        },
  );
}

/** Answers the forms that take the ticked reviews, or one of them, back into the queue. */
export function unassign(context: Context, form: FormData, extent: "one" | "ticked") {
  const { db, config } = context.get(appContext);
  const selection = { reviewIds: readTicked(form) };
  return attemptAndToast(
    context,
    () => unassignReviews(db, context.get(currentActor), selection, config),
    extent === "one"
      ? {
          done: () => ({ kind: "success", title: "Successfully unassigned the review" }),
          failed: "Failed to unassign review",
        }
      : { done: unassignmentToast, failed: "Failed to unassign reviews" },
  );
}

/** The ids of the ticked reviews. */
export function readTicked(form: FormData): string[] {
  return form.getAll("review").filter((id) => typeof id === "string");
}

function readReviewer(form: FormData): string {
  const reviewer = form.get("reviewer");
  return typeof reviewer === "string" ? reviewer : "";
}
