import { Link } from "../../ui/link.tsx";
import * as styles from "./alerts.module.css";

/** The filters of an alert in words: one label for each, or "All jobs". */
export function AlertFilterList({ labels }: { labels: readonly string[] }) {
  return (
    <ul className={styles.filters} aria-label="Filters of this alert">
      {(labels.length > 0 ? labels : ["All jobs"]).map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  );
}

/** The consent to the emails, beside the button that gives it. */
export function AlertConsent() {
  return (
    <p className={styles.hint}>
      By creating an alert, you agree to get these jobs by email. Each email has a link to stop it.
      See the <Link to="/privacy/notice">privacy notice</Link>.
    </p>
  );
}
