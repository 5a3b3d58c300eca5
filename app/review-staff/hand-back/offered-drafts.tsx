import { Link } from "../../ui/link.tsx";
import type { OfferedDraft } from "./drafts.server.ts";
import * as styles from "./hand-back.module.css";

/** Leads to the drafts that earlier reviewers of a review left. It renders nothing without one. */
export function OfferedDrafts({ drafts }: { drafts: readonly OfferedDraft[] }) {
  if (drafts.length === 0) return null;
  return (
    <ul className={styles.offers} aria-label="Earlier drafts">
      {drafts.map(({ id, isOwn, parts }) => (
        <li key={id}>
          <span>{`${formatBeginner(isOwn)} began this review: ${parts.join(", ")}.`}</span>
          <Link to={`/reviewer/drafts/${id}`}>View this draft</Link>
        </li>
      ))}
    </ul>
  );
}

export function formatBeginner(isOwn: boolean): string {
  return isOwn ? "You" : "An earlier reviewer";
}
