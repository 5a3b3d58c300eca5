import * as styles from "./script-mark.module.css";
/** Draws the product's name in Devanagari. Another product's name has no such drawing. */
export function ScriptMark({ name }: { name: string }) {
  return name === "Naksha" ? <span className={styles.scriptMark} aria-hidden="true" /> : null;
}
