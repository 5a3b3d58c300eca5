import { useState } from "react";
import { Form } from "react-router";
import { Icon } from "../../ui/brand/icon.tsx";
import { Button } from "../../ui/form/button.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import {
  criteria,
  type Criterion,
  listReviewCriteria,
  partNames,
  listReviewParts,
  reviewerLevelNames,
} from "../../reviews/rubric.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { useEditor } from "./editor.tsx";
import * as styles from "./score-card.module.css";

const values = [1, 2, 3, 4, 5] as const;

/** Renders the criteria of each part. A press is saved immediately. */
export function ScoreCard({ serviceType }: { serviceType: ServiceType }) {
  const parts = listReviewParts(serviceType);
  return (
    <section className={styles.scores} id="scores" aria-labelledby="scores-title">
      <h2 id="scores-title">Scores</h2>
      {parts.map((part) => (
        <div key={part}>
          {parts.length > 1 && <h3>{partNames[part]}</h3>}
          {/* The label of each button has its level. */}
          <p className={styles.ends} aria-hidden="true">
            <span>{reviewerLevelNames[0]}</span>
            <span>{reviewerLevelNames[4]}</span>
          </p>
          {listReviewCriteria(serviceType)
            .filter((key) => criteria[key].part === part)
            .map((key) => (
              <Score key={key} criterion={key} />
            ))}
        </div>
      ))}
    </section>
  );
}

function Score({ criterion }: { criterion: Criterion }) {
  const { scores, score } = useEditor();
  const hydrated = useHydrated();
  const [problem, setProblem] = useState<string | null>(null);
  const { label, levels } = criteria[criterion];
  const level = scores[criterion] ?? null;

  async function give(next: number | null) {
    setProblem(await score(criterion, next));
  }

  return (
    <Form method="post" className={styles.score}>
      <input type="hidden" name="intent" value="score" />
      <input type="hidden" name="criterion" value={criterion} />
      <fieldset aria-labelledby={`score-${criterion}`}>
        <span id={`score-${criterion}`}>{label}</span>
        {values.map((value) => (
          <Button
            key={value}
            type={hydrated ? "button" : "submit"}
            name="score"
            value={value}
            size="sm"
            variant={level === value ? "primary" : "secondary"}
            aria-pressed={level === value}
            aria-label={`${label}: ${value} of 5, ${reviewerLevelNames[value - 1]}`}
            title={levels[value - 1]}
            onClick={() => hydrated && void give(level === value ? null : value)}
          >
            {value}
          </Button>
        ))}
      </fieldset>
      {level !== null && (
        <p className={styles.said}>
          <b>{reviewerLevelNames[level - 1]}</b> {levels[level - 1]}
        </p>
      )}
      {problem && <p role="alert">Not saved. {problem}</p>}
    </Form>
  );
}

/** Lists missing scores beside the submit button. Scores are optional. */
export function UnscoredWarning({ serviceType }: { serviceType: ServiceType }) {
  const { scores } = useEditor();
  const missing = listReviewCriteria(serviceType).filter((key) => scores[key] === undefined);
  if (missing.length === 0) return null;
  const names = missing.map((key) => criteria[key].label).join(", ");
  const isNothing = missing.length === listReviewCriteria(serviceType).length;
  return (
    <p className={styles.unscored}>
      <Icon name="info" />
      {isNothing
        ? "No scores yet. If you submit now, the review won't include scores."
        : `Not scored yet: ${names}.`}
    </p>
  );
}
