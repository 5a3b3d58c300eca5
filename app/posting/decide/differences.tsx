import { countNoun } from "../../platform/count-noun.ts";
import { Card } from "../../ui/layout/card.tsx";
import type { Differences, Part } from "./list-differences.server.ts";
import * as styles from "./decide.module.css";

/** The fields that a change of a published listing changes. The others are folded away. */
export function DifferencesCard({ changed, unchanged }: Differences) {
  return (
    <Card title="What changes">
      {changed.length === 0 && <p>Nothing differs from the published listing.</p>}
      <dl className={`${styles.facts} ${styles.marked}`}>
        {changed.map(({ label, parts }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {parts.map((part, index) => (
                <MarkedPart key={index} {...part} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <details className={styles.folded}>
        <summary>{countNoun(unchanged.length, "field")} unchanged</summary>
        <dl className={styles.facts}>
          {unchanged.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Card>
  );
}

/** Screen readers rarely announce `ins` and `del`, so words say it too. */
function MarkedPart({ kind, text }: Part) {
  if (kind === "same") return text;
  const Mark = kind === "added" ? "ins" : "del";
  return (
    <Mark>
      <span className="sr-only">{kind === "added" ? "Added: " : "Removed: "}</span>
      {text}
      <span className="sr-only">. </span>
    </Mark>
  );
}
