import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { Button, SubmitButton } from "../../ui/form/button.tsx";
import { isPosting } from "../../ui/navigations.ts";
import { formatReviewCount } from "../../reviews/staff-rules.ts";
import type { Assignee } from "./assignees.server.ts";
import type { ReviewRow } from "./reviews-list.tsx";
import {
  SelectedCount,
  ReviewerField,
  SelectAll,
  SelectionForm,
  useSelection,
} from "./selection.tsx";

/** The ticked reviews of the table within go to another reviewer, or back into the queue. */
export function ReassignForm({
  rows,
  assignees,
  successes,
  answer,
  closed,
  children,
}: {
  rows: readonly unknown[];
  /** Counts successes: after each the selection is empty. */
  successes: number;
  assignees: Assignee[];
  /** The answer to the form's last submission. */
  answer: { ok?: true; errors?: Record<string, string>; asked?: string[] } | undefined;
  /** The address of the table without a dialog. */
  closed: string;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const selection = useSelection(form, rows, successes);
  const [question, setQuestion] = useState(toQuestionProps(answer));
  if (question.answer !== answer) setQuestion(toQuestionProps(answer));
  const errors = answer?.errors ?? {};
  function ask(event: MouseEvent) {
    event.preventDefault();
    const ticked = new FormData(form.current ?? undefined).getAll("review");
    setQuestion({ answer, about: ticked.map(String) });
  }
  return (
    <>
      <UnassignQuestion
        reviewIds={question.about}
        closed={closed}
        onClose={() => setQuestion({ answer, about: [] })}
      />
      <SelectionForm form={form} selection={selection} closed={closed} error={errors[""]}>
        <div className="assign-bar">
          <SelectAll selection={selection} of={rows.length} />
          {/* Shown by the style sheet when something is ticked, which may be before any script. */}
          <div className="assign-chosen">
            <ReviewerField assignees={assignees} error={errors.reviewerId} />
            <SubmitButton intent="reassign" pendingLabel="Reassigning...">
              Reassign Selected <SelectedCount of={selection} />
            </SubmitButton>
            <Button type="submit" name="intent" value="ask-unassign" variant="danger" onClick={ask}>
              Unassign Selected <SelectedCount of={selection} />
            </Button>
          </div>
        </div>
        {children}
      </SelectionForm>
    </>
  );
}

/** Which reviews to unassign is asked by the server where no script does so. */
function toQuestionProps<Answer extends { asked?: string[] }>(answer: Answer | undefined) {
  return { answer, about: answer?.asked ?? [] };
}

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
function UnassignQuestion({
  reviewIds,
  ...way
}: {
  reviewIds: readonly string[];
  closed: string;
  onClose(): void;
}) {
  const { length: count } = reviewIds;
  const isUnassigning = useNavigation().formMethod === "POST";
  const them = count === 1 ? "This will return it" : "This will return them";
  return (
    <Dialog
      {...way}
      open={count > 0}
      isSending={() => isUnassigning || isPosting()}
      title="Unassign reviews"
      submit={
        <SubmitButton
          form="unassign"
          intent="unassign"
          variant="danger"
          pendingLabel="Unassigning..."
        >
          Unassign
        </SubmitButton>
      }
    >
      <Form method="post" id="unassign" preventScrollReset>
        <p>{`Are you sure you want to unassign ${formatReviewCount(count)}? ${them} to the pending queue.`}</p>
        {reviewIds.map((id) => (
          <input key={id} type="hidden" name="review" value={id} />
        ))}
      </Form>
    </Dialog>
  );
}
