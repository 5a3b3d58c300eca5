/** The keys of the remark editor, and the dialog's list for each screen. Pure. */
import { readingShortcuts, type ShortcutTable } from "./shortcuts.ts";

const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;
const ends = ["Home", "End"] as const;
const addShift = (keys: readonly string[]) => keys.map((key) => `Shift+${key}`);

/** Keys that work with any focus. */
export const editorShortcuts = {
  ...readingShortcuts,
  nextPage: { keys: ["]"], label: "Next page" },
  previousPage: { keys: ["["], label: "Previous page" },
  read: { keys: ["R"], label: "Read, without marking" },
  selectText: { keys: ["T"], label: "Select text" },
  addMarks: { keys: ["A"], label: "Add remarks" },
  wholePage: { keys: ["P"], label: "Add a remark on the whole page" },
  zoomIn: { keys: ["+", "="], label: "Zoom in" },
  zoomOut: { keys: ["-"], label: "Zoom out" },
  fitPages: { keys: ["0"], label: "Fit the pages" },
  fullZoom: { keys: ["1"], label: "Zoom to 100 %" },
  stopAdding: { keys: ["Escape"], label: "Stop adding or selecting" },
} satisfies ShortcutTable;

export const pinShortcuts = {
  /** Built into the browser, since a pin is a link. */
  openRemark: { keys: ["Enter"], label: "Write its remark" },
  movePin: { keys: arrows, label: "Move it, or place it on the page" },
  resizeArea: { keys: addShift(arrows), label: "Change the size of its box" },
  deleteRemark: { keys: ["Delete"], label: "Delete its remark" },
  closeRemark: { keys: ["Escape"], label: "Close its remark" },
} satisfies ShortcutTable;

/** Keys of a page's words in "Select text" mode. */
export const wordShortcuts = {
  goToWord: { keys: arrows, label: "Go from word to word" },
  goToEnd: { keys: ends, label: "Go to the first or last word" },
  selectWords: { keys: addShift(arrows), label: "Select words" },
  selectToEnd: { keys: addShift(ends), label: "Select to either end" },
  quoteWords: { keys: ["Enter"], label: "Quote them in a remark" },
  clearWords: { keys: ["Escape"], label: "Select nothing" },
} satisfies ShortcutTable;

/** Keys of a remark's form. */
export const remarkShortcuts = {
  keepNew: { keys: ["Enter"], label: "Save a new remark" },
  /** Built into the browser. */
  addLine: { keys: ["Shift+Enter"], label: "Start a new line" },
  keep: { keys: ["Control+Enter", "Meta+Enter"], label: "Finish writing" },
  leave: { keys: ["Escape"], label: "Finish writing, or discard a new remark" },
} satisfies ShortcutTable;

/** Keys of saved phrases in a remark. */
export const phraseShortcuts = {
  /** Detected in the text before the caret. */
  findPhrases: { keys: ["/"], label: "Find phrases by a few letters" },
  usePhrase: { keys: ["Enter"], label: "Use a phrase" },
  nextPhrase: { keys: ["ArrowDown"], label: "Next phrase" },
  previousPhrase: { keys: ["ArrowUp"], label: "Previous phrase" },
  leavePhrases: { keys: ["Escape"], label: "Back to the text" },
} satisfies ShortcutTable;

/** Keys of the workspace's tabs. */
export const tabShortcuts = {
  nextTab: { keys: ["ArrowRight"], label: "Next tab" },
  previousTab: { keys: ["ArrowLeft"], label: "Previous tab" },
  firstTab: { keys: ["Home"], label: "First tab" },
  lastTab: { keys: ["End"], label: "Last tab" },
} satisfies ShortcutTable;

/** A screen with marked pages: the customer's result, the reviewer's workspace or an admin's editor. */
export type MarkedScreen = "result" | "workspace" | "editor";

/** Shortcuts under one heading. Those that work anywhere can be turned off. */
export type ShortcutGroup = { title: string; shortcuts: ShortcutTable; isAnywhere?: boolean };

const anywhere = { title: "Anywhere on the page", isAnywhere: true };

const editorGroups: readonly ShortcutGroup[] = [
  { ...anywhere, shortcuts: editorShortcuts },
  { title: "On a pin", shortcuts: pinShortcuts },
  { title: "In a remark", shortcuts: remarkShortcuts },
  { title: "On a page, in “Select text”", shortcuts: wordShortcuts },
];

/** All keys of each screen, in the dialog's order. */
export const shortcutGroups: Record<MarkedScreen, readonly ShortcutGroup[]> = {
  result: [{ ...anywhere, shortcuts: readingShortcuts }],
  editor: editorGroups,
  workspace: [
    ...editorGroups,
    { title: "In saved phrases", shortcuts: phraseShortcuts },
    { title: "On the tabs", shortcuts: tabShortcuts },
  ],
};
