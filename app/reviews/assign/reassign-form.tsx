import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import { Form } from "react-router";
import type { Assignee } from "./assignees.server.ts";
import { Button, SubmitButton } from "../../ui/form/button.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { ReviewerField } from "./reviewer-field.tsx";
import { Count, SelectAll, type Selection, useSelection } from "./selection.tsx";
import { unassignQuestion } from "./unassign-copy.ts";

const formId = "assigned";

/** The ticked reviews of the table within go to another reviewer, or back into the queue. */
export function ReassignForm({
  rows,
  assignees,
  answer,
  children,
}: {
  rows: readonly unknown[];
  assignees: Assignee[];
  /** What the form's last sending came to. */
  answer: { errors?: Record<string, string> } | undefined;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const selection = useSelection(form, rows);
  const errors = answer?.errors ?? {};
  return (
    <Form
      method="post"
      id={formId}
      ref={form}
      onChange={selection.look}
      className="assign"
      preventScrollReset
    >
      <FormAlert>{errors[""]}</FormAlert>
      <div className="assign-bar">
        <SelectAll selection={selection} of={rows.length} />
        {/* Shown by the style sheet when something is ticked, which may be before any script. */}
        <div className="assign-chosen">
          <ReviewerField assignees={assignees} error={errors.reviewerId} />
          <SubmitButton name="intent" value="reassign" pendingLabel="Reassigning...">
            Reassign Selected <Count of={selection} />
          </SubmitButton>
          <Unassign selection={selection} answer={answer} />
        </div>
      </div>
      {children}
    </Form>
  );
}

/** Asks before it takes reviews back: in a dialog, or before any script on a card of the next page. */
function Unassign({ selection, answer }: { selection: Selection; answer: unknown }) {
  const { count } = selection;
  const [asking, setAsking] = useState(false);
  const [seen, setSeen] = useState(answer);
  if (seen !== answer) {
    setSeen(answer);
    setAsking(false);
  }
  function ask(event: MouseEvent) {
    event.preventDefault();
    setAsking(true);
  }
  return (
    <>
      <Button type="submit" name="intent" value="ask-unassign" variant="danger" onClick={ask}>
        Unassign Selected <Count of={selection} />
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Unassign reviews"
        footer={
          <>
            <SubmitButton
              form={formId}
              name="intent"
              value="unassign"
              variant="danger"
              pendingLabel="Unassigning..."
            >
              Unassign
            </SubmitButton>
            <Button variant="ghost" onClick={() => setAsking(false)}>
              Cancel
            </Button>
          </>
        }
      >
        <p>{unassignQuestion(count)}</p>
      </Dialog>
    </>
  );
}
