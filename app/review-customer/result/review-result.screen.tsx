import type { ReactNode } from "react";
import { data } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { mimeTypes } from "../../files/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatRefundState, type RefundState } from "../../payments/refund-rules.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { runCommand, createFormActions, withFallback } from "../../platform/forms.server.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { useRevalidateOnReturn } from "../../ui/coming-back.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { YourBrief } from "../../reviews/brief/review-brief.tsx";
import { YourQuestions } from "../../annotations/answers/your-questions.tsx";
import {
  findReviewerIntroduction,
  findReviewSignature,
  addInitial,
} from "../../reviews/reviewer-profile/introductions.server.ts";
import { YourReviewer } from "../../reviews/reviewer-profile/introduction.tsx";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import { rateForm } from "../../reviews/rating/rating.server.ts";
import { RateReview } from "../../reviews/rating/rate-review.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import { readReviewId } from "../../reviews/addresses.ts";
import { Picture } from "../../reviews/picture.tsx";
import type { HandedFile, HandedImage } from "../../reviews/materials.server.ts";
import { ensureReviewPages } from "../../annotations/document-pages/pages.server.ts";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { buildMarkedSheets } from "../../annotations/mark-sheets.server.ts";
import { MarkedResult } from "../../annotations/marked-sheet/marked-result.tsx";
import { arePicturesComing, findOwnReview, type ReviewResult } from "./own-reviews.server.ts";
import styles from "../../annotations/marked-sheet/review-result.css?url";
import { tickForm } from "./tick-form.server.ts";
import { TickForm, useTicked } from "./ticks.tsx";
import { getServiceLabel, toStatusBadge, formatReviewStatus } from "../../reviews/rules.ts";
import type { PageView } from "../../annotations/rules.ts";
import type { Route } from "./+types/review-result.screen.ts";
import { MaterialLinks, RefundBadge } from "./own-reviews.tsx";

const problems = {
  noId: "Review ID is missing. Please check the URL.",
  notTheirs:
    "You don't have permission to view this review. This might be due to Row-Level Security policies.",
  unread: "Failed to load review details",
};

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const review = loaderData && "review" in loaderData ? loaderData.review : null;
  return buildPrivateMeta(matches, review ? getServiceLabel(review.serviceType) : "Review");
};

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const id = readReviewId({ params, url });
  if (!id) return data({ problem: problems.noId }, { status: 400 });
  const read = await runCommand(
    context,
    () => findOwnReview(context.get(appContext).db, getSignedInActor(context), id),
    { fallback: problems.unread },
  );
  if (!read.ok) return data({ problem: read.message }, { status: read.refusal.init?.status });
  const found = read.value;
  if (found?.result && arePicturesComing(found.result))
    await withFallback(context, () => ensureReviewPages(context.get(appContext).db, id), undefined);
  // Another person's review and a missing one get the same answer, so that nobody learns which exist.
  if (!found) return data({ problem: problems.notTheirs }, { status: 404 });
  const { createdAt, ...review } = found.review;
  const { brief, result } = found;
  const { db } = context.get(appContext);
  const [introduction, signature] = await Promise.all([
    withFallback(context, () => findReviewerIntroduction(db, id), null),
    result && withFallback(context, () => findReviewSignature(db, id), null),
  ]);
  return {
    review: { ...review, submittedOn: formatShortDate(createdAt) },
    brief,
    result: result && toResultView(result),
    reviewer: introduction && addInitial(introduction),
    signature,
  };
}

/** A result with its remarks on their pages. */
type ResultView = ReturnType<typeof toResultView>;

function toResultView({ pages, screenshots, remarks, notices, ...result }: ReviewResult) {
  const parts = pages.flatMap((part) => part.pages);
  const isMarkedPage = ({ part, number }: PageView) =>
    remarks.some(
      ({ target }) => target?.kind === "page" && target.part === part && target.page === number,
    );
  const areComing = pages.some(({ isComing }) => isComing);
  return {
    ...result,
    files: result.files.map(addTypeName),
    marked: buildMarkedSheets(parts, screenshots, remarks),
    isComing: areComing || screenshots.some(({ isComing }) => isComing),
    notices: areComing || parts.every(isMarkedPage) ? notices : [...notices, leftOut],
  };
}

const leftOut = "Pages without remarks are not shown here. Your files have all pages.";

/** Shortens "application/pdf" to "PDF" on the server, so that the page need not load all types. */
function addTypeName(file: HandedFile): HandedFile {
  const known = Object.entries(mimeTypes).find(([, type]) => type === file.type);
  return known ? { ...file, type: known[0].toUpperCase() } : file;
}

export const action = createFormActions({ "tick-remark": tickForm, rate: rateForm });

export const shouldRevalidate = revalidateAfterRefusal;

export default function ReviewResult({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  const refusedRating = refused?.values.intent === "rate" ? refused : undefined;
  useFocusFirstError(refused?.errors);
  useRevalidateOnReturn();
  if ("problem" in loaderData) {
    return (
      <Page title="Review" actions={<Back />}>
        <EmptyState title={loaderData.problem} drawing="lost" />
      </Page>
    );
  }
  const { review, brief, result, reviewer, signature } = loaderData;
  // Pages with remarks take the full width.
  const isMarked = result !== null && hasAnnotations(result);
  const sent = (
    <div className="sent">
      <h2>What you sent</h2>
      <MaterialLinks materials={review.materials} />
      <YourBrief brief={brief} isAnswered={result !== null} />
    </div>
  );
  return (
    <Page
      title={getServiceLabel(review.serviceType)}
      intro={<ReviewFacts {...review} />}
      actions={
        <>
          {canShare(result, review.refund) && (
            <ButtonLink
              to={`/service-review/${review.id}/share`}
              variant="secondary"
              prefetch="intent"
            >
              <Icon name="link" />
              Share
            </ButtonLink>
          )}
          {result !== null && result.marked.remarks.length > 0 && (
            // The PDF is made during the request.
            <ButtonLink
              to={`/service-review/${review.id}/annotated.pdf`}
              variant="secondary"
              reloadDocument
            >
              <Icon name="download" />
              PDF with remarks
            </ButtonLink>
          )}
          <Back />
        </>
      }
      aside={isMarked ? undefined : sent}
    >
      {!isMarked && reviewer && <YourReviewer reviewer={reviewer} />}
      {result ? (
        <ReviewResultView
          result={result}
          signature={signature}
          aside={
            <div className="beside-feedback">
              {reviewer && <YourReviewer reviewer={reviewer} />}
              {sent}
            </div>
          }
        >
          <RateReview reviewId={review.id} rating={result.rating} refused={refusedRating} />
        </ReviewResultView>
      ) : isRefundApproved(review.refund) ? (
        <EmptyState
          drawing="table"
          title={`${formatRefundState(review.refund)}: we've stopped work on this review.`}
        />
      ) : (
        <EmptyState
          drawing="table"
          title={`This review is still ${formatReviewStatus(review.status)}. Check back later for the completed review.`}
        />
      )}
    </Page>
  );
}

/** Checks whether a refund is certain; a requested one can still be declined. */
function isRefundApproved(refund: RefundState | null): refund is RefundState {
  return refund !== null && refund !== "asked";
}

function canShare(result: ResultView | null, refund: RefundState | null): boolean {
  if (isRefundApproved(refund)) return false;
  return result?.marked.remarks.some(({ target }) => target?.kind === "page") ?? false;
}

type ReviewFactsProps = {
  status: string;
  submittedOn: string;
  refund: RefundState | null;
  due: DueView | null;
};

function ReviewFacts({ status, submittedOn, refund, due }: ReviewFactsProps) {
  const badge = toStatusBadge(status);
  return (
    <span className="result-facts">
      {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
      <RefundBadge refund={refund} />
      <span>Submitted on {submittedOn}</span>
      <DueDate due={due} withDate />
    </span>
  );
}

function Back() {
  return (
    <ButtonLink to="/profile" variant="ghost" prefetch="intent">
      <Icon name="arrow-left" />
      Back to Profile
    </ButtonLink>
  );
}

function hasAnnotations({ marked, scores }: ResultView): boolean {
  return marked.remarks.length > 0 || Object.keys(scores).length > 0;
}

/**
 * The reviewer's results: the written feedback, screenshots with notes, files. Scores and remarks follow the
 * feedback, since they explain it. All screenshots are listed below, even those among the pages.
 */
function ReviewResultView({
  result,
  children,
  ...around
}: { result: ResultView; children: ReactNode } & Around) {
  const { feedback, images, files } = result;
  return (
    <div className="result">
      {hasAnnotations(result) ? (
        <MarkedUp result={result} {...around} />
      ) : (
        <>
          <section>
            <h2>Feedback</h2>
            {feedback ? (
              <p className="feedback prose">{feedback}</p>
            ) : (
              <p className="result-none">No written feedback provided.</p>
            )}
          </section>
          <YourQuestions answers={result.answers} />
        </>
      )}
      <section>
        <h2>Screenshots and annotations</h2>
        {images.length > 0 ? (
          <ol className="result-shots">
            {images.map((image, index) => (
              <ScreenshotFrame key={image.id} image={image} number={index + 1} />
            ))}
          </ol>
        ) : (
          <p className="result-none">No screenshots or annotations provided with this review.</p>
        )}
      </section>
      {files.length > 0 && (
        <section>
          <h2>Files</h2>
          <ul className="given-files">
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

/** The line at the foot of each page, and the part beside the feedback. */
type Around = { signature: string | null; aside: ReactNode };

function MarkedUp({ result, signature, aside }: { result: ResultView } & Around) {
  const { feedback, scores, marked, isComing, notices } = result;
  const done = useTicked(result.done);
  useComingPages(isComing);
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <MarkedResult
        summary={{ feedback, scores, answers: result.answers }}
        isComing={isComing}
        signature={signature}
        aside={aside}
        marked={marked}
        done={done}
        renderTick={(remark, isDone) => <TickForm remark={remark} isDone={isDone} />}
        notices={notices}
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
          <span className="screenshot-number">{number}</span>
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
          <span className="given-file-type">{type}</span>
        </p>
        {description && <p className="given-file-words">{description}</p>}
      </div>
    </li>
  );
}
