/** Names of keys for people. Pure. */

/** Alternative keys with the modifiers that are held. */
type KeyGroup = { modifiers: readonly string[]; pressed: readonly string[] };

/**
 * Groups the keys of an action by their modifiers.
 *
 * @param keys as in the tables: ["Shift+Home", "Shift+End"] is Shift held with Home or End
 */
export function groupKeys(keys: readonly string[]): KeyGroup[] {
  const groups = Map.groupBy(keys, (key) => /^(?:\w+\+)*/.exec(key)![0]);
  return [...groups].map(([modifiers, own]) => ({
    modifiers: modifiers.split("+").filter(Boolean),
    pressed: own.map((key) => key.slice(modifiers.length)),
  }));
}

/** Returns the label of a key, and its spoken name if the label is a symbol. */
export function formatKey(key: string): { sign: string; name?: string } {
  return signs[key] ?? { sign: key };
}

const signs: Record<string, { sign: string; name?: string }> = {
  ArrowLeft: { sign: "←", name: "Left arrow" },
  ArrowRight: { sign: "→", name: "Right arrow" },
  ArrowUp: { sign: "↑", name: "Up arrow" },
  ArrowDown: { sign: "↓", name: "Down arrow" },
  Control: { sign: "Ctrl" },
  Meta: { sign: "⌘", name: "Command" },
  Escape: { sign: "Esc", name: "Escape" },
  "?": { sign: "?", name: "Question mark" },
  "[": { sign: "[", name: "Left square bracket" },
  "]": { sign: "]", name: "Right square bracket" },
  "+": { sign: "+", name: "Plus" },
  "-": { sign: "−", name: "Minus" },
  "=": { sign: "=", name: "Equals" },
  "/": { sign: "/", name: "Slash" },
};
