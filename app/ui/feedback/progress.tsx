import type { ReactNode } from "react";
import * as styles from "./progress.module.css";

/** A progress bar, drawn as the scale bar of a map. Without a value it shows only activity. */
export function ProgressBar({
  value,
  max = 100,
  label,
  detail,
}: {
  value?: number;
  max?: number;
  label: string;
  /** The text at the right: "3.2 of 8 MB, 400 KB/s". */
  detail?: ReactNode;
}) {
  return (
    <div className={styles.progress}>
      <div className={styles.words}>
        <span>{label}</span>
        {detail && <span className="tabular">{detail}</span>}
      </div>
      <progress aria-label={label} value={value} max={max} />
    </div>
  );
}
