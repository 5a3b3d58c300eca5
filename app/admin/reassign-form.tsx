import { type ReactNode, useRef, useState } from "react";
import { Form } from "react-router";
import type { Assignee } from "../reviews/staff/assignees.server.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormAlert } from "../ui/field.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { ReviewerField } from "./reviewer-field.tsx";
import { SelectAll, useSelection } from "./selection.tsx";
import { unassignQuestion } from "./unassign-words.ts";

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
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const selection = useSelection(form, rows);
  const { count } = selection;
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
        {(!hydrated || count > 0) && (
          <>
            <ReviewerField assignees={assignees} error={errors.reviewerId} />
            <SubmitButton name="intent" value="reassign" pendingLabel="Reassigning...">
              {hydrated ? `Reassign Selected (${count})` : "Reassign Selected"}
            </SubmitButton>
            <Unassign count={count} answer={answer} />
          </>
        )}
      </div>
      {children}
    </Form>
  );
}

/** Asks before it takes reviews back: in a dialog, or before any script on a card of the next page. */
function Unassign({ count, answer }: { count: number; answer: unknown }) {
  const hydrated = useHydrated();
  const [asking, setAsking] = useState(false);
  const [seen, setSeen] = useState(answer);
  if (seen !== answer) {
    setSeen(answer);
    setAsking(false);
  }
  if (!hydrated) {
    return (
      <Button type="submit" name="intent" value="ask-unassign" variant="secondary">
        Unassign Selected
      </Button>
    );
  }
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {`Unassign Selected (${count})`}
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
