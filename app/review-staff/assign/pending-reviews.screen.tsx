import { useRef } from "react";
import { data, useSearchParams } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { now, formatShortDate } from "../../platform/clock.ts";
import { runCommand, createFormActions } from "../../platform/forms.server.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useProblemToasts } from "../../ui/feedback/problem-toasts.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import {
  SelectAll,
  SelectedCount,
  SelectionForm,
  SelectionSummary,
  useSelection,
} from "../../ui/list/selection.tsx";
import { RowMenu } from "../../ui/list/row-menu.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { sendFormWithTitles } from "../../ui/feedback/titled-forms.ts";
import type { Route } from "./+types/pending-reviews.screen.ts";
import { DueCell } from "../../reviews/due-dates/due-date.tsx";
import { ExtendDialog } from "../../reviews/due-dates/extend-dialog.tsx";
import { maxSelection } from "../../reviews/staff-rules.ts";
import { type Assignee, keepWished, listAssignees } from "./assignees.server.ts";
import { failedTitles } from "./assignment-messages.ts";
import { countReviews, listPendingReviews } from "./lists.server.ts";
import {
  assign,
  changePriorities,
  changePriority,
  extend,
  undoPriority,
} from "./reviews-forms.server.ts";
import {
  ReviewItems,
  idColumn,
  NoMatches,
  noReviews,
  PriorityDialog,
  priorityColumn,
  buildQueueFilter,
  resourceColumn,
  type ReviewRow,
  ReviewsFrame,
  ReviewsPager,
  typeColumn,
  buildTypeFilter,
  userIdColumn,
  toDueRow,
} from "./reviews-list.tsx";
import {
  isRefusedDialog,
  readReviewsQuery,
  buildReviewsAddress,
  getListName,
  type ReviewsQuery,
  shouldRevalidateRows,
} from "./reviews-query.ts";
import { ReviewerField } from "./reviewer-field.tsx";
import { PriorityPanel, tickColumn, tickName, useReviewDialogs } from "./selection.tsx";
import * as styles from "../../ui/list/lists.module.css";

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Pending Reviews");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const query = readReviewsQuery(new URL(request.url).searchParams);
  const [pending, assignees] = await Promise.all([
    runCommand(
      context,
      async () => ({
        ...(await listPendingReviews(db, actor, query)),
        counts: await countReviews(db, actor),
      }),
      { fallback: "Failed to load pending reviews" },
    ),
    runCommand(context, () => listAssignees(db, actor), { fallback: "Failed to load reviewers" }),
  ]);
  const { rows, ...list } = pending.ok ? pending.value : noReviews;
  const findName = (reviewerId: string | null) =>
    assignees.ok ? assignees.value.find(({ id }) => id === reviewerId)?.name : undefined;
  return data(
    {
      ...list,
      moment: now().toISOString(),
      problem: pending.ok ? null : pending.message,
      reviewersProblem: assignees.ok ? null : assignees.message,
      reviews: rows.map(({ submittedAt, ...row }) => ({
        ...row,
        submitted: formatShortDate(submittedAt),
        earlierReviewer: findName(row.earlierReviewerId),
      })),
      assignees: assignees.ok ? keepWished(assignees.value, rows) : [],
    },
    { status: pending.ok ? 200 : 500 },
  );
}

/** Opening and closing the dialog changes the address, but not the list. */
export const shouldRevalidate = shouldRevalidateRows;

export const action = createFormActions({
  "set-priority": changePriority,
  "set-priorities": changePriorities,
  "undo-priority": undoPriority,
  extend,
  "": assign,
});

export const clientAction = (args: Route.ClientActionArgs) =>
  sendFormWithTitles(args, failedTitles.pending);

export default function PendingReviews({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = readReviewsQuery(params);
  const { problem, reviewersProblem, reviews, assignees, counts, moment, ...page } = loaderData;
  useProblemToasts(loaderData, problem, reviewersProblem);
  const { successes, reviewIn, dialogProps } = useReviewDialogs(reviews, query, {
    problem,
    answer: actionData,
  });
  const list = getListName("pending", query);
  return (
    <ReviewsFrame
      tab="pending"
      query={query}
      counts={counts}
      filters={[buildTypeFilter(query), buildQueueFilter(query)]}
      problem={problem}
    >
      {reviews.length > 0 ? (
        <>
          <AssignForm
            // A different list starts with an empty selection.
            key={list}
            list={list}
            successes={successes}
            reviews={reviews}
            assignees={assignees}
            query={query}
            closed={dialogProps.closed}
            errors={
              actionData && "errors" in actionData && !query.dialog && !isRefusedDialog(actionData)
                ? actionData.errors
                : {}
            }
          />
          <ReviewsPager {...page} rowCount={reviews.length} query={query} />
        </>
      ) : (
        !problem &&
        (query.search ? (
          <NoMatches query={query} />
        ) : (
          <EmptyState title="No pending reviews to assign" drawing="inbox" />
        ))
      )}
      <PriorityDialog {...dialogProps} review={reviewIn("edit")} />
      <ExtendDialog {...dialogProps} review={toDueRow(reviewIn("extend"))} moment={moment} />
    </ReviewsFrame>
  );
}

type PendingRow = ReviewRow & { submitted: string; earlierReviewerId: string | null };

/** The form that assigns ticked pending reviews to a reviewer. */
function AssignForm({
  list,
  successes,
  reviews,
  assignees,
  query,
  closed,
  errors,
}: {
  /** The name of the list, whose pages share the selection. */
  list: string;
  /** The number of successes; each one clears the selection. */
  successes: number;
  reviews: PendingRow[];
  assignees: Assignee[];
  query: ReviewsQuery;
  /** The address of the table without a dialog. */
  closed: OwnAddress;
  errors: Record<string, string>;
}) {
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const selection = useSelection(form, {
    name: tickName,
    rows: reviews,
    successes,
    across: { list, max: maxSelection },
  });
  const isIncomplete = selection.count === 0 || !selection.has("reviewer");
  return (
    <SelectionForm form={form} selection={selection} closed={closed} error={errors[""]}>
      <div className={styles.assignBar}>
        <SelectAll selection={selection} of={reviews.length} />
        <div className={styles.assignActions}>
          <SelectionSummary of={selection} />
          <ReviewerField
            assignees={assignees}
            reviews={reviews.filter(({ id }) => selection.values.includes(id))}
            error={errors.reviewerId}
            canShare
          />
          <SubmitButton pendingLabel="Assigning..." disabled={hydrated && isIncomplete}>
            Assign Selected <SelectedCount of={selection} />
          </SubmitButton>
          <PriorityPanel selection={selection} error={errors.priority} />
        </div>
      </div>
      <Table
        caption="Pending reviews"
        columns={buildPendingColumns(query)}
        rows={reviews}
        rowKey={({ id }) => id}
      />
    </SelectionForm>
  );
}

function buildPendingColumns(query: ReviewsQuery): Column<PendingRow>[] {
  return [
    tickColumn,
    idColumn,
    { ...typeColumn, phone: 1 },
    userIdColumn,
    { ...resourceColumn, phone: 2 },
    {
      header: "Submission Date",
      phone: 3,
      bare: true,
      cell: ({ submitted, due }) => (
        <DueCell due={due}>
          <span className="whitespace-nowrap">
            <span className="narrow-only">Submitted </span>
            {submitted}
          </span>
        </DueCell>
      ),
    },
    priorityColumn,
    { header: "Status", cell: () => "Pending" },
    {
      header: <span className="sr-only">Actions</span>,
      cell: ({ id, secondLookOf, userId, due }) => (
        <RowMenu id={id} label={`Actions for review ${id}`}>
          {() => (
            <>
              <Link
                to={buildReviewsAddress({ ...query, dialog: { name: "edit", id } })}
                replace
                preventScrollReset
              >
                Set Priority
              </Link>
              {due && (
                <Link
                  to={buildReviewsAddress({ ...query, dialog: { name: "extend", id } })}
                  replace
                  preventScrollReset
                >
                  Set Later Due Date
                </Link>
              )}
              <ReviewItems {...{ id, userId, secondLookOf }} />
            </>
          )}
        </RowMenu>
      ),
    },
  ];
}
