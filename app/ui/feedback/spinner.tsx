import * as styles from "./spinner.module.css";
/** Shows that something is in progress: a turning compass needle and a label. */
export function Spinner({ label = "Loading..." }: { label?: string }) {
  return (
    <output className={styles.spinner}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="10.5" />
        <path d="M12 3v2.5M12 18.5V21M3 12h2.5M18.5 12H21" />
        <g className={styles.needle}>
          <path d="m12 5 2.5 7h-5z" className={styles.north} />
          <path d="m12 19-2.5-7h5z" />
        </g>
      </svg>
      <span>{label}</span>
    </output>
  );
}
