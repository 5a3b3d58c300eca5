import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  editorShortcuts,
  phraseShortcuts,
  pinShortcuts,
  remarkShortcuts,
  shortcutGroups,
  tabShortcuts,
  wordShortcuts,
} from "./editor-shortcuts.ts";
import { formatKey, groupKeys } from "./key-names.ts";
import {
  findPageShortcut,
  findShortcut,
  type KeyTarget,
  type PageKeyPress,
  readingShortcuts,
  type ShortcutTable,
} from "./shortcuts.ts";

const tables: Record<string, ShortcutTable> = {
  readingShortcuts,
  editorShortcuts,
  pinShortcuts,
  wordShortcuts,
  remarkShortcuts,
  phraseShortcuts,
  tabShortcuts,
};
const named = Object.entries(tables);

test.each(named)("%s gives each key to one action, and each action a label", (_, table) => {
  const keys = Object.values(table).flatMap((shortcut) => shortcut.keys);
  expect(keys.length).toBeGreaterThan(0);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { label } of Object.values(table)) expect(label).toMatch(/^[A-Z][^.]+$/);
});

test.each(named)("every key of %s matches its event", (_, table) => {
  for (const [action, { keys }] of Object.entries(table))
    for (const key of keys) expect(findShortcut(table, pressOf(key))).toBe(action);
});

test("the dialog of each screen lists the keys that work on it", () => {
  const listed = (screen: keyof typeof shortcutGroups) =>
    shortcutGroups[screen].map(({ shortcuts }) => shortcuts);
  const written = [editorShortcuts, pinShortcuts, remarkShortcuts, wordShortcuts];
  expect(listed("result")).toEqual([readingShortcuts]);
  expect(listed("editor")).toEqual(written);
  expect(listed("workspace")).toEqual([...written, phraseShortcuts, tabShortcuts]);
  for (const [name, table] of named)
    expect(Object.values(shortcutGroups).flat(), name).toContainEqual(
      expect.objectContaining({ shortcuts: table }),
    );
});

test("no part of these screens handles a key outside the tables", () => {
  const files = globSync(
    "{app/annotations/{document-pages,marked-sheet,remarks,shortcuts},app/review-customer/result,app/review-staff/workspace}/**/*.{ts,tsx}",
  );
  const sources = files.filter((file) => !file.includes(".test."));
  expect(sources).toContain("app/annotations/remarks/sheet.tsx");
  for (const file of sources) {
    const code = readFileSync(file, "utf8");
    const comparisons = code.match(/\bkey\s*[!=]==?\s*["'`]|\.(?:key|code)\.toLowerCase|keyup/g);
    expect(comparisons ?? [], file).toEqual([]);
    if (/onKey(?:Down|Up|Press)[=(:]|\(\s*"keydown"/.test(code))
      expect(code, `${file} listens to keys`).toMatch(/\bfind(?:Page)?Shortcut[<(]/);
  }
});

const body: KeyTarget = { tagName: "BODY", getAttribute: () => null };

test.each([
  ["N", "nextRemark"],
  ["Shift+N", "previousRemark"],
  ["?", "showShortcuts"],
  ["]", "nextPage"],
  ["[", "previousPage"],
  ["Escape", "stopAdding"],
])("%s on a page is %s", (key, action) => {
  expect(found(pressOf(key))).toBe(action);
});

test("letters match by Shift alone, with or without Caps Lock", () => {
  expect(found(press({ key: "N" }))).toBe("nextRemark");
  expect(found(press({ key: "n", shiftKey: true }))).toBe("previousRemark");
});

test("a symbol matches on every keyboard layout", () => {
  expect(found(press({ key: "?", shiftKey: false }))).toBe("showShortcuts");
  expect(found(press({ key: "?", shiftKey: true }))).toBe("showShortcuts");
  const altGr = { ctrlKey: true, altKey: true, getModifierState: () => true };
  expect(found(press({ key: "[", ...altGr }))).toBe("previousPage");
  expect(found(press({ key: "n", ...altGr }))).toBeUndefined();
});

test.each([
  ["Ctrl is held", { ctrlKey: true }],
  ["Meta is held", { metaKey: true }],
  ["Alt is held", { altKey: true }],
  ["Ctrl and Alt are held", { ctrlKey: true, altKey: true }],
  ["a text is being composed", { isComposing: true }],
  ["Safari ends a composition", { keyCode: 229 }],
  ["another handler took the key", { defaultPrevented: true }],
])("no key works when %s", (_, held) => {
  for (const key of ["N", "?", "[", "]", "Escape"])
    expect(found({ ...pressOf(key), ...held })).toBeUndefined();
});

test.each(["", "Process", "Dead", "Unidentified", "Tab", "Enter", "ArrowRight", "ArrowDown", "x"])(
  "the key %o does nothing on a page",
  (key) => {
    expect(found(press({ key }))).toBeUndefined();
  },
);

test("a keydown event without a key, as from form autofill, does nothing", () => {
  expect(found(press({ key: undefined }))).toBeUndefined();
});

const typed = ["text", "search", "email", "url", "tel", "password", "number", "date", "time", ""];
test.each<[string, KeyTarget]>([
  ...typed.map((type): [string, KeyTarget] => [`input ${type}`, element("INPUT", { type })]),
  ["textarea", element("TEXTAREA")],
  ["select", element("SELECT", { type: "select-one" })],
  ["contenteditable", element("P", { isContentEditable: true })],
  ...["textbox", "searchbox", "combobox", "listbox", "option", "menuitem", "treeitem"].map(
    (role): [string, KeyTarget] => [role, element("DIV", { role })],
  ),
])("keys in a %s belong to it", (_, target) => {
  for (const key of ["N", "?", "]", "Escape"])
    expect(found(pressOf(key), { target })).toBeUndefined();
});

test.each<[string, KeyTarget]>([
  ["the page", body],
  ["the document", {}],
  ["a button", element("BUTTON", { type: "submit" })],
  ["a link", element("A")],
  ["a pin", element("a")],
  ["a summary", element("SUMMARY")],
  ["the words of a page", element("DIV", { role: "application" })],
  ...["radio", "checkbox", "file", "range"].map((type): [string, KeyTarget] => [
    type,
    element("INPUT", { type }),
  ]),
  ["a switch", element("INPUT", { type: "checkbox", role: "switch" })],
])("keys on %s work", (_, target) => {
  expect(found(pressOf("N"), { target })).toBe("nextRemark");
  expect(found(pressOf("?"), { target })).toBe("showShortcuts");
});

test("no key acts below a dialog or a menu", () => {
  for (const key of ["N", "?", "]", "Escape"])
    expect(found(pressOf(key), { isCovered: true })).toBeUndefined();
});

test("single characters can be turned off, and named keys stay on", () => {
  for (const key of ["N", "Shift+N", "?", "[", "]"])
    expect(found(pressOf(key), { areSingleKeysOn: false })).toBeUndefined();
  expect(found(pressOf("Escape"), { areSingleKeysOn: false })).toBe("stopAdding");
});

test("arrow keys move a pin only without modifiers, which belong to the browser", () => {
  expect(findShortcut(pinShortcuts, pressOf("ArrowLeft"))).toBe("movePin");
  expect(findShortcut(pinShortcuts, pressOf("Shift+ArrowLeft"))).toBe("resizeArea");
  for (const held of ["altKey", "ctrlKey", "metaKey"])
    expect(findShortcut(pinShortcuts, press({ key: "ArrowLeft", [held]: true }))).toBeUndefined();
});

test("keys are grouped by modifier, and have spoken names", () => {
  expect(groupKeys(["Shift+Home", "Shift+End"])).toEqual([
    { modifiers: ["Shift"], pressed: ["Home", "End"] },
  ]);
  expect(groupKeys(["Control+Enter", "Meta+Enter"])).toEqual([
    { modifiers: ["Control"], pressed: ["Enter"] },
    { modifiers: ["Meta"], pressed: ["Enter"] },
  ]);
  expect(groupKeys(["?"])).toEqual([{ modifiers: [], pressed: ["?"] }]);
  expect(formatKey("ArrowLeft")).toEqual({ sign: "←", name: "Left arrow" });
  expect(formatKey("N")).toEqual({ sign: "N" });
});

/** Finds the action of a key press in the editor. */
function found(
  event: PageKeyPress,
  page: Partial<Parameters<typeof findPageShortcut>[2]> = {},
): string | undefined {
  const around = { target: body, isCovered: false, areSingleKeysOn: true, ...page };
  return findPageShortcut(editorShortcuts, event, around);
}

function press(facts: Partial<PageKeyPress>): PageKeyPress {
  return {
    key: "",
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    defaultPrevented: false,
    isComposing: false,
    keyCode: 0,
    getModifierState: () => false,
    ...facts,
  };
}

/** Creates the browser's event for a key of a table. */
function pressOf(name: string): PageKeyPress {
  const parts = name.split(/(?<=\w)\+/);
  const key = parts.at(-1)!;
  const shiftKey = parts.includes("Shift");
  return press({
    key: key.length === 1 && !shiftKey ? key.toLowerCase() : key,
    shiftKey,
    ctrlKey: parts.includes("Control"),
    metaKey: parts.includes("Meta"),
  });
}

function element(
  tagName: string,
  { role = null, ...facts }: Partial<KeyTarget> & { role?: string | null } = {},
): KeyTarget {
  return { tagName, getAttribute: () => role, ...facts };
}
