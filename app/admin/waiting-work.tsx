import { useRouteLoaderData } from "react-router";
import type { listMostOverdue } from "../review-staff/assign/lists.server.ts";
import { DueDate } from "../reviews/due-dates/due-date.tsx";
import { Icon } from "../ui/brand/icon.tsx";
import { Link } from "../ui/link.tsx";
import type { loader as loadFrame } from "./admin.guard.tsx";
import * as styles from "./figures.module.css";

type OverdueReview = Awaited<ReturnType<typeof listMostOverdue>>[number];

/**
 * Lists the work that waits, with the link to it; the layout has counted it for the side menu.
 *
 * @param overdue the longest overdue of the assigned reviews
 */
export function WaitingWorkList({ overdue }: { overdue: OverdueReview[] }) {
  const work = useRouteLoaderData<typeof loadFrame>("admin/admin.guard")?.waitingWork;
  if (!work) return null;
  return (
    <section className={styles.needs} aria-labelledby="needs-you">
      <h2 id="needs-you">Needs you</h2>
      {work.length === 0 ? (
        <p className="text-ink-soft">Nothing needs you right now.</p>
      ) : (
        <ul>
          {work.map(({ name, count, text, note, action, to }) => (
            <li key={name} data-urgent={name === "overdue" || undefined}>
              <p>
                <span className={styles.needsCount}>{count}</span>{" "}
                <span>
                  {text}
                  {note && <span className={styles.needsNote}>{note}</span>}
                </span>
              </p>
              {name === "overdue" && <OverdueReviews reviews={overdue} />}
              <Link to={to} className={styles.cardLink}>
                {action}
                <Icon name="arrow-right" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function OverdueReviews({ reviews }: { reviews: OverdueReview[] }) {
  if (reviews.length === 0) return null;
  return (
    <ul className={styles.needsOverdue}>
      {reviews.map(({ id, userName, assignedTo, due }) => (
        <li key={id}>
          <span>
            {userName} <span>with {assignedTo}</span>
          </span>{" "}
          <DueDate due={due} />
        </li>
      ))}
    </ul>
  );
}
