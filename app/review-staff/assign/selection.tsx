import { useState } from "react";
import { countLabel } from "../../platform/lists.ts";
import { SelectField } from "../../ui/form/field.tsx";
import type { Column } from "../../ui/list/table.tsx";
import type { Assignee } from "./assignees.server.ts";

/** The name of the boxes that select reviews. */
export const tickName = "review";

/** Counts successes while a screen is open: those of its own form, and those that dialogs report. */
export function useSuccesses(answer: unknown): [number, () => void] {
  const [seen, setSeen] = useState(answer);
  const [count, setCount] = useState(0);
  if (seen !== answer) {
    setSeen(answer);
    if (isSuccess(answer)) setCount(count + 1);
  }
  return [count, () => setCount((before) => before + 1)];
}

/** Checks whether an action's answer is a success. */
export function isSuccess(answer: unknown): boolean {
  return Boolean(answer && typeof answer === "object" && "ok" in answer);
}

export const tickColumn: Column<{ id: string }> = {
  header: <span className="sr-only">Select</span>,
  label: "Select",
  cell: ({ id }) => (
    <label className="row-tick">
      <input type="checkbox" name={tickName} value={id} aria-label={`Select review ${id}`} />
    </label>
  ),
};

/** The choice of a reviewer, each with the number of their open reviews. */
export function ReviewerField({
  assignees,
  error,
  label,
}: {
  assignees: readonly Assignee[];
  error?: string;
  /** A visible label; when undefined, there is one for screen readers only. */
  label?: string;
}) {
  return (
    <SelectField
      label={label ?? <span className="sr-only">Reviewer</span>}
      name="reviewer"
      error={error}
      defaultValue=""
      options={[
        { value: "", label: "Select a reviewer" },
        ...assignees.map(({ id, name, openAssignments }) => ({
          value: id,
          label: `${name} (${countLabel(openAssignments)})`,
        })),
      ]}
    />
  );
}
