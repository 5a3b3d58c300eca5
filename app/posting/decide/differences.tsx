import { countNoun } from "../../platform/count-noun.ts";
import { Card } from "../../ui/layout/card.tsx";
import { MarkedFields } from "../../ui/differences/marked-fields.tsx";
import type { Differences } from "./list-differences.server.ts";
import * as differencesStyles from "../../ui/differences/differences.module.css";
import * as styles from "./decide.module.css";

/** The fields that a change of a published listing changes. The others are folded away. */
export function DifferencesCard({ changed, unchanged }: Differences) {
  return (
    <Card title="What changes">
      {changed.length === 0 && <p>Nothing differs from the published listing.</p>}
      <MarkedFields fields={changed} />
      <details className={styles.folded}>
        <summary>{countNoun(unchanged.length, "field")} unchanged</summary>
        <dl className={differencesStyles.facts}>
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
