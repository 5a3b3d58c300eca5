/** Draws the product's name in Devanagari. Another product's name has no such drawing. */
export function ScriptMark({ name }: { name: string }) {
  return name === "Naksha" ? <span className="script-mark" aria-hidden="true" /> : null;
}
