import * as styles from "./answers.module.css";
/** A customer's question with the reviewer's answer; null without one. */
export type AnsweredQuestion = { question: string; answer: string | null };

/** Renders the customer's questions, each with its answer. */
export function YourQuestions({ answers }: { answers: readonly AnsweredQuestion[] }) {
  if (answers.length === 0) return null;
  return (
    <section>
      <h2 id="your-questions">Your questions</h2>
      <dl className={styles.yourQuestions}>
        {answers.map(({ question, answer }, index) => (
          <div key={index}>
            <dt>{question}</dt>
            <dd>
              {answer ?? "Your reviewer didn't answer this one separately. See the feedback above."}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
