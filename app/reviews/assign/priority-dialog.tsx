import { priorityNames } from "../rules.ts";
import { SelectField } from "../../ui/form/field.tsx";
import { FormDialog } from "../../ui/feedback/dialog.tsx";
import type { ReviewRow } from "./review-columns.tsx";

/** Sets the priority of a review that is not completed; without one it is closed. */
export function PriorityDialog({
  review,
  ...way
}: {
  review: ReviewRow | null;
  closed: string;
  onSaved(): void;
}) {
  return (
    <FormDialog
      {...way}
      open={review !== null}
      title="Set Priority"
      intent="set-priority"
      submitLabel="Save Changes"
      pendingLabel="Saving..."
    >
      {review && (
        <>
          <input type="hidden" name="reviewId" value={review.id} />
          <PriorityField value={review.priority} hint={`Review ${review.id}`} />
        </>
      )}
    </FormDialog>
  );
}

export function PriorityField({ value, hint }: { value: number; hint?: string }) {
  return (
    <SelectField
      label="Priority"
      name="priority"
      defaultValue={String(value)}
      options={priorityNames.map((label, rank) => ({ value: String(rank), label }))}
      hint={hint}
    />
  );
}
