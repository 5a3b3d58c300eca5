import { countLabel } from "../../platform/lists/lists.ts";
import { SelectField } from "../../ui/form/field.tsx";
import type { Assignee } from "./assignees.server.ts";
import { evenShare } from "./reviews-query.ts";

/**
 * The choice of a reviewer, each with the number of their open reviews, what they know of the customers' wishes, and
 * their availability. The reviewers of the earlier reviews of second looks are first, then those who match more wishes.
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
  reviews?: readonly { earlierReviewerId: string | null; wishes: readonly string[] }[];
  /** Adds the choice that shares the reviews out. */
  canShare?: boolean;
  error?: string;
  /** A visible label; when undefined, there is one for screen readers only. */
  label?: string;
}) {
  const earlier = new Set(reviews.map(({ earlierReviewerId }) => earlierReviewerId));
  const wished = new Set(reviews.flatMap(({ wishes }) => wishes));
  const countMatches = ({ knows }: Assignee) => knows.filter((label) => wished.has(label)).length;
  const inOrder = assignees.toSorted(
    (one, other) =>
      Number(earlier.has(other.id)) - Number(earlier.has(one.id)) ||
      countMatches(other) - countMatches(one),
  );
  return (
    <SelectField
      label={label ?? <span className="sr-only">Reviewer</span>}
      name="reviewer"
      error={error}
      defaultValue=""
      options={[
        { value: "", label: "Select a reviewer" },
        ...(canShare ? [evenShare] : []),
        ...inOrder.map(({ id, name, openAssignments, availability, knows }) => ({
          value: id,
          label: [
            `${name} (${countLabel(openAssignments)})`,
            earlier.has(id) && "reviewed it before",
            // Without a selection, as without scripts, it shows all matches with the list.
            ...knows.filter((label) => reviews.length === 0 || wished.has(label)),
            availability,
          ]
            .filter(Boolean)
            .join(" · "),
        })),
      ]}
    />
  );
}
