import { data, Form, useSearchParams } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { now, toIsoDay } from "../../platform/clock.ts";
import { runCommand, createFormActions } from "../../platform/forms.server.ts";
import { writeSort } from "../../platform/lists/sorts.ts";
import { type Count, countLabel } from "../../platform/lists/lists.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { peopleDrawing } from "../../ui/feedback/people-drawing.tsx";
import { useProblemToasts } from "../../ui/feedback/problem-toasts.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import type { Filter } from "../../ui/list/list-filters.tsx";
import { RowMenu } from "../../ui/list/row-menu.tsx";
import { type Column, getAriaSort, SortHeader, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { sendFormWithTitles } from "../../ui/feedback/titled-forms.ts";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import type { DueTally } from "../../reviews/due-dates/due-dates.server.ts";
import { DueStrip } from "../../reviews/due-dates/due-strip.tsx";
import { ExtendDialog } from "../../reviews/due-dates/extend-dialog.tsx";
import type { Route } from "./+types/assigned-reviews.screen.ts";
import { ReassignDialog, ReassignForm, UnassignDialog } from "./assigned-forms.tsx";
import { failedTitles } from "./assignment-messages.ts";
import { keepWished, listAssignees, listHolders } from "./assignees.server.ts";
import { saveFirstSort, readFirstSort } from "./first-sort.server.ts";
import { countDueAssigned, countReviews, listAssignedReviews } from "./lists.server.ts";
import {
  changePriorities,
  changePriority,
  extend,
  readTickedReviews,
  reassign,
  reassignOne,
  unassign,
  unassignOne,
  undoPriority,
} from "./reviews-forms.server.ts";
import {
  ReviewItems,
  idColumn,
  NoMatches,
  noReviews,
  priorityColumn,
  PriorityDialog,
  resourceColumn,
  ReviewsFrame,
  ReviewsPager,
  typeColumn,
  buildTypeFilter,
  dueUserColumn,
  toDueRow,
} from "./reviews-list.tsx";
import {
  type AssignedSort,
  type DialogName,
  isRefusedDialog,
  dueFirst,
  readReviewsQuery,
  buildReviewsAddress,
  getListName,
  type ReviewsQuery,
  shouldRevalidateRows,
} from "./reviews-query.ts";
import { tickColumn, useReviewDialogs } from "./selection.tsx";
import * as styles from "../../ui/list/table.module.css";

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Assigned Reviews");

export const shouldRevalidate = shouldRevalidateRows;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const firstSort = readFirstSort({ request, context });
  const query = readReviewsQuery(new URL(request.url).searchParams, firstSort);
  const [assigned, reviewers] = await Promise.all([
    runCommand(
      context,
      async () => ({
        ...(await listAssignedReviews(db, actor, query)),
        counts: await countReviews(db, actor),
        due: await countDueAssigned(db, actor, query),
      }),
      { fallback: "Failed to load assigned reviews" },
    ),
    runCommand(
      context,
      async () => ({
        assignees: await listAssignees(db, actor),
        holders: await listHolders(db, actor),
      }),
      { fallback: "Failed to load reviewers" },
    ),
  ]);
  const list = assigned.ok ? assigned.value : noReviews;
  const moment = now();
  const { assignees, holders } = reviewers.ok ? reviewers.value : { assignees: [], holders: [] };
  return data(
    {
      ...list,
      rows: list.rows.map((row) => ({ ...row, isDueToday: isDueToday(row.due, moment) })),
      firstSort,
      assignees: keepWished(assignees, list.rows),
      holders,
      moment: moment.toISOString(),
      problem: assigned.ok ? null : assigned.message,
      reviewersProblem: reviewers.ok ? null : reviewers.message,
    },
    { status: assigned.ok ? 200 : 500 },
  );
}

/** Runs on the server, so that no script has the calendar. */
function isDueToday(due: DueView | null, moment: Date): boolean {
  return due !== null && toIsoDay(new Date(due.at)) === toIsoDay(moment);
}

export const action = createFormActions({
  "set-priority": changePriority,
  "set-priorities": changePriorities,
  "undo-priority": undoPriority,
  extend,
  "reassign-one": reassignOne,
  "unassign-one": unassignOne,
  unassign,
  "ask-unassign": async ({ form }) => ({ toUnassign: readTickedReviews(form) }),
  "due-first": saveFirstSort,
  "": reassign,
});

export const clientAction = (args: Route.ClientActionArgs) =>
  sendFormWithTitles(args, failedTitles.assigned);

export default function AssignedReviews({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = readReviewsQuery(params, loaderData.firstSort);
  const isDueFirst = writeSort(query.sort) === dueFirst.value;
  const { problem, reviewersProblem, rows, counts, due, assignees, holders, moment, ...page } =
    loaderData;
  useProblemToasts(loaderData, problem, reviewersProblem);
  const { successes, reviewIn, dialogProps } = useReviewDialogs(rows, query, {
    problem,
    answer: actionData,
  });
  const list = getListName("assigned", query);
  return (
    <ReviewsFrame
      tab="assigned"
      query={query}
      counts={counts}
      filters={[
        buildTypeFilter(query),
        buildReviewerFilter(query.reviewer, holders, assignees),
        buildSortFilter(query),
      ]}
      problem={problem}
    >
      {rows.length > 0 ? (
        <>
          <ReassignForm
            // A different list starts with an empty selection.
            key={list}
            list={list}
            successes={successes}
            rows={rows}
            assignees={assignees}
            answer={query.dialog || isRefusedDialog(actionData) ? undefined : actionData}
            closed={dialogProps.closed}
            beside={
              <>
                {due && !isDueFirst && <DueStrip counts={due} />}
                <DueFirst isChosen={isDueFirst && query.firstSort.by === "due"} />
              </>
            }
          >
            <Table
              caption="Assigned reviews"
              columns={buildAssignedColumns(query)}
              rows={rows}
              rowKey={({ id }) => id}
              groupOf={isDueFirst ? (row) => formatDueGroup(row, due) : undefined}
            />
          </ReassignForm>
          {/* The button of "Due first" is within the form of the selection. */}
          <Form method="post" id={dueFirstForm} preventScrollReset />
          <ReviewsPager {...page} rowCount={rows.length} query={query} />
        </>
      ) : (
        !problem &&
        (query.search ? (
          <NoMatches query={query} />
        ) : (
          <EmptyState
            title="No reviews are currently assigned to reviewers"
            drawing={peopleDrawing}
          />
        ))
      )}
      <ReassignDialog {...dialogProps} review={reviewIn("reassign")} assignees={assignees} />
      <UnassignDialog {...dialogProps} review={reviewIn("unassign")} />
      <PriorityDialog {...dialogProps} review={reviewIn("edit")} />
      <ExtendDialog {...dialogProps} review={toDueRow(reviewIn("extend"))} moment={moment} />
    </ReviewsFrame>
  );
}

const dueFirstForm = "due-first";

/** Lets the list start with the reviews that are due first, from now on. Pressed again, it ends that. */
function DueFirst({ isChosen }: { isChosen: boolean }) {
  return (
    <>
      <input type="hidden" name="dueFirst" value={isChosen ? "" : "yes"} form={dueFirstForm} />
      <SubmitButton
        form={dueFirstForm}
        intent="due-first"
        variant="secondary"
        size="sm"
        aria-pressed={isChosen}
        pendingLabel={dueFirst.label}
      >
        {dueFirst.label}
      </SubmitButton>
    </>
  );
}

/** Formats the name of a row's group while the list starts with what is due first. */
function formatDueGroup({ due, isDueToday: isToday }: AssignedRow, tally: DueTally | null): string {
  if (due?.isOverdue) return formatGroup("Overdue", tally?.overdue);
  return isToday ? formatGroup("Due today", tally?.today) : "Later";
}

function formatGroup(name: string, count: Count | undefined): string {
  return count ? `${name} · ${countLabel(count)}` : name;
}

type Named = { id: string; name: string };

/** Builds the filter of reviewers: those who can get reviews, and those who still have some. */
function buildReviewerFilter(chosen: string | null, holders: Named[], assignees: Named[]): Filter {
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

type AssignedRow = Route.ComponentProps["loaderData"]["rows"][number];

/** The sortable columns, each with its default direction. */
const sortable = [
  { by: "service_type", label: "Service Type", first: "asc" },
  { by: "user", label: "User", first: "asc" },
  { by: "assigned_to", label: "Assigned To", first: "asc" },
  { by: "days_assigned", label: "Days Assigned", first: "desc" },
  { by: "days_since_purchase", label: "Days Since Purchase", first: "desc" },
] as const;

function buildAssignedColumns(query: ReviewsQuery): Column<AssignedRow>[] {
  return [
    tickColumn,
    idColumn,
    buildSortableColumn(query, "service_type", typeColumn),
    buildSortableColumn(query, "user", dueUserColumn),
    resourceColumn,
    priorityColumn,
    buildSortableColumn(query, "assigned_to", {
      phone: 4,
      bare: true,
      cell: ({ assignedTo }) => <span className={styles.person}>{assignedTo}</span>,
    }),
    buildSortableColumn(query, "days_assigned", {
      align: "end",
      cell: ({ daysAssigned }) => (
        <Badge tone={getDaysAssignedTone(daysAssigned)}>{daysAssigned}</Badge>
      ),
    }),
    buildSortableColumn(query, "days_since_purchase", {
      align: "end",
      cell: ({ daysSincePurchase }) => daysSincePurchase,
    }),
    {
      header: <span className="sr-only">Actions</span>,
      cell: ({ id, secondLookOf, userId, due }) => (
        <RowMenu id={id} label={`Actions for review ${id}`}>
          {() => (
            <>
              {listMenuItems(due).map(({ name, label }) => (
                <Link
                  key={name}
                  to={buildReviewsAddress({ ...query, dialog: { name, id } })}
                  replace
                  preventScrollReset
                >
                  {label}
                </Link>
              ))}
              <ReviewItems {...{ id, userId, secondLookOf }} />
            </>
          )}
        </RowMenu>
      ),
    },
  ];
}

const menu: { name: DialogName; label: string }[] = [
  { name: "reassign", label: "Reassign" },
  { name: "edit", label: "Edit Priority" },
  { name: "unassign", label: "Unassign" },
];

/** Lists the menu items of a row. A review without a due date has none to extend. */
function listMenuItems(due: AssignedRow["due"]): typeof menu {
  return due ? [...menu, { name: "extend", label: "Set Later Due Date" }] : menu;
}

function buildSortableColumn(
  query: ReviewsQuery,
  name: AssignedSort["by"],
  column: Omit<Column<AssignedRow>, "header">,
): Column<AssignedRow> {
  const { by, label, first } = sortable.find((one) => one.by === name)!;
  const direction = query.sort.by === by ? query.sort.direction : null;
  const opposite = direction === "asc" ? "desc" : "asc";
  const sort: AssignedSort = { by, direction: direction ? opposite : first };
  const to = buildReviewsAddress({ ...query, sort, after: null, dialog: null });
  return {
    ...column,
    label,
    header: <SortHeader label={label} direction={direction} to={to} />,
    sorted: getAriaSort(direction),
  };
}

/** Builds the sort menu, for phones and for "Due first", which has no column. */
function buildSortFilter({ sort }: ReviewsQuery): Filter {
  const options = [dueFirst, ...sortable.flatMap(({ by, label }) => buildSortOptions(by, label))];
  const value = writeSort(sort);
  const isListed = options.some((option) => option.value === value);
  const others = Object.entries(unlisted).flatMap(([by, label]) => buildSortOptions(by, label));
  return {
    name: "sort",
    label: "Sort by",
    value,
    options: isListed
      ? options
      : [...others.filter((option) => option.value === value), ...options],
  };
}

/** Sorts that are available only through the address. */
const unlisted = { created_at: "Submission Date", assigned_at: "Date Assigned", due: "Due Date" };

function buildSortOptions(by: string, label: string): Filter["options"] {
  return [
    { value: `${by}.asc`, label: `${label}, ascending` },
    { value: `${by}.desc`, label: `${label}, descending` },
  ];
}

/** Returns the tone for the days since the assignment: above 5 danger, above 3 outline. */
function getDaysAssignedTone(days: number): "danger" | "outline" | "neutral" {
  if (days > 5) return "danger";
  return days > 3 ? "outline" : "neutral";
}
