/** The keys of the screens where remarks are written, and what the dialog lists for each screen. Pure. */
import { readingShortcuts, type ShortcutTable } from "./shortcuts.ts";

const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;
const ends = ["Home", "End"] as const;
const addShift = (keys: readonly string[]) => keys.map((key) => `Shift+${key}`);

/** Keys that work wherever the focus is. */
export const editorShortcuts = {
  ...readingShortcuts,
  nextPage: { keys: ["]"], label: "Next page" },
  previousPage: { keys: ["["], label: "Previous page" },
  stopAdding: { keys: ["Escape"], label: "Stop adding or selecting" },
} satisfies ShortcutTable;

/** Keys of a pin that has the focus. */
export const pinShortcuts = {
  /** The browser does this: a pin is a link. */
  openRemark: { keys: ["Enter"], label: "Write its remark" },
  movePin: { keys: arrows, label: "Move it" },
  resizeArea: { keys: addShift(arrows), label: "Change the size of its box" },
  deleteRemark: { keys: ["Delete"], label: "Delete its remark" },
  closeRemark: { keys: ["Escape"], label: "Close its remark" },
} satisfies ShortcutTable;

/** Keys of the words of a page in "Select text". */
export const wordShortcuts = {
  goToWord: { keys: arrows, label: "Go from word to word" },
  goToEnd: { keys: ends, label: "Go to the first or last word" },
  selectWords: { keys: addShift(arrows), label: "Select words" },
  selectToEnd: { keys: addShift(ends), label: "Select to either end" },
  quoteWords: { keys: ["Enter"], label: "Quote them in a remark" },
  clearWords: { keys: ["Escape"], label: "Select nothing" },
} satisfies ShortcutTable;

/** Keys of a remark that is being written. */
export const remarkShortcuts = {
  keepNew: { keys: ["Enter"], label: "Keep a new remark" },
  /** The browser does this. */
  addLine: { keys: ["Shift+Enter"], label: "Start a new line" },
  keep: { keys: ["Control+Enter", "Meta+Enter"], label: "Finish writing" },
  leave: { keys: ["Escape"], label: "Finish writing, or drop a new remark" },
} satisfies ShortcutTable;

/** Keys of a reviewer's saved phrases, in a remark. */
export const phraseShortcuts = {
  /** Found in the text before the caret. */
  findPhrases: { keys: ["/"], label: "Find phrases by a few letters" },
  usePhrase: { keys: ["Enter"], label: "Use a phrase" },
  nextPhrase: { keys: ["ArrowDown"], label: "Next phrase" },
  previousPhrase: { keys: ["ArrowUp"], label: "Previous phrase" },
  leavePhrases: { keys: ["Escape"], label: "Back to the text" },
} satisfies ShortcutTable;

/** A screen that shows marked pages: where they are read, reviewed, or edited later by an admin. */
export type MarkedScreen = "result" | "workspace" | "editor";

/** Shortcuts under one heading; those that work anywhere can be turned off. */
export type ShortcutGroup = { title: string; shortcuts: ShortcutTable; isAnywhere?: boolean };

const anywhere = { title: "Anywhere on the page", isAnywhere: true };

const editorGroups: readonly ShortcutGroup[] = [
  { ...anywhere, shortcuts: editorShortcuts },
  { title: "On a pin", shortcuts: pinShortcuts },
  { title: "In a remark", shortcuts: remarkShortcuts },
  { title: "On a page, in “Select text”", shortcuts: wordShortcuts },
];

/** Every key of each screen, as the dialog lists them. */
export const shortcutGroups: Record<MarkedScreen, readonly ShortcutGroup[]> = {
  result: [{ ...anywhere, shortcuts: readingShortcuts }],
  editor: editorGroups,
  workspace: [...editorGroups, { title: "In saved phrases", shortcuts: phraseShortcuts }],
};
