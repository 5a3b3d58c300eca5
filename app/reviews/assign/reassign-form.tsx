import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import { Form } from "react-router";
import type { Assignee } from "./assignees.server.ts";
import { Button, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { UnassignQuestion } from "./assigned-dialogs.tsx";
import { Count, ReviewerField, SelectAll, useSelection } from "./selection.tsx";

/** The ticked reviews of the table within go to another reviewer, or back into the queue. */
export function ReassignForm({
  rows,
  assignees,
  answer,
  closed,
  children,
}: {
  rows: readonly unknown[];
  assignees: Assignee[];
  /** What the form's last sending came to. */
  answer: { ok?: true; errors?: Record<string, string>; asked?: string[] } | undefined;
  /** The address of the table by itself. */
  closed: string;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const selection = useSelection(form, rows);
  const [question, setQuestion] = useState(questionOf(answer));
  if (question.answer !== answer) setQuestion(questionOf(answer));
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
      <Form
        method="post"
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
            <Button type="submit" name="intent" value="ask-unassign" variant="danger" onClick={ask}>
              Unassign Selected <Count of={selection} />
            </Button>
          </div>
        </div>
        {children}
      </Form>
    </>
  );
}

/** Which reviews to unassign is asked by the server where no script does so. */
function questionOf<Answer extends { asked?: string[] }>(answer: Answer | undefined) {
  return { answer, about: answer?.asked ?? [] };
}
