import { useShell } from "./frame.tsx";

/** Draws the product's name in Devanagari. Another product's name has no such drawing. */
export function ScriptMark() {
  const { product } = useShell();
  return product.name === "Naksha" ? <span className="script-mark" aria-hidden="true" /> : null;
}
