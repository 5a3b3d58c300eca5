import { Card } from "../../ui/layout/card.tsx";
import type { OwnReplies } from "./own-replies.server.ts";
import * as styles from "./own.module.css";

/** The members' own records of replies, a week before everyone reads them. */
export function OwnRepliesCard({ replies }: { replies: readonly OwnReplies[] }) {
  if (replies.length === 0) return null;
  return (
    <Card title="Replies to applications" className={styles.replies}>
      <dl>
        {replies.map(({ company, now, next, nextFrom }) => (
          <div key={company}>
            {now && (
              <>
                <dt>{company}, public now</dt>
                <dd>{now}</dd>
              </>
            )}
            <dt>
              {company}, public from {nextFrom}
            </dt>
            <dd>{next}</dd>
          </div>
        ))}
      </dl>
      <p>
        People who applied tell us if you replied. You see new numbers seven days before everyone.
        To improve them, reply to the people who still wait: a late reply counts too, as its own
        number.
      </p>
    </Card>
  );
}
