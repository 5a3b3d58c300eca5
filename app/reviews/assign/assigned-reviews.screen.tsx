import { data, useSearchParams } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { attempt, formActions } from "../../platform/forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { now } from "../../platform/clock.ts";
import { ExtendDialog } from "../clock/extend-dialog.tsx";
import { listAssignedReviews } from "./lists.server.ts";
import { listAssignees, listHolders } from "./assignees.server.ts";
import { countReviews } from "./listed-review.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Table } from "../../ui/list/table.tsx";
import { titled } from "../../ui/meta.ts";
import type { Route } from "./+types/assigned-reviews.screen.ts";
import { assignedColumns, sortFilter } from "./assigned-columns.tsx";
import { ReassignDialog, ReassignForm, UnassignDialog } from "./assigned-forms.tsx";
import type { Filter } from "../../ui/list/list-filters.tsx";
import {
  changePriority,
  extend,
  readTicked,
  reassign,
  reassignOne,
  unassign,
  unassignOne,
} from "./reviews-forms.server.ts";
import {
  noReviews,
  PriorityDialog,
  ReviewsFrame,
  ReviewsPager,
  typeFilter,
  withDue,
} from "./reviews-list.tsx";
import {
  type DialogName,
  readReviewsQuery,
  reviewsAddress,
  unlessOnlyDialog,
} from "./reviews-query.ts";
import { isDone, useSuccesses } from "./selection.tsx";
import { useProblemToasts } from "../../ui/feedback/toasts.tsx";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "Assigned Reviews");

export const shouldRevalidate = unlessOnlyDialog;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const query = readReviewsQuery(new URL(request.url).searchParams);
  const [assigned, reviewers] = await Promise.all([
    attempt(
      context,
      async () => ({
        ...(await listAssignedReviews(db, actor, query)),
        counts: await countReviews(db, actor),
      }),
      { fallback: "Failed to load assigned reviews" },
    ),
    attempt(
      context,
      async () => ({
        assignees: await listAssignees(db, actor),
        holders: await listHolders(db, actor),
      }),
      { fallback: "Failed to load reviewers" },
    ),
  ]);
  return data(
    {
      ...(assigned.ok ? assigned.value : noReviews),
      ...(reviewers.ok ? reviewers.value : { assignees: [], holders: [] }),
      moment: now().toISOString(),
      problem: assigned.ok ? null : assigned.message,
      reviewersProblem: reviewers.ok ? null : reviewers.message,
    },
    { status: assigned.ok ? 200 : 500 },
  );
}

export const action = formActions({
  "set-priority": changePriority,
  extend,
  "reassign-one": reassignOne,
  "unassign-one": unassignOne,
  unassign,
  "ask-unassign": async ({ form }) => ({ asked: readTicked(form) }),
  "": reassign,
});

export default function AssignedReviews({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = readReviewsQuery(params);
  const { problem, reviewersProblem, rows, counts, assignees, holders, moment, ...page } =
    loaderData;
  const [successes, countSuccess] = useSuccesses(actionData);
  useProblemToasts(problem, reviewersProblem);
  const way = { closed: reviewsAddress({ ...query, dialog: null }), onSaved: countSuccess };
  const reviewIn = (name: DialogName) =>
    (query.dialog?.name === name &&
      !isDone(actionData) &&
      rows.find(({ id }) => id === query.dialog?.id)) ||
    null;
  return (
    <ReviewsFrame
      tab="assigned"
      counts={counts}
      filters={[
        typeFilter(query),
        reviewerFilter(query.reviewer, holders, assignees),
        sortFilter(query),
      ]}
      problem={problem}
    >
      {rows.length > 0 ? (
        <>
          <ReassignForm
            // Another list or a success begins with nothing selected.
            key={`${way.closed} ${successes}`}
            rows={rows}
            assignees={assignees}
            // What came of a dialog stands in the dialog.
            answer={query.dialog ? undefined : actionData}
            closed={way.closed}
          >
            <Table
              caption="Assigned reviews"
              columns={assignedColumns(query)}
              rows={rows}
              rowKey={({ id }) => id}
            />
          </ReassignForm>
          <ReviewsPager {...page} shown={rows.length} query={query} />
        </>
      ) : (
        !problem && (
          <EmptyState title="No reviews are currently assigned to reviewers" drawing="people" />
        )
      )}
      <ReassignDialog {...way} review={reviewIn("reassign")} assignees={assignees} />
      <UnassignDialog {...way} review={reviewIn("unassign")} />
      <PriorityDialog {...way} review={reviewIn("edit")} />
      <ExtendDialog {...way} review={withDue(reviewIn("extend"))} moment={moment} />
    </ReviewsFrame>
  );
}

type Named = { id: string; name: string };

/** Whoever can be assigned reviews, and whoever has some without being able to get more. */
function reviewerFilter(chosen: string | null, holders: Named[], assignees: Named[]): Filter {
  const others = assignees.filter(({ id }) => !holders.some((holder) => holder.id === id));
  return {
    name: "reviewer",
    label: "Reviewer",
    value: chosen ?? "",
    options: [
      { value: "", label: "All Reviewers" },
      ...[...holders, ...others].map(({ id, name }) => ({ value: id, label: name })),
    ],
  };
}
