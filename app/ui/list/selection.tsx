import {
  type ChangeEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { Form } from "react-router";
import { FormAlert } from "../form/field.tsx";
import { useHydrated } from "../hydrated.ts";

export type Selection = {
  /** The number of ticked rows. */
  count: number;
  /** Checks whether a field of the same form has a value. */
  has(field: string): boolean;
  /** For the form's `onChange`. */
  updateCount(): void;
  tickAll(event: ChangeEvent<HTMLInputElement>): void;
};

/**
 * Counts the ticked rows. The boxes themselves hold the selection, so that it works without scripts.
 *
 * @param name the name of the boxes
 * @param successes each one clears the selection
 */
export function useSelection(
  form: RefObject<HTMLFormElement | null>,
  { name, rows, successes = 0 }: { name: string; rows: unknown; successes?: number },
): Selection {
  const [{ count, fields }, setChosen] = useState({ count: 0, fields: [] as string[] });
  function updateCount() {
    const chosen = [...new FormData(form.current ?? undefined)].filter(([, value]) => value !== "");
    const names = chosen.map(([field]) => field);
    // oxlint-disable-next-line react/set-state-in-effect -- only the page itself knows its boxes
    setChosen({ count: names.filter((field) => field === name).length, fields: names });
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
    const boxes = form.current?.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`) ?? [];
    for (const box of boxes) box.checked = event.target.checked;
    updateCount();
  }
  return { count, has: (field) => fields.includes(field), updateCount, tickAll };
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
  error?: string;
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
