import { ButtonLink } from "../../ui/form/button.tsx";
import { Link } from "../../ui/link.tsx";
import * as styles from "../../annotations/follow-up/follow-up.module.css";

/** The customer's question after a review, below its result: where it stands, and the link to it. */
export function QuestionPart({
  reviewId,
  question: { title, text, label },
}: {
  reviewId: string;
  question: { title: string; text: string; label: string };
}) {
  return (
    <section id="question">
      <h2>{title}</h2>
      <div className={styles.pdf}>
        <p>{text}</p>
        <ButtonLink to={`/service-review/${reviewId}/question`} variant="secondary" size="sm">
          {label}
        </ButtonLink>
      </div>
    </section>
  );
}

/** The link beside a remark that asks the question about it. */
export function AskAbout({ reviewId, number }: { reviewId: string; number: number }) {
  return (
    <p className={styles.ask}>
      <Link to={`/service-review/${reviewId}/question?about=${number}`}>
        Ask about this<span className="sr-only">{` remark, number ${number}`}</span>
      </Link>
    </p>
  );
}
