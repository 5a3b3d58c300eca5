import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext, type UndoForm } from "../../platform/app-context.server.ts";
import { parseDateTimeInput } from "../../reviews/due-dates/due-dates.ts";
import {
  type Failure,
  buildFailureToast,
  createFormIntent,
  showReasonAboveForm,
  showReasonAsToast,
  type Sent,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { getOwnPath } from "../../platform/own-path.ts";
import { extendDueDate } from "./extend-due-date.server.ts";
import { assignReviews, reassignReviews, unassignReviews } from "./assign-reviews.server.ts";
import {
  buildAssignmentToast,
  failed,
  buildPriorityToast,
  buildReassignmentToast,
  buildRestoredToast,
  buildUnassignmentToast,
} from "./assignment-messages.ts";
import { assignEvenly } from "./assign-evenly.server.ts";
import { buildReviewsAddress, evenShare, readReviewsQuery } from "./reviews-query.ts";
import { restorePriorities, setPriorities, setPriority } from "./set-priority.server.ts";

const selection = z.object({ reviewer: z.string().default("") });

/** Answers the form that assigns the ticked pending reviews. */
export const assign = createFormIntent({
  schema: selection,
  run({ context, form, value: { reviewer } }) {
    const { db, config } = context.get(appContext);
    const [actor, reviewIds] = [context.get(currentActor), readTickedReviews(form)];
    return reviewer === evenShare.value
      ? assignEvenly(db, actor, { reviewIds }, config)
      : assignReviews(db, actor, { reviewIds, reviewerId: reviewer }, config);
  },
  done: (assigned) => buildSuccess(buildAssignmentToast(assigned)),
  failed: (problem) => buildFailureAnswer(failed.assign, problem),
});

/** Answers the form that moves the ticked reviews to another reviewer. */
export const reassign = createFormIntent({
  schema: selection,
  run: reassignChosen,
  done: (reassigned) => buildSuccess(buildReassignmentToast(reassigned)),
  failed: (problem) => buildFailureAnswer(failed.reassign, problem),
});

/** Answers the form that moves one review to another reviewer. */
export const reassignOne = createFormIntent({
  schema: selection,
  run: reassignChosen,
  done: () => buildSuccess("Successfully reassigned the review"),
  failed: (problem) => buildFailureAnswer(failed.reassignOne, problem, "toast"),
});

/** Answers the form that returns the ticked reviews to the queue. */
export const unassign = createFormIntent({
  schema: z.object({}),
  run: unassignChosen,
  done: (unassigned) => buildSuccess(buildUnassignmentToast(unassigned)),
  failed: showReasonAboveForm(failed.unassign),
});

/** Answers the form that returns one review to the queue. */
export const unassignOne = createFormIntent({
  schema: z.object({}),
  run: unassignChosen,
  done: () => buildSuccess("Successfully unassigned the review"),
  failed: failed.unassignOne,
});

/** Returns the ids of the ticked reviews. */
export function readTickedReviews(form: FormData): string[] {
  return form.getAll("review").filter((id) => typeof id === "string");
}

type Chosen<Value> = Pick<Sent<Value>, "context" | "form" | "value">;

function reassignChosen({ context, form, value }: Chosen<z.output<typeof selection>>) {
  const { db, config } = context.get(appContext);
  const chosen = { reviewIds: readTickedReviews(form), reviewerId: value.reviewer };
  return reassignReviews(db, context.get(currentActor), chosen, config);
}

function unassignChosen({ context, form }: Chosen<unknown>) {
  const { db, config } = context.get(appContext);
  const chosen = { reviewIds: readTickedReviews(form) };
  return unassignReviews(db, context.get(currentActor), chosen, config);
}

/** Builds the answer to a failure. A missing choice needs no title; other reasons get one, in `place`. */
function buildFailureAnswer(title: string, failed: Failure, place: "form" | "toast" = "form") {
  const { code, message, refusal } = failed;
  const needsTitle = code !== "choice-missing" && code !== "nothing-to-do";
  if (needsTitle && place === "toast")
    return { toast: buildFailureToast(title, message), data: refusal };
  if (needsTitle) return showReasonAboveForm(title)(failed);
  const { errors } = refusal.data;
  if (errors.reviewerId) errors.reviewerId = "Select a reviewer";
  return showReasonAsToast(failed);
}

/** Answers the form of the dialog that sets a later due date. */
export const extend = createFormIntent({
  schema: z.object({
    reviewId: z.string(),
    until: z.string().transform(parseDateTimeInput),
    reason: z.string(),
    seen: z.string(),
  }),
  run({ context, value }) {
    const { db, config } = context.get(appContext);
    return extendDueDate(db, context.get(currentActor), value, config);
  },
  done: () => buildSuccess("Due date extended. We've emailed the customer."),
  failed: showReasonAboveForm(failed.extend),
});

/** Replaces anything but a number with -1, which the command rejects. */
const priority = z.string().trim().min(1).pipe(z.coerce.number()).catch(-1);

/** Answers the form of the dialog that sets a priority. */
export const changePriority = createFormIntent({
  schema: z.object({
    reviewId: z.string(),
    priority,
  }),
  run: ({ context, value }) =>
    setPriority(context.get(appContext).db, context.get(currentActor), value),
  done: (at, { url }) =>
    buildSuccess({
      kind: "success",
      title: "Review updated successfully",
      undo: at ? buildPriorityUndo(url, at) : undefined,
    }),
  failed: failed.changePriority,
});

/** Answers the form that sets the priority of the ticked reviews. */
export const changePriorities = createFormIntent({
  schema: z.object({ priority }),
  run({ context, form, value }) {
    const chosen = { reviewIds: readTickedReviews(form), ...value };
    return setPriorities(context.get(appContext).db, context.get(currentActor), chosen);
  },
  done: (outcome, { url }) =>
    buildSuccess({ ...buildPriorityToast(outcome), undo: buildPriorityUndo(url, outcome.at) }),
  failed: (problem) => buildFailureAnswer(failed.changePriorities, problem),
});

/** Answers the "Undo" button after a change of priorities. */
export const undoPriority = createFormIntent({
  // An invalid time matches no change.
  schema: z.object({ at: z.iso.datetime().catch(new Date(0).toISOString()) }),
  run: ({ context, value }) =>
    restorePriorities(context.get(appContext).db, context.get(currentActor), {
      at: new Date(value.at),
    }),
  done: (outcome) => buildSuccess(buildRestoredToast(outcome)),
  failed: failed.undo,
});

function buildPriorityUndo({ pathname, searchParams }: URL, at: Date): UndoForm {
  const path = getOwnPath({ pathname });
  const list = buildReviewsAddress({ ...readReviewsQuery(searchParams), dialog: null });
  return {
    action: list === "." ? path : `${path}${list}`,
    fields: { intent: "undo-priority", at: at.toISOString() },
  };
}
