import type { ReactNode } from "react";
import { Form } from "react-router";
import * as styles from "./decision-form.module.css";
import { maxReasonLength } from "./decision-rules.ts";
import { TextAreaField } from "./field.tsx";

/** The form of a decision in a row of a list. */
export function DecisionForm({ children }: { children: ReactNode }) {
  return (
    <Form method="post" noValidate preventScrollReset className={styles.form}>
      {children}
    </Form>
  );
}

export function DecisionReason({
  label,
  value,
  error,
}: {
  label: ReactNode;
  value: string | undefined;
  error: string | undefined;
}) {
  return (
    <TextAreaField
      label={label}
      name="reason"
      rows={2}
      maxLength={maxReasonLength}
      defaultValue={value}
      error={error}
    />
  );
}
