import { data, useSearchParams } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { shortDate } from "../../platform/clock.ts";
import { attempt, formActions } from "../../platform/forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { listAssignees } from "./assignees.server.ts";
import { listPendingReviews } from "./pending-list.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { titled } from "../../ui/meta/title.ts";
import type { Route } from "./+types/pending-reviews.screen.ts";
import { AssignForm } from "./assign-form.tsx";
import { PriorityDialog } from "./priority-dialog.tsx";
import { assign } from "./reviews-forms.server.ts";
import { ReviewsFrame, ReviewsPager, typeFilter } from "./reviews-frame.tsx";
import { readReviewsQuery, reviewsAddress, unlessOnlyDialog } from "./reviews-query.ts";
import { changePriority } from "./set-priority-form.server.ts";
import { isDone, useSuccesses } from "../../ui/list/successes.ts";
import { useProblemToasts } from "../../ui/feedback/toasts.tsx";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "Pending Reviews");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const query = readReviewsQuery(new URL(request.url).searchParams);
  const [pending, assignees] = await Promise.all([
    attempt(context, () => listPendingReviews(db, actor, query), {
      fallback: "Failed to load pending reviews",
    }),
    attempt(context, () => listAssignees(db, actor), { fallback: "Failed to load reviewers" }),
  ]);
  const { rows, next, total } = pending.ok ? pending.value : { rows: [], next: null, total: 0 };
  return data(
    {
      problem: pending.ok ? null : pending.message,
      reviewersProblem: assignees.ok ? null : assignees.message,
      reviews: rows.map(({ submittedAt, ...row }) => ({
        ...row,
        submitted: shortDate(submittedAt),
      })),
      assignees: assignees.ok ? assignees.value : [],
      next,
      total,
    },
    { status: pending.ok ? 200 : 500 },
  );
}

/** Opening and closing the dialog changes the address, but not the list. */
export const shouldRevalidate = unlessOnlyDialog;

export const action = formActions({ "set-priority": changePriority, "": assign });

export default function PendingReviews({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = readReviewsQuery(params);
  const { problem, reviewersProblem, reviews, assignees, next, total } = loaderData;
  const [successes, countSuccess] = useSuccesses(actionData);
  useProblemToasts(problem, reviewersProblem);
  return (
    <ReviewsFrame tab="pending" filters={[typeFilter(query)]} problem={problem}>
      {reviews.length > 0 ? (
        <>
          <AssignForm
            // A new list or a success begins with nothing selected.
            key={`${query.type} ${query.after} ${successes}`}
            reviews={reviews}
            assignees={assignees}
            query={query}
            errors={actionData && "errors" in actionData ? actionData.errors : {}}
          />
          <ReviewsPager shown={reviews.length} total={total} next={next} query={query} />
        </>
      ) : (
        !problem && <EmptyState title="No pending reviews to assign" drawing="inbox" />
      )}
      <PriorityDialog
        review={(!isDone(actionData) && reviews.find(({ id }) => id === query.dialog?.id)) || null}
        closed={reviewsAddress({ ...query, dialog: null })}
        onSaved={countSuccess}
      />
    </ReviewsFrame>
  );
}
