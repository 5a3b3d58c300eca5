import { ReviewResultView } from "../../annotations/marked-sheet/result-parts.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import type { DraftView } from "./draft-view.server.ts";
import * as styles from "./hand-back.module.css";

/** Renders a draft that was handed back, to be read. */
export function DraftResult({ result, outcomes }: DraftView) {
  return (
    <>
      {outcomes.length > 0 && (
        <section aria-labelledby="outcomes-title">
          <h2 id="outcomes-title">Outcomes of the earlier remarks</h2>
          <ul className={styles.outcomes}>
            {outcomes.map(({ remarkId, remark, outcome, note }) => (
              <li key={remarkId}>
                {outcome && <Badge tone={outcome.tone}>{outcome.label}</Badge>}
                <span>{remark}</span>
                {note && <p>{note}</p>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <ReviewResultView result={result} signature={null} done={[]} />
    </>
  );
}
