import { useState } from "react";
import { Form } from "react-router";
import { Button } from "../../ui/form/button.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import {
  criteria,
  type Criterion,
  criteriaOf,
  partNames,
  partsOf,
  type Scores,
} from "../rubric.ts";
import type { ServiceType } from "../rules.ts";
import { sendRemarkForm } from "./editor.tsx";

const values = [1, 2, 3, 4, 5] as const;

/** Scores each part by its criteria; a press is saved at once. */
export function ScoreCard({
  serviceType,
  scores,
  address,
}: {
  serviceType: ServiceType;
  scores: Scores;
  address: string;
}) {
  const parts = partsOf(serviceType);
  return (
    <section className="scores" aria-labelledby="scores-title">
      <h2 id="scores-title">Scores</h2>
      {parts.map((part) => (
        <div key={part}>
          {parts.length > 1 && <h3>{partNames[part]}</h3>}
          {criteriaOf(serviceType)
            .filter((key) => criteria[key].part === part)
            .map((key) => (
              <Score key={key} criterion={key} saved={scores[key] ?? null} address={address} />
            ))}
        </div>
      ))}
    </section>
  );
}

function Score({
  criterion,
  saved,
  address,
}: {
  criterion: Criterion;
  saved: number | null;
  address: string;
}) {
  const hydrated = useHydrated();
  const [score, setScore] = useState(saved);
  const [problem, setProblem] = useState<string | null>(null);
  const { label } = criteria[criterion];

  async function give(next: number | null) {
    setScore(next);
    const sent = { intent: "score", criterion, score: String(next ?? "") };
    const answer = await sendRemarkForm(address, sent);
    if (!answer.ok) setScore(score);
    setProblem(answer.ok ? null : answer.message);
  }

  return (
    <Form method="post" className="score">
      <input type="hidden" name="intent" value="score" />
      <input type="hidden" name="criterion" value={criterion} />
      <fieldset>
        <legend>{label}</legend>
        {values.map((value) => (
          <Button
            key={value}
            type={hydrated ? "button" : "submit"}
            name="score"
            value={value}
            size="sm"
            variant={score === value ? "primary" : "secondary"}
            aria-pressed={score === value}
            aria-label={`${label}: ${value} of 5`}
            onClick={() => hydrated && void give(score === value ? null : value)}
          >
            {value}
          </Button>
        ))}
      </fieldset>
      {problem && <p role="alert">Not saved. {problem}</p>}
    </Form>
  );
}
