import { useRef } from "react";
import { Form, Link } from "react-router";
import type { Assignee } from "./assignees.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { type Column, Table } from "../../ui/list/table.tsx";
import { HistoryLink } from "../../ui/list/history-link.tsx";
import {
  idColumn,
  priorityColumn,
  resourceColumn,
  type ReviewRow,
  typeColumn,
  userIdColumn,
} from "./review-columns.tsx";
import { ReviewerField } from "./reviewer-field.tsx";
import { type ReviewsQuery, reviewsAddress } from "./reviews-query.ts";
import { RowMenu } from "../../ui/list/row-menu.tsx";
import { Count, SelectAll, tickColumn, useSelection } from "./selection.tsx";

type PendingRow = ReviewRow & { submitted: string };

/** The table of pending reviews with its tick boxes, and who the ticked ones go to. */
export function AssignForm({
  reviews,
  assignees,
  query,
  errors,
}: {
  reviews: PendingRow[];
  assignees: Assignee[];
  query: ReviewsQuery;
  errors: Record<string, string>;
}) {
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const selection = useSelection(form, reviews);
  const nothingToDo = selection.count === 0 || !selection.hasReviewer;
  return (
    <Form method="post" ref={form} onChange={selection.look} className="assign" preventScrollReset>
      <FormAlert>{errors[""]}</FormAlert>
      <div className="assign-bar">
        <SelectAll selection={selection} of={reviews.length} />
        <ReviewerField assignees={assignees} error={errors.reviewerId} />
        <SubmitButton pendingLabel="Assigning..." disabled={hydrated && nothingToDo}>
          Assign Selected <Count of={selection} />
        </SubmitButton>
      </div>
      <Table
        caption="Pending reviews"
        columns={columns(query)}
        rows={reviews}
        rowKey={({ id }) => id}
      />
    </Form>
  );
}

function columns(query: ReviewsQuery): Column<PendingRow>[] {
  return [
    tickColumn,
    idColumn,
    typeColumn,
    userIdColumn,
    resourceColumn,
    {
      header: "Submission Date",
      cell: ({ submitted }) => <span className="whitespace-nowrap">{submitted}</span>,
    },
    priorityColumn,
    { header: "Status", cell: () => "Pending" },
    {
      header: <span className="sr-only">Actions</span>,
      cell: ({ id }) => (
        <RowMenu label={`Actions for review ${id}`}>
          <Link
            to={reviewsAddress({ ...query, dialog: { name: "edit", id } })}
            replace
            preventScrollReset
          >
            Set Priority
          </Link>
          <HistoryLink type="review" id={id} />
        </RowMenu>
      ),
    },
  ];
}
