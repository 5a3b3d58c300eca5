import { markSheets } from "../result/marked.ts";
import { MarkedResult } from "../result/marked-result.tsx";
import styles from "../result/review-result.css?url";
import type { Workspace } from "./find.server.ts";

/** Remarks and scores of a completed review, as its customer reads them; nothing where there are none. */
export function GivenRemarks({
  workspace: { remarks, scores, pages, screenshots },
}: {
  workspace: Pick<Workspace, "remarks" | "scores" | "pages" | "screenshots">;
}) {
  if (remarks.length === 0 && Object.keys(scores).length === 0) return null;
  const parts = pages.flatMap((part) => part.pages);
  return (
    <div className="given-remarks">
      <link rel="stylesheet" href={styles} precedence="default" />
      <MarkedResult
        // The feedback and the answers stand above.
        summary={{ scores, answers: [] }}
        marked={markSheets(parts, screenshots, remarks)}
        done={[]}
        notices={pages.flatMap(({ notice }) => notice ?? [])}
      />
    </div>
  );
}
