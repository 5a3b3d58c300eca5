import { type ReactNode, useRef } from "react";
import { criteria } from "../../reviews/rubric.ts";
import { Badge } from "../../ui/layout/card.tsx";
import { CopyButton } from "../../ui/form/copy-button.tsx";
import { CropFigure } from "./crop.tsx";
import type { ComparedRemark, Comparison } from "./find-second-look.server.ts";
import { RemarkWords } from "./remark-words.tsx";
import { formatSolvedCount, outcomes } from "./outcomes.ts";
import * as styles from "./comparison.module.css";

/**
 * Renders a second look's result: each earlier remark before and after, and the scores of both reviews.
 *
 * @param children the paragraph that says what was compared
 */
export function SecondLookResult({
  comparison: { remarks, scores },
  children,
}: {
  comparison: Pick<Comparison, "remarks" | "scores">;
  children: ReactNode;
}) {
  if (remarks.length === 0 && scores.length === 0) return null;
  return (
    <section className={styles.comparison} aria-labelledby="comparison-title">
      <header>
        <h2 id="comparison-title">
          {remarks.length > 0 ? formatSolvedCount(remarks) : "Compared with the earlier review"}
        </h2>
        {children}
      </header>
      {scores.length > 0 && (
        <dl className={styles.scores}>
          {scores.map(({ criterion, before, after }) => (
            <div key={criterion}>
              <dt>{criteria[criterion].label}</dt>
              <dd data-better={after > before || undefined}>
                <span className="sr-only">before </span>
                {before}
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> of 5, now </span>
                <strong>{after}</strong> of 5
              </dd>
            </div>
          ))}
        </dl>
      )}
      <ol className={styles.remarks}>
        {remarks.map((compared) => (
          <Compared key={compared.remark.id} compared={compared} />
        ))}
      </ol>
    </section>
  );
}

function Compared({
  compared: { remark, from, kind, outcome, note, before, after },
}: {
  compared: ComparedRemark;
}) {
  const words = useRef<HTMLDivElement>(null);
  const { severity, number, criterion, text } = remark;
  const { label, tone } = outcomes[outcome];
  return (
    <li data-severity={severity}>
      <div ref={words} className={styles.words}>
        <p className={styles.head}>
          <span className={styles.number}>
            <span className="sr-only">Earlier remark </span>
            {number}
          </span>
          {from && <span>From the {from}</span>}
          <strong>{kind}</strong>
          {criterion && <span>{criteria[criterion].label}</span>}
          <Badge tone={tone}>{label}</Badge>
        </p>
        <RemarkWords remark={remark} />
        {note && <p className={styles.note}>{note}</p>}
      </div>
      {(before || after) && (
        <div className={styles.crops}>
          {before && <CropFigure crop={before} caption="Before" />}
          {after && <CropFigure crop={after} caption="After" />}
        </div>
      )}
      <CopyButton
        source={words}
        label={`remark ${number} with its outcome`}
        text={[`Remark ${number}: ${text}`, `${label}. ${note}`.trim()].join("\n\n")}
      />
    </li>
  );
}
