import type { Assignee } from "./assignees.server.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import type { ReviewRow } from "./review-columns.tsx";
import { ReviewerField } from "./reviewer-field.tsx";

type AssignedRow = ReviewRow & { assignedTo: string };
type Way = { closed: string; onSaved(): void };

/** Gives one review to another reviewer. */
export function ReassignDialog({
  review,
  assignees,
  ...way
}: Way & { review: AssignedRow | null; assignees: readonly Assignee[] }) {
  return (
    <FormDialog
      {...way}
      open={review !== null}
      title="Reassign"
      intent="reassign-one"
      submitLabel="Reassign"
      pendingLabel="Reassigning..."
    >
      {review && (
        <>
          <input type="hidden" name="review" value={review.id} />
          <dl className="dialog-facts">
            <dt>Review</dt>
            <dd>{review.id}</dd>
            <dt>Current reviewer</dt>
            <dd>{review.assignedTo}</dd>
          </dl>
          <ReviewerField assignees={assignees} label="New reviewer" />
        </>
      )}
    </FormDialog>
  );
}

/** Takes one review back into the queue. */
export function UnassignDialog({ review, ...way }: Way & { review: AssignedRow | null }) {
  return (
    <FormDialog
      {...way}
      open={review !== null}
      title="Unassign"
      intent="unassign-one"
      submitLabel="Unassign"
      pendingLabel="Unassigning..."
      variant="danger"
    >
      {review && (
        <>
          <input type="hidden" name="review" value={review.id} />
          <p>
            {`Are you sure you want to unassign this review from ${review.assignedTo}? This will return it to the pending queue.`}
          </p>
        </>
      )}
    </FormDialog>
  );
}
