import type { Assignee } from "./assignees.server.ts";
import { SelectField } from "../../ui/form/field.tsx";

/** Chooses who gets reviews; each name with the number of reviews that they have. */
export function ReviewerField({
  assignees,
  error,
  label,
}: {
  assignees: readonly Assignee[];
  error?: string;
  /** Left out, only screen readers hear one. */
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
          label: `${name} (${openAssignments})`,
        })),
      ]}
    />
  );
}
