import type { ReactNode } from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import type { HandedFile, HandedImage } from "../../reviews/materials.server.ts";
import { Picture } from "../../reviews/picture.tsx";
import type { Scores } from "../../reviews/rubric.ts";
import { type AnsweredQuestion, YourQuestions } from "../answers/your-questions.tsx";
import { useComingPages } from "../document-pages/use-coming-pages.ts";
import type { Marked, NumberedRemark } from "../marked.ts";
import { MarkedResult } from "./marked-result.tsx";
import * as styles from "./review-result.module.css";
import * as proseStyles from "../../ui/layout/prose.module.css";

/** The results of a review, as `toResultView` prepares them. */
export type ResultView = {
  feedback: string | null;
  answers: AnsweredQuestion[];
  images: HandedImage[];
  files: HandedFile[];
  scores: Scores;
  marked: Marked;
  /** True while pages are being prepared. */
  isComing: boolean;
  notices: string[];
};

/** Checks whether a result has remarks or scores. Pages with remarks take the full width. */
export function hasAnnotations({ marked, scores }: Pick<ResultView, "marked" | "scores">): boolean {
  return marked.remarks.length > 0 || Object.keys(scores).length > 0;
}

/**
 * The reviewer's results: the written feedback, screenshots with notes, files. Scores and remarks follow the
 * feedback, since they explain it. All screenshots are listed below, even those among the pages.
 */
export function ReviewResultView({
  result,
  children,
  ...around
}: { result: ResultView; children?: ReactNode } & Around) {
  const { feedback, images, files } = result;
  return (
    <div className={styles.result}>
      {hasAnnotations(result) ? (
        <MarkedUp result={result} {...around} />
      ) : (
        <>
          <section>
            <h2>Feedback</h2>
            {feedback ? (
              <p className={`${styles.feedback} ${proseStyles.prose}`}>{feedback}</p>
            ) : (
              <p className={styles.resultNone}>No written feedback provided.</p>
            )}
          </section>
          <YourQuestions answers={result.answers} />
        </>
      )}
      <section>
        <h2>Screenshots and annotations</h2>
        {images.length > 0 ? (
          <ol className={styles.resultShots}>
            {images.map((image, index) => (
              <ScreenshotFrame key={image.id} image={image} number={index + 1} />
            ))}
          </ol>
        ) : (
          <p className={styles.resultNone}>
            No screenshots or annotations provided with this review.
          </p>
        )}
      </section>
      {files.length > 0 && (
        <section>
          <h2>Files</h2>
          <ul className={styles.givenFiles}>
            {files.map((file) => (
              <GivenFileRow key={file.id} file={file} />
            ))}
          </ul>
        </section>
      )}
      {children}
    </div>
  );
}

type Around = {
  /** The reviewer, at the foot of each page. */
  signature: string | null;
  /** The part beside the feedback. */
  aside?: ReactNode;
  /** The ids of the remarks that are ticked off. */
  done: readonly string[];
  /** Renders the control that ticks off a remark; nothing is ticked off without it. */
  renderTick?: (remark: NumberedRemark, isDone: boolean) => ReactNode;
  /** Renders the link that asks a question about a remark. */
  renderAsk?: (remark: NumberedRemark) => ReactNode;
};

function MarkedUp({ result, ...around }: { result: ResultView } & Around) {
  const { feedback, scores, answers, marked, isComing, notices } = result;
  useComingPages(isComing);
  return (
    <>
      <MarkedResult
        summary={{ feedback, scores, answers }}
        isComing={isComing}
        marked={marked}
        notices={notices}
        {...around}
      />
    </>
  );
}

function ScreenshotFrame({ image, number }: { image: HandedImage; number: number }) {
  const { href, annotation } = image;
  return (
    <li>
      <figure>
        {href && (
          <a href={href} target="_blank" rel="noopener noreferrer">
            <Picture address={href} alt={`Screenshot ${number}`} />
            <span className="sr-only"> (opens larger in a new tab)</span>
          </a>
        )}
        <figcaption>
          <span className={styles.screenshotNumber}>{number}</span>
          {annotation}
        </figcaption>
      </figure>
    </li>
  );
}

function GivenFileRow({ file }: { file: HandedFile }) {
  const { href, name, type, description } = file;
  return (
    <li>
      <Icon name="file" />
      <div>
        <p>
          {href ? (
            <a href={href} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          ) : (
            name
          )}
          <span className={styles.givenFileType}>{type}</span>
        </p>
        {description && <p className={styles.givenFileWords}>{description}</p>}
      </div>
    </li>
  );
}
