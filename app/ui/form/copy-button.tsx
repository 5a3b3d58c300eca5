import { type RefObject, useState } from "react";
import { Icon } from "../brand/icon.tsx";
import * as styles from "./button.module.css";

/**
 * Copies a text. If the browser refuses, as on pages without TLS, it selects the text on the page instead.
 *
 * @param source the element that shows the text
 * @param label names the text on the button, by default the text itself
 */
export function CopyButton({
  text,
  source,
  label = text,
}: {
  text: string;
  source: RefObject<HTMLElement | null>;
  label?: string;
}) {
  const [result, setResult] = useState<"copied" | "refused" | null>(null);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setResult("copied");
    } catch {
      setResult("refused");
      if (source.current) getSelection()?.selectAllChildren(source.current);
    }
  }

  return (
    <button
      type="button"
      className={`${styles.button} ${styles.ghost} ${styles.sm} ${styles.copy} needs-scripts wrap-anywhere`}
      onClick={copy}
    >
      <Icon name={result === "copied" ? "check" : "copy"} />
      <span aria-live="polite">
        {result === null && `Copy ${label}`}
        {result === "copied" && `Copied ${label}`}
        {result === "refused" && "Selected. Copy it from the page."}
      </span>
    </button>
  );
}
