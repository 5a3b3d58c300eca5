import type { ReactNode } from "react";
import {
  criteria,
  type Criterion,
  levelNames,
  type Part,
  partNames,
  type Scores,
} from "../../reviews/rubric.ts";
import type { Severity } from "../severities.ts";
import { type AnsweredQuestion, YourQuestions } from "../answers/your-questions.tsx";
import * as styles from "./summary.module.css";
import * as scaleBarStyles from "../../reviews/scale-bar.module.css";

export type Summary = {
  /** Null when none was written; undefined where it is not shown. */
  feedback?: string | null;
  scores: Scores;
  answers: AnsweredQuestion[];
};

/** Renders the summary of a review, before its remarks. */
export function ReviewSummary({
  summary: { feedback, scores, answers },
  aside,
}: {
  summary: Summary;
  /** The part beside the feedback. */
  aside?: ReactNode;
}) {
  return (
    <>
      {feedback !== undefined && (
        <div className={styles.head}>
          <section>
            <h2 id="feedback">Feedback</h2>
            {feedback ? (
              <p className={styles.feedback}>{feedback}</p>
            ) : (
              <p className={styles.none}>No written feedback provided.</p>
            )}
          </section>
          {aside}
        </div>
      )}
      <ScoresByPart scores={scores} />
      <YourQuestions answers={answers} />
    </>
  );
}

/** Renders the scores of each part. Missing scores are left out. */
function ScoresByPart({ scores }: { scores: Scores }) {
  const scored = (Object.keys(criteria) as Criterion[]).filter((one) => scores[one] !== undefined);
  if (scored.length === 0) return null;
  const parts = (["resume", "portfolio"] as const).filter((part) =>
    scored.some((one) => criteria[one].part === part),
  );
  return (
    <section>
      <h2 id="scores">Scores</h2>
      <div className={styles.scores}>
        {parts.map((part) => (
          <PartScores
            key={part}
            part={part}
            scores={scores}
            scored={scored.filter((one) => criteria[one].part === part)}
          />
        ))}
      </div>
    </section>
  );
}

function PartScores({ part, scores, scored }: { part: Part; scores: Scores; scored: Criterion[] }) {
  return (
    <div>
      <h3>{partNames[part]}</h3>
      <dl>
        {scored.map((criterion) => {
          const score = scores[criterion]!;
          const { label, levels } = criteria[criterion];
          return (
            <div key={criterion} className={styles.score}>
              <dt>{label}</dt>
              <dd>
                <span
                  className={scaleBarStyles.scaleBar}
                  data-severity={getTint(score)}
                  aria-hidden="true"
                >
                  <span style={{ width: `${score * 20}%` }} />
                </span>
                <span className={styles.scoreNumber}>
                  <strong>{score}</strong> of 5
                </span>
                <strong className={styles.scoreLevel}>{levelNames[score - 1]}</strong>
                <details className={styles.scoreReason}>
                  <summary>{`Why ${score}?`}</summary>
                  {levels[score - 1]}
                </details>
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}

/** Returns the severity whose color a score has: a weak one needs work, a strong one should stay. */
function getTint(score: number): Severity | undefined {
  if (score < 3) return "must";
  return score > 3 ? "keep" : undefined;
}
