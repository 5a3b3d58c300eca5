import { Aim } from "./review-brief.tsx";
import type { ReviewBrief } from "./rules.ts";

/** A question of the customer's, and what the reviewer answers; null for one that has no answer of its own. */
export type AnsweredQuestion = { question: string; answer: string | null };

/** The customer's questions one by one, each with its answer. */
export function YourQuestions({ answers }: { answers: readonly AnsweredQuestion[] }) {
  if (answers.length === 0) return null;
  return (
    <section>
      <h2>Your questions</h2>
      <dl className="your-questions">
        {answers.map(({ question, answer }, index) => (
          <div key={index}>
            <dt>{question}</dt>
            <dd>{answer ?? "Your reviewer gave no answer to this one by itself."}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What the customer wrote to the reviewer, beside what they sent; its questions until they are answered. */
export function YourBrief({
  brief,
  isAnswered,
}: {
  brief: ReviewBrief | null;
  isAnswered: boolean;
}) {
  const isAsking = !isAnswered && brief !== null && brief.questions.length > 0;
  if (!brief || (!isAsking && !brief.role && brief.years === null)) return null;
  return (
    <div className="your-brief">
      <h2>{isAsking ? "What you asked for" : "What you aim at"}</h2>
      <Aim brief={brief} />
      {isAsking && (
        <ol>
          {brief.questions.map(({ position, question }) => (
            <li key={position}>{question}</li>
          ))}
        </ol>
      )}
    </div>
  );
}
