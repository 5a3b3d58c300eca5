import { PageThumbnail } from "../../annotations/document-pages/page-thumbnail.tsx";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { FileReadingResult } from "../../annotations/machine-reading/file-reading-result.tsx";
import { type DraftPreview, type Part, shownPages } from "./submission.ts";
import { countNoun } from "../../platform/count-noun.ts";
import * as styles from "./draft-pages.module.css";

/** The ratio of a page before its own is known: paper, or a slide. */
const expectedRatios: Record<Part, number> = { resume: 1 / Math.SQRT2, portfolio: 16 / 10 };

/** The first pages of an uploaded file, their number, and what software reads. Nothing moves as they arrive. */
export function DraftPages({ preview }: { preview: DraftPreview }) {
  const { part, thumbnails, pageCount, isComing, notice, hasText, reading } = preview;
  useComingPages(isComing);
  const slots = isComing ? Math.min(shownPages, pageCount ?? shownPages) : thumbnails.length;
  const ratio = thumbnails[0]?.ratio ?? expectedRatios[part];
  return (
    <div className={styles.draftPages} data-part={part}>
      {slots > 0 && (
        <ol>
          {Array.from({ length: slots }, (_, index) => (
            <li key={index}>
              <PageThumbnail
                thumbnail={thumbnails[index] ?? null}
                ratio={ratio}
                label={`Page ${index + 1}`}
              />
            </li>
          ))}
        </ol>
      )}
      <p role="status">
        {isComing ? (
          <>
            Preparing pages…<noscript> Reload this page to see them.</noscript>
          </>
        ) : (
          (notice ?? formatPageCount(pageCount))
        )}
      </p>
      {hasText && (isComing || reading) && (
        <details>
          <summary>
            Can software read this file?
            <span className={styles.readingCount}>
              {reading ? formatProblemCount(reading.findings) : "Preparing…"}
            </span>
          </summary>
          {reading ? (
            <FileReadingResult reading={reading} />
          ) : (
            <p>You&apos;ll see it here once the pages are prepared.</p>
          )}
        </details>
      )}
    </div>
  );
}

function formatPageCount(count: number | null): string {
  if (count === null) return "";
  return countNoun(count, "page");
}

function formatProblemCount(findings: { isProblem: boolean }[]): string {
  const count = findings.filter(({ isProblem }) => isProblem).length;
  if (count === 0) return "No problems found";
  return `${countNoun(count, "problem")} found`;
}
