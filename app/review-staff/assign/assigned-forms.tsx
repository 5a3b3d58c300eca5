import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import type { OwnAddress } from "../../platform/own-path.ts";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { Button, SubmitButton } from "../../ui/form/button.tsx";
import {
  SelectAll,
  SelectedCount,
  SelectionForm,
  SelectionSummary,
  useSelection,
} from "../../ui/list/selection.tsx";
import { isPosting } from "../../ui/navigations.ts";
import { formatReviewCount, maxSelection } from "../../reviews/staff-rules.ts";
import type { Assignee } from "./assignees.server.ts";
import type { ReviewRow } from "./reviews-list.tsx";
import { ReviewerField } from "./reviewer-field.tsx";
import { PriorityPanel, tickName } from "./selection.tsx";
import * as listsStyles from "../../ui/list/lists.module.css";
import * as dialogStyles from "../../ui/feedback/dialog.module.css";

/** The form around a table that reassigns or unassigns its ticked reviews. */
export function ReassignForm({
  list,
  rows,
  assignees,
  successes,
  answer,
  closed,
  beside,
  children,
}: {
  /** The name of the list, whose pages share the selection. */
  list: string;
  rows: readonly Pick<AssignedRow, "id" | "earlierReviewerId" | "wishes">[];
  /** The number of successes; each one clears the selection. */
  successes: number;
  assignees: Assignee[];
  /** The answer to the form's last submission. */
  answer: { ok?: true; errors?: Record<string, string>; toUnassign?: string[] } | undefined;
  /** The address of the table without a dialog. */
  closed: OwnAddress;
  /** Shown beside the box that selects all, until something is selected. */
  beside: ReactNode;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const selection = useSelection(form, {
    name: tickName,
    rows,
    successes,
    across: { list, max: maxSelection },
  });
  const [question, setQuestion] = useState(toQuestionProps(answer));
  if (question.answer !== answer) setQuestion(toQuestionProps(answer));
  const errors = answer?.errors ?? {};
  function ask(event: MouseEvent) {
    event.preventDefault();
    const ticked = new FormData(form.current ?? undefined).getAll(tickName);
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
        <div className={listsStyles.assignBar}>
          <SelectAll selection={selection} of={rows.length} />
          {beside && <div className={listsStyles.note}>{beside}</div>}
          {/* CSS shows this when something is ticked, so that it works without scripts. */}
          <div className={`${listsStyles.assignActions} ${listsStyles.assignChosen}`}>
            <SelectionSummary of={selection} />
            <ReviewerField
              assignees={assignees}
              reviews={rows.filter(({ id }) => selection.values.includes(id))}
              error={errors.reviewerId}
            />
            <SubmitButton intent="reassign" pendingLabel="Reassigning...">
              Reassign Selected <SelectedCount of={selection} />
            </SubmitButton>
            <Button type="submit" name="intent" value="ask-unassign" variant="danger" onClick={ask}>
              Unassign Selected <SelectedCount of={selection} />
            </Button>
            <PriorityPanel selection={selection} error={errors.priority} />
          </div>
        </div>
        {children}
      </SelectionForm>
    </>
  );
}

/** Returns the question to show. Without scripts the server's answer has the reviews to ask about. */
function toQuestionProps<Answer extends { toUnassign?: string[] }>(answer: Answer | undefined) {
  return { answer, about: answer?.toUnassign ?? [] };
}

type AssignedRow = ReviewRow & { assignedTo: string; earlierReviewerId: string | null };
type DialogProps = { closed: OwnAddress; onSaved(): void };

/** The dialog that moves one review to another reviewer; null closes it. */
export function ReassignDialog({
  review,
  assignees,
  ...dialogProps
}: DialogProps & { review: AssignedRow | null; assignees: readonly Assignee[] }) {
  return (
    <FormDialog
      {...dialogProps}
      open={review !== null}
      title="Reassign"
      intent="reassign-one"
      submitLabel="Reassign"
      pendingLabel="Reassigning..."
    >
      {review && (
        <>
          <input type="hidden" name="review" value={review.id} />
          <dl className={dialogStyles.facts}>
            <dt>Review</dt>
            <dd>{review.id}</dd>
            <dt>Current reviewer</dt>
            <dd>{review.assignedTo}</dd>
          </dl>
          <ReviewerField assignees={assignees} reviews={[review]} label="New reviewer" />
        </>
      )}
    </FormDialog>
  );
}

/** The dialog that returns one review to the queue; null closes it. */
export function UnassignDialog({
  review,
  ...dialogProps
}: DialogProps & { review: AssignedRow | null }) {
  return (
    <FormDialog
      {...dialogProps}
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

/** Asks before returning the ticked reviews to the queue; an empty list closes it. */
function UnassignQuestion({
  reviewIds,
  ...dialogProps
}: {
  reviewIds: readonly string[];
  closed: OwnAddress;
  onClose(): void;
}) {
  const { length: count } = reviewIds;
  const isUnassigning = useNavigation().formMethod === "POST";
  const consequence = count === 1 ? "This will return it" : "This will return them";
  return (
    <Dialog
      {...dialogProps}
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
        <p>{`Are you sure you want to unassign ${formatReviewCount(count)}? ${consequence} to the pending queue.`}</p>
        {reviewIds.map((id) => (
          <input key={id} type="hidden" name="review" value={id} />
        ))}
      </Form>
    </Dialog>
  );
}
