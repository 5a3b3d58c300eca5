/**
 * Keys of every screen that shows marked pages, and how a key press is looked up. Key handlers and the dialog that
 * lists the keys read the same tables, so no key works without being listed. Pure; safe for the browser.
 */

/** An action: the keys that start it, named as in `aria-keyshortcuts` ("N", "Shift+ArrowLeft"), and its label. */
export type Shortcut = { keys: readonly string[]; label: string };

/** The actions of one place, by name. */
export type ShortcutTable = Record<string, Shortcut>;

/** Keys that work wherever the focus is on a screen with remarks. */
export const readingShortcuts = {
  nextRemark: { keys: ["N"], label: "Next remark" },
  previousRemark: { keys: ["Shift+N"], label: "Previous remark" },
  showShortcuts: { keys: ["?"], label: "Keyboard shortcuts" },
} satisfies ShortcutTable;

/** The fields of a keydown event that identify the key. */
export type KeyPress = {
  /** Missing in the events that a browser sends when it fills in a form. */
  key?: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  getModifierState(modifier: "AltGraph"): boolean;
};

/** A keydown event that was heard for a page. */
export type PageKeyPress = KeyPress & {
  defaultPrevented: boolean;
  isComposing: boolean;
  keyCode: number;
};

/** The element that had the focus when a key was pressed, or the document. */
export type KeyTarget = {
  tagName?: string;
  /** The `type` of a form control. */
  type?: string;
  isContentEditable?: boolean;
  getAttribute?(name: "role"): string | null;
};

/**
 * Finds the action that a key starts.
 *
 * @returns the name of the action; undefined for a key that is not in the table
 */
export function findShortcut<Table extends ShortcutTable>(
  table: Table,
  press: KeyPress,
): keyof Table | undefined {
  const name = formatKeyPress(press);
  return Object.keys(table).find((action) => table[action]!.keys.includes(name));
}

/**
 * Finds the action that a key starts from anywhere on a page.
 *
 * @param isCovered whether a dialog or a menu is open
 * @param areSingleKeysOn false when single characters start nothing (WCAG 2.1.4)
 * @returns undefined also for a key that belongs to a text, a choice, a dialog, a menu or an input method
 */
export function findPageShortcut<Table extends ShortcutTable>(
  table: Table,
  press: PageKeyPress,
  {
    target,
    isCovered,
    areSingleKeysOn,
  }: { target: KeyTarget; isCovered: boolean; areSingleKeysOn: boolean },
): keyof Table | undefined {
  const isTaken =
    press.defaultPrevented ||
    press.isComposing ||
    // Safari ends a composition before it sends the key that ended it.
    press.keyCode === 229 ||
    isCovered ||
    needsCharacters(target) ||
    (!areSingleKeysOn && press.key?.length === 1);
  return isTaken ? undefined : findShortcut(table, press);
}

/** Names a key as the tables do. */
function formatKeyPress(press: KeyPress): string {
  const { key = "", shiftKey, ctrlKey, metaKey, altKey } = press;
  const isCharacter = key.length === 1;
  // Layouts differ in whether a sign is typed with Shift or AltGr, which on Windows also counts as Ctrl and Alt.
  const isSign = isCharacter && key.toLowerCase() === key.toUpperCase();
  const isTyped = isSign && press.getModifierState("AltGraph");
  return [
    ctrlKey && !isTyped && "Control+",
    metaKey && "Meta+",
    altKey && !isTyped && "Alt+",
    shiftKey && !isSign && "Shift+",
    isCharacter ? key.toUpperCase() : key,
  ]
    .filter(Boolean)
    .join("");
}

const inputsWithoutText = /^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/;
const rolesWithText = /^(?:textbox|searchbox|spinbutton|combobox|listbox|option|menu|tree|grid)/;

/** True if an element uses typed characters itself: as text, or to find a choice by its letters. */
function needsCharacters(target: KeyTarget): boolean {
  const { tagName = "", type = "", isContentEditable = false } = target;
  return (
    isContentEditable ||
    /^(?:TEXTAREA|SELECT)$/.test(tagName) ||
    (tagName === "INPUT" && !inputsWithoutText.test(type)) ||
    rolesWithText.test(target.getAttribute?.("role") ?? "")
  );
}
