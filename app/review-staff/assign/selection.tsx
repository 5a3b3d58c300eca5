import {
  type ChangeEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { Form } from "react-router";
import { countLabel } from "../../platform/lists.ts";
import { FormAlert, SelectField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import type { Column } from "../../ui/list/table.tsx";
import type { Assignee } from "./assignees.server.ts";

type Selection = {
  /** The number of ticked rows. */
  count: number;
  /** True when a reviewer is chosen in the same form. */
  hasReviewer: boolean;
  /** For the form's `onChange`. */
  updateCount(): void;
  tickAll(event: ChangeEvent<HTMLInputElement>): void;
};

/**
 * Counts the ticked rows. The boxes themselves hold the selection, so that it works without scripts.
 *
 * @param successes each one clears the selection
 */
export function useSelection(
  form: RefObject<HTMLFormElement | null>,
  rows: unknown,
  successes: number,
): Selection {
  const [count, setCount] = useState(0);
  const [hasReviewer, setHasReviewer] = useState(false);
  function updateCount() {
    const chosen = new FormData(form.current ?? undefined);
    // oxlint-disable-next-line react/set-state-in-effect -- only the page itself knows its boxes
    setCount(chosen.getAll("review").length);
    setHasReviewer(Boolean(chosen.get("reviewer")));
  }
  const cleared = useRef(successes);
  useEffect(() => {
    if (cleared.current !== successes) form.current?.reset();
    cleared.current = successes;
    // Counts the boxes ticked before hydration, and drops those of removed rows.
    updateCount();
    // oxlint-disable-next-line react/exhaustive-deps -- `updateCount` is new at each rendering
  }, [rows, form, successes]);
  function tickAll(event: ChangeEvent<HTMLInputElement>) {
    const boxes = form.current?.querySelectorAll<HTMLInputElement>('input[name="review"]') ?? [];
    for (const box of boxes) box.checked = event.target.checked;
    updateCount();
  }
  return { count, hasReviewer, updateCount, tickAll };
}

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

/** The form around a table with tick boxes. It posts to the address without a dialog. */
export function SelectionForm({
  form,
  selection,
  closed,
  error,
  children,
}: {
  form: RefObject<HTMLFormElement | null>;
  selection: Selection;
  /** The address of the table without a dialog. */
  closed: string;
  /** An error that belongs to no field. */
  error: string | undefined;
  children: ReactNode;
}) {
  return (
    <Form
      method="post"
      action={closed}
      ref={form}
      onChange={selection.updateCount}
      className="assign"
      preventScrollReset
    >
      <FormAlert>{error}</FormAlert>
      {children}
    </Form>
  );
}

export function SelectAll({ selection, of }: { selection: Selection; of: number }) {
  const hydrated = useHydrated();
  const { count, tickAll } = selection;
  return (
    <label className="tick select-all">
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < of;
        }}
        checked={count === of}
        onChange={tickAll}
        disabled={!hydrated}
      />
      <span>Select all</span>
    </label>
  );
}

/** The number of ticked rows after a button's label. Its space is reserved until scripts can count. */
export function SelectedCount({ of: { count } }: { of: Selection }) {
  const hydrated = useHydrated();
  return <span className="selected-count">{hydrated && `(${count})`}</span>;
}

export const tickColumn: Column<{ id: string }> = {
  header: <span className="sr-only">Select</span>,
  label: "Select",
  cell: ({ id }) => (
    <label className="row-tick">
      <input type="checkbox" name="review" value={id} aria-label={`Select review ${id}`} />
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
