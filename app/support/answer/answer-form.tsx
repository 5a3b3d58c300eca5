import { useRef } from "react";
import { Form, useNavigation } from "react-router";
import { Button, SubmitButton } from "../../ui/form/button.tsx";
import { Field, TextAreaField } from "../../ui/form/field.tsx";
import type { Template } from "./templates.server.ts";
import * as styles from "./letter.module.css";

/** The fields and problems of the form that was just sent. */
export type Refused = { errors: Record<string, string>; values: Record<string, string> } | null;

/** The form for a reply, with the saved replies below it. */
export function MessageAnswerForm({
  email,
  seen,
  templates,
  refused,
}: {
  email: string;
  /** The number of replies and follow-ups on the page. */
  seen: number;
  templates: Template[];
  refused: Refused;
}) {
  const form = useRef<HTMLFormElement>(null);
  const intent = useNavigation().formData?.get("intent");
  const isSending = intent === "answer" || intent === "answer-close";
  return (
    <Form ref={form} method="post" noValidate preventScrollReset className={styles.form}>
      <input type="hidden" name="seen" value={seen} />
      <TextAreaField
        label="Reply"
        name="answer"
        rows={8}
        // Sending clears the form, so text typed meanwhile would be lost.
        readOnly={isSending}
        defaultValue={refused?.values.answer}
        error={refused?.errors.answer}
        hint={`We'll email this to ${email} with the ticket number in the subject.`}
      />
      <div className={styles.buttons}>
        <SubmitButton intent="answer" pendingLabel="Sending...">
          Send reply
        </SubmitButton>
        <SubmitButton intent="answer-close" variant="secondary" pendingLabel="Sending...">
          Send and close
        </SubmitButton>
      </div>
      <details className={styles.templates} open={refused?.errors.title ? true : undefined}>
        <summary>Saved replies{templates.length > 0 && ` (${templates.length})`}</summary>
        <ul>
          {templates.map((template) => (
            <TemplateRow
              key={template.id}
              template={template}
              onInsert={() => insertText(form.current, template.text)}
            />
          ))}
        </ul>
        {templates.length === 0 && <p>Save a reply to use it again.</p>}
        <Field
          label="Title for next time"
          name="title"
          maxLength={80}
          autoComplete="off"
          defaultValue={refused?.values.title}
          error={refused?.errors.title}
        />
        <SubmitButton intent="save-template" variant="secondary" size="sm" pendingLabel="Saving...">
          Save for next time
        </SubmitButton>
      </details>
    </Form>
  );
}

/** Without scripts, the text can be copied. */
function TemplateRow({
  template: { id, title, text },
  onInsert,
}: {
  template: Template;
  onInsert: () => void;
}) {
  return (
    <li>
      <h3>{title}</h3>
      <p>{text}</p>
      <div className={styles.buttons}>
        <Button variant="secondary" size="sm" className="needs-scripts" onClick={onInsert}>
          Insert
          <span className="sr-only">: {title}</span>
        </Button>
        <SubmitButton
          intent={`delete-template:${id}`}
          variant="ghost"
          size="sm"
          pendingLabel="Deleting..."
        >
          Delete
          <span className="sr-only">: {title}</span>
        </SubmitButton>
      </div>
    </li>
  );
}

/** Inserts a text at the cursor and keeps what is typed. */
function insertText(form: HTMLFormElement | null, text: string): void {
  const area = form?.querySelector<HTMLTextAreaElement>("textarea[name=answer]");
  if (!area) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.focus();
}
