import { priorityNames } from "../../reviews/rules.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { SelectField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { PopoverPanel } from "../../ui/list/popover-panel.tsx";
import {
  isSuccess,
  SelectedCount,
  type Selection,
  useSuccesses,
} from "../../ui/list/selection.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { useMissingReview } from "./reviews-list.tsx";
import { buildReviewsAddress, type DialogName, type ReviewsQuery } from "./reviews-query.ts";
import * as styles from "../../ui/list/lists.module.css";

/** The name of the boxes that select reviews. */
export const tickName = "review";

/** Returns the props of a screen's dialogs, the review in each, and how often a form has succeeded. */
export function useReviewDialogs<Row extends { id: string }>(
  rows: readonly Row[],
  query: ReviewsQuery,
  { problem, answer }: { problem: string | null; answer: unknown },
) {
  const [successes, onSaved] = useSuccesses(answer);
  const requested = rows.find(({ id }) => id === query.dialog?.id);
  const reviewIn = (name: DialogName) =>
    (query.dialog?.name === name && !isSuccess(answer) && requested) || null;
  useMissingReview(query.dialog !== null && !problem && !answer && !requested);
  const closed = buildReviewsAddress({ ...query, dialog: null });
  return { successes, reviewIn, dialogProps: { closed, onSaved } };
}

export const tickColumn: Column<{ id: string }> = {
  header: <span className="sr-only">Select</span>,
  label: "Select",
  cell: ({ id }) => (
    <label className={styles.rowTick}>
      <input type="checkbox" name={tickName} value={id} aria-label={`Select review ${id}`} />
    </label>
  ),
};

/** The button and its panel that set the priority of the selected reviews. */
export function PriorityPanel({ selection, error }: { selection: Selection; error?: string }) {
  const hydrated = useHydrated();
  return (
    <PopoverPanel label="Priority" disabled={hydrated && selection.count === 0}>
      <SelectField
        label="Priority"
        name="priority"
        error={error}
        options={priorityNames.map((label, rank) => ({ value: String(rank), label }))}
        defaultValue={String(priorityNames.length - 1)}
      />
      <SubmitButton intent="set-priorities" pendingLabel="Saving...">
        Set Priority <SelectedCount of={selection} />
      </SubmitButton>
    </PopoverPanel>
  );
}
