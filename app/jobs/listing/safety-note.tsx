import { Link } from "../../ui/link.tsx";
import * as styles from "./listing.module.css";

/** Signs of a fake job, from the Home Ministry's advisory of October 13, 2022. */
const signs = [
  "They ask you to pay, for a fee, a deposit or equipment.",
  "They ask for private data, such as bank details or a code.",
  "They send an appointment letter right after a first chat.",
  "They describe the work only vaguely.",
  "They write careless, unprofessional emails.",
];

/** Advice beside the contact, and the link to report the listing. */
export function SafetyNote({ jobId }: { jobId: string }) {
  return (
    <div className={styles.safety}>
      <details>
        <summary>Never pay for a job</summary>
        <p>The Home Ministry names five signs of a fake job:</p>
        <ul>
          {signs.map((sign) => (
            <li key={sign}>{sign}</li>
          ))}
        </ul>
        <p>
          Lost money or data? Call 1930 or report it at{" "}
          <a href="https://cybercrime.gov.in" target="_blank" rel="noopener noreferrer">
            cybercrime.gov.in
          </a>
          . See also <Link to="/jobs/removed">the listings we removed</Link>.
        </p>
      </details>
      <Link to={`/jobs/${jobId}/report`}>Report this listing</Link>
    </div>
  );
}
