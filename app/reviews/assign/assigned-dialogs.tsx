import { Form } from "react-router";
import { Dialog, FormDialog } from "../../ui/feedback/dialog.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { reviews } from "../staff-rules.ts";
import type { Assignee } from "./assignees.server.ts";
import type { ReviewRow } from "./reviews-list.tsx";
import { ReviewerField } from "./selection.tsx";

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

/** Asks before the ticked reviews go back into the queue; without any it is closed. */
export function UnassignQuestion({
  reviewIds,
  ...way
}: {
  reviewIds: readonly string[];
  closed: string;
  onClose(): void;
}) {
  const { length: count } = reviewIds;
  const them = count === 1 ? "This will return it" : "This will return them";
  return (
    <Dialog
      {...way}
      open={count > 0}
      title="Unassign reviews"
      submit={
        <SubmitButton
          form="unassign"
          name="intent"
          value="unassign"
          variant="danger"
          pendingLabel="Unassigning..."
        >
          Unassign
        </SubmitButton>
      }
    >
      <Form method="post" id="unassign" preventScrollReset>
        <p>{`Are you sure you want to unassign ${reviews(count)}? ${them} to the pending queue.`}</p>
        {reviewIds.map((id) => (
          <input key={id} type="hidden" name="review" value={id} />
        ))}
      </Form>
    </Dialog>
  );
}
