import { MarkedResult } from "../../annotations/marked-sheet/marked-result.tsx";
import type { Marked } from "../../annotations/marked.ts";
import type { Workspace } from "./find.server.ts";
import stylesheet from "./given-remarks.css?url";
import * as styles from "./workspace.module.css";

/** Remarks and scores of a completed review, as its customer sees them; renders nothing without any. */
export function GivenRemarks({
  marked,
  scores,
  notices,
}: Pick<Workspace, "scores" | "notices"> & { marked: Marked | null }) {
  if (!marked || (marked.remarks.length === 0 && Object.keys(scores).length === 0)) return null;
  return (
    <div className={styles.givenRemarks}>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <MarkedResult
        // The feedback and the answers are above.
        summary={{ scores, answers: [] }}
        marked={marked}
        done={[]}
        notices={notices}
      />
    </div>
  );
}
