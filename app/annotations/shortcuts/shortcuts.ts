/**
 * The keys of screens with marked pages, and the lookup of key presses. Handlers and the dialog share these
 * tables, so every working key is listed. Pure; safe for the browser.
 */

/** An action with its label and keys, named as in `aria-keyshortcuts` ("N", "Shift+ArrowLeft"). */
export type Shortcut = { keys: readonly string[]; label: string };

/** The actions of one place, by name. */
export type ShortcutTable = Record<string, Shortcut>;

/** Keys that work with any focus on a screen with remarks. */
export const readingShortcuts = {
  nextRemark: { keys: ["N"], label: "Next remark" },
  previousRemark: { keys: ["Shift+N"], label: "Previous remark" },
  showShortcuts: { keys: ["?"], label: "Keyboard shortcuts" },
} satisfies ShortcutTable;

/** The fields of a keydown event that identify the key. */
export type KeyPress = {
  /** Missing from events that browsers send for form autofill. */
  key?: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  getModifierState(modifier: "AltGraph"): boolean;
};

/** A keydown event of a page. */
export type PageKeyPress = KeyPress & {
  defaultPrevented: boolean;
  isComposing: boolean;
  keyCode: number;
};

/** The focused element of a keydown event, or the document. */
export type KeyTarget = {
  tagName?: string;
  /** The `type` of a form control. */
  type?: string;
  isContentEditable?: boolean;
  getAttribute?(name: "role"): string | null;
};

/**
 * Finds the action of a key.
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
 * Finds the action of a key with any focus on the page.
 *
 * @param isCovered whether a dialog or a menu is open
 * @param areSingleKeysOn false if single characters are turned off (WCAG 2.1.4)
 * @returns undefined also for a key that a text field, a choice, a dialog, a menu or an input method uses
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
    // Safari sends the key that ends a composition after `compositionend`.
    press.keyCode === 229 ||
    isCovered ||
    needsCharacters(target) ||
    (!areSingleKeysOn && press.key?.length === 1);
  return isTaken ? undefined : findShortcut(table, press);
}

/** Formats a key press like the names in the tables. */
function formatKeyPress(press: KeyPress): string {
  const { key = "", shiftKey, ctrlKey, metaKey, altKey } = press;
  const isCharacter = key.length === 1;
  // Some layouts type a symbol with Shift or AltGr, which Windows reports as Ctrl and Alt.
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

/** Checks whether an element uses typed characters, as text or to find a choice. */
function needsCharacters(target: KeyTarget): boolean {
  const { tagName = "", type = "", isContentEditable = false } = target;
  return (
    isContentEditable ||
    /^(?:TEXTAREA|SELECT)$/.test(tagName) ||
    (tagName === "INPUT" && !inputsWithoutText.test(type)) ||
    rolesWithText.test(target.getAttribute?.("role") ?? "")
  );
}
