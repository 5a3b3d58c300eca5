import { countLabel } from "../../platform/lists/lists.ts";
import { SelectField } from "../../ui/form/field.tsx";
import type { Assignee } from "./assignees.server.ts";
import { evenShare } from "./reviews-query.ts";

/**
 * The choice of a reviewer, each with the number of their open reviews and their availability. For second looks, the
 * reviewers of the earlier reviews are first.
 */
export function ReviewerField({
  assignees,
  reviews = [],
  error,
  label,
  canShare = false,
}: {
  assignees: readonly Assignee[];
  /** The reviews to assign, as far as they are on this page. */
  reviews?: readonly { earlierReviewerId: string | null }[];
  /** Adds the choice that shares the reviews out. */
  canShare?: boolean;
  error?: string;
  /** A visible label; when undefined, there is one for screen readers only. */
  label?: string;
}) {
  const earlier = new Set(reviews.map(({ earlierReviewerId }) => earlierReviewerId));
  const byEarlier = Object.groupBy(assignees, ({ id }) => (earlier.has(id) ? "first" : "then"));
  const inOrder = [...(byEarlier.first ?? []), ...(byEarlier.then ?? [])];
  return (
    <SelectField
      label={label ?? <span className="sr-only">Reviewer</span>}
      name="reviewer"
      error={error}
      defaultValue=""
      options={[
        { value: "", label: "Select a reviewer" },
        ...(canShare ? [evenShare] : []),
        ...inOrder.map(({ id, name, openAssignments, availability }) => ({
          value: id,
          label: [
            `${name} (${countLabel(openAssignments)})`,
            earlier.has(id) && "reviewed it before",
            availability,
          ]
            .filter(Boolean)
            .join(" · "),
        })),
      ]}
    />
  );
}
