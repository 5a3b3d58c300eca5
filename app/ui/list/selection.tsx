import {
  type ChangeEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Form } from "react-router";
import type { OwnAddress } from "../../platform/own-path.ts";
import { Button } from "../form/button.tsx";
import { FormAlert } from "../form/field.tsx";
import { clearTyped, loadTyped, saveTyped } from "../form/typed-in-tab.ts";
import { useHydrated } from "../hydrated.ts";
import * as styles from "./lists.module.css";
import * as fieldStyles from "../form/field.module.css";

/** A selection that continues on the other pages of a list. */
type AcrossPages = {
  /** Names the list without its page. Another search or filter is another list. */
  list: string;
  /** The limit of selected rows. */
  max: number;
};

type Chosen = {
  /** The values of the selected rows on all pages. */
  values: readonly string[];
  /** The number of ticked rows on this page. */
  onPage: number;
  /** The selected rows of other pages. */
  elsewhere: readonly string[];
  /** True after a tick was undone because of the limit. */
  isFull: boolean;
};

export type Selection = Chosen & {
  /** The name of the boxes. */
  name: string;
  /** The number of selected rows on all pages. */
  count: number;
  /** The limit of selected rows; null without one. */
  max: number | null;
  /** Checks whether a field of the same form has a value. */
  has(field: string): boolean;
  /** For the form's `onChange`. */
  updateCount(): void;
  tickAll(event: ChangeEvent<HTMLInputElement>): void;
  clear(): void;
};

const nothingChosen: Chosen = { values: [], onPage: 0, elsewhere: [], isFull: false };

/**
 * Counts the ticked rows. The boxes themselves hold the selection, so that it works without scripts. With `across` it
 * also has the ticks of other pages, until the list is left.
 *
 * @param name the name of the boxes
 * @param successes each one clears the selection
 */
export function useSelection(
  form: RefObject<HTMLFormElement | null>,
  {
    name,
    rows,
    successes = 0,
    across,
  }: { name: string; rows: unknown; successes?: number; across?: AcrossPages },
): Selection {
  const [{ fields, ...counts }, setCounts] = useState({ ...nothingChosen, fields: [] as string[] });
  const chosen = useRef<ReadonlySet<string>>(new Set());
  const list = across?.list;
  const listBoxes = () => [
    ...(form.current?.querySelectorAll<HTMLInputElement>(`[type=checkbox][name="${name}"]`) ?? []),
  ];
  function updateCount() {
    const boxes = listBoxes();
    const ids = new Set(boxes.map(({ value }) => value));
    const elsewhere = across ? [...chosen.current].filter((id) => !ids.has(id)) : [];
    const isFull = limitTicks(boxes, chosen.current, (across?.max ?? Infinity) - elsewhere.length);
    const ticked = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    chosen.current = new Set([...elsewhere, ...ticked]);
    if (list !== undefined) saveTyped(`selection:${list}`, [...chosen.current].join(" "));
    const filled = [...new FormData(form.current ?? undefined)].filter(([, value]) => value !== "");
    setCounts({
      values: [...chosen.current],
      elsewhere,
      onPage: ticked.length,
      isFull,
      fields: filled.map(([field]) => field),
    });
  }
  useLayoutEffect(() => {
    if (list === undefined) return undefined;
    // Only a reload finds a selection, since leaving the list removes it.
    const saved = loadTyped(`selection:${list}`) ?? "";
    chosen.current = new Set(saved.split(" ").filter((id) => id !== ""));
    return () => clearTyped(`selection:${list}`);
  }, [list]);
  const cleared = useRef(successes);
  useLayoutEffect(() => {
    if (cleared.current !== successes) {
      form.current?.reset();
      chosen.current = new Set();
    }
    cleared.current = successes;
    for (const box of listBoxes()) if (chosen.current.has(box.value)) box.checked = true;
    // Also counts the boxes ticked before hydration.
    updateCount();
    // oxlint-disable-next-line react/exhaustive-deps -- the functions are new at each rendering
  }, [rows, form, successes, list]);
  function tickAll(event: ChangeEvent<HTMLInputElement>) {
    for (const box of listBoxes()) box.checked = event.target.checked;
    updateCount();
  }
  function clear() {
    for (const box of listBoxes()) box.checked = false;
    chosen.current = new Set();
    updateCount();
    form.current?.querySelector<HTMLInputElement>(`.${styles.selectAll} input`)?.focus();
  }
  return {
    ...counts,
    name,
    count: counts.onPage + counts.elsewhere.length,
    max: across?.max ?? null,
    has: (field) => fields.includes(field),
    updateCount,
    tickAll,
    clear,
  };
}

/** Counts successes while a screen is open: those of its own form, and those that dialogs report. */
export function useSuccesses(answer: unknown): [number, () => void] {
  const [previous, setPrevious] = useState(answer);
  const [count, setCount] = useState(0);
  if (previous !== answer) {
    setPrevious(answer);
    if (isSuccess(answer)) setCount(count + 1);
  }
  return [count, () => setCount((before) => before + 1)];
}

/** Checks whether an action's answer is a success. */
export function isSuccess(answer: unknown): boolean {
  return Boolean(answer && typeof answer === "object" && "ok" in answer);
}

/** Unticks the new boxes beyond the limit. Returns true if there were any. */
function limitTicks(boxes: readonly HTMLInputElement[], before: ReadonlySet<string>, max: number) {
  const ticked = boxes.filter(({ checked }) => checked);
  const added = ticked.filter(({ value }) => !before.has(value));
  const beyond = added.slice(Math.max(0, max - (ticked.length - added.length)));
  for (const box of beyond) box.checked = false;
  return beyond.length > 0;
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
  closed: OwnAddress;
  /** An error that belongs to no field. */
  error?: string;
  children: ReactNode;
}) {
  const { name, elsewhere, isFull, max } = selection;
  return (
    <Form
      method="post"
      action={closed}
      ref={form}
      onChange={selection.updateCount}
      className={styles.assign}
      preventScrollReset
    >
      <FormAlert>{error}</FormAlert>
      {elsewhere.map((id) => (
        <input key={id} type="hidden" name={name} value={id} />
      ))}
      {children}
      {isFull && (
        <div className={styles.selectionLimit}>
          <FormAlert>{`You can select up to ${max} at a time. Finish with these first, or clear some.`}</FormAlert>
        </div>
      )}
    </Form>
  );
}

export function SelectAll({ selection, of }: { selection: Selection; of: number }) {
  const hydrated = useHydrated();
  const { onPage, tickAll } = selection;
  return (
    <label className={`${fieldStyles.tick} ${styles.selectAll}`}>
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = onPage > 0 && onPage < of;
        }}
        checked={onPage === of}
        onChange={tickAll}
        disabled={!hydrated}
      />
      <span>{`Select all ${of} on this page`}</span>
    </label>
  );
}

/** Says how many rows of other pages are selected, and clears the selection. Its space is reserved without one. */
export function SelectionSummary({ of: { count, elsewhere, clear } }: { of: Selection }) {
  return (
    <span className={styles.selectionSummary} data-empty={count === 0 || undefined}>
      {elsewhere.length > 0 && <span>{`${elsewhere.length} on other pages`}</span>}
      <Button variant="ghost" size="sm" onClick={clear}>
        Clear<span> selection</span>
      </Button>
    </span>
  );
}

/** The number of selected rows after a button's label. Its space is reserved until scripts can count. */
export function SelectedCount({ of: { count } }: { of: Selection }) {
  const hydrated = useHydrated();
  return <span className={styles.selectedCount}>{hydrated && `(${count})`}</span>;
}
