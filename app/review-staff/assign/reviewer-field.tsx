import { countLabel } from "../../platform/lists/lists.ts";
import { SelectField } from "../../ui/form/field.tsx";
import type { Assignee } from "./assignees.server.ts";
import { evenShare } from "./reviews-query.ts";

/** The choice of a reviewer, each with the number of their open reviews and their availability. */
export function ReviewerField({
  assignees,
  error,
  label,
  canShare = false,
}: {
  assignees: readonly Assignee[];
  /** Adds the choice that shares the reviews out. */
  canShare?: boolean;
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
        ...(canShare ? [evenShare] : []),
        ...assignees.map(({ id, name, openAssignments, availability }) => ({
          value: id,
          label: [`${name} (${countLabel(openAssignments)})`, availability]
            .filter(Boolean)
            .join(" · "),
        })),
      ]}
    />
  );
}
