import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import { Link } from "../../ui/link.tsx";
import * as styles from "./dashboard.module.css";

/** A customer's question that waits for the reviewer's answer. */
export type WaitingQuestion = {
  reviewId: string;
  service: string;
  customer: string;
  /** The start of the question. */
  start: string;
  hasDraft: boolean;
  due: DueView;
};

/** Lists the questions that a reviewer has to answer, above the assignments. It renders nothing without one. */
export function OwnQuestions({ questions }: { questions: readonly WaitingQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    <section className={styles.questions} aria-labelledby="questions-title">
      <h2 id="questions-title">Questions</h2>
      <ul>
        {questions.map(({ reviewId, service, customer, start, hasDraft, due }) => (
          <li key={reviewId}>
            <p>
              <Link to={`/reviewer/questions/${reviewId}`}>{start}</Link>
            </p>
            <p>
              <span>{`${service}, ${customer}${hasDraft ? ", draft saved" : ""}`}</span>
              <DueDate due={due} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
