import type { ComponentProps } from "react";
import { data } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatRupees } from "../../payments/money.ts";
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
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { YourBrief } from "../../reviews/brief/review-brief.tsx";
import {
  findReviewerIntroduction,
  findReviewSignature,
} from "../../reviews/reviewer-profile/introductions.server.ts";
import { YourReviewer } from "../../reviews/reviewer-profile/your-reviewer.tsx";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import { rateForm } from "../../reviews/rating/rating.server.ts";
import { RateReview } from "../../reviews/rating/rate-review.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import { listOwnFileViews } from "../../reviews/file-views/file-views.server.ts";
import { SecondLookBadge } from "../../reviews/second-look-badge.tsx";
import { findSecondLook } from "../../reviews/second-looks.server.ts";
import { readReviewId } from "../../reviews/addresses.ts";
import { findOwnFollowUp } from "../../annotations/follow-up/questions.server.ts";
import { ensureReviewPages } from "../../annotations/document-pages/pages.server.ts";
import {
  hasAnnotations,
  ReviewResultView,
  type ResultView,
} from "../../annotations/marked-sheet/result-parts.tsx";
import { toResultView } from "../../annotations/marked-sheet/result-view.server.ts";
import { describeFollowUp } from "./describe-follow-up.server.ts";
import {
  arePicturesComing,
  findLatestSecondLook,
  findOwnReview,
  type ReviewResult,
} from "./own-reviews.server.ts";
import { AskAbout, QuestionPart } from "./question-part.tsx";
import { SecondLookOffer, type SecondLookView } from "./second-look-offer.tsx";
import { tickForm } from "./tick-form.server.ts";
import { TickForm, TickProgress, useTicked } from "./ticks.tsx";
import { getServiceLabel, toStatusBadge, formatReviewStatus } from "../../reviews/rules.ts";
import type { Route } from "./+types/review-result.screen.ts";
import { MaterialLinks, RefundBadge } from "./own-reviews.tsx";
import stylesheet from "./review-result.screen.css?url";
import * as styles from "./results.module.css";

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
  const view = read.value;
  if (view?.result && arePicturesComing(view.result))
    await withFallback(context, () => ensureReviewPages(context.get(appContext).db, id), undefined);
  // Another person's review and a missing one get the same answer, so that nobody learns which exist.
  if (!view) return data({ problem: problems.notTheirs }, { status: 404 });
  const { createdAt, ...review } = view.review;
  const { brief, result } = view;
  const { db } = context.get(appContext);
  const [reviewer, signature, views, followUp, secondLook] = await Promise.all([
    withFallback(context, () => findReviewerIntroduction(db, id), null),
    result && withFallback(context, () => findReviewSignature(db, id), null),
    withFallback(context, () => listOwnFileViews(db, getSignedInActor(context), id), []),
    result && withFallback(context, () => findOwnFollowUp(db, getSignedInActor(context), id), null),
    result && withFallback(context, () => loadSecondLook(context, id), null),
  ]);
  return {
    review: { ...review, submittedOn: formatShortDate(createdAt) },
    brief,
    result: result && toResultView(result),
    reviewer,
    signature,
    views,
    question: followUp && describeFollowUp(followUp),
    isAskable: followUp?.state === "askable",
    secondLook,
    files:
      result && result.remarks.length > 0
        ? [toRemarksFile(id, "CSV"), toRemarksFile(id, "JSON")]
        : [],
  };
}

/** A link to all remarks as a file. */
function toRemarksFile(id: string, format: "CSV" | "JSON") {
  const href = `/service-review/${id}/remarks.${format.toLowerCase()}`;
  return { label: `All remarks as ${format}`, href, text: "", shownAs: "download" as const };
}

async function loadSecondLook(context: Route.LoaderArgs["context"], id: string) {
  const { db, config } = context.get(appContext);
  const actor = getSignedInActor(context);
  const [offer, latest] = await Promise.all([
    findSecondLook(db, config, actor, id),
    findLatestSecondLook(db, actor, id),
  ]);
  const bought = latest && `You bought one on ${formatShortDate(latest.createdAt)}.`;
  const view: SecondLookView = {
    title: offer ? "Get a second look" : "Your second look",
    text: [offer && formatOffer(offer), bought].filter(Boolean).join(" "),
    links: [
      ...(offer
        ? [
            {
              to: `/service-review/${id}/second-look` as const,
              label: `Start for ${formatRupees(offer.pricePaise)}`,
            },
          ]
        : []),
      ...(latest
        ? [{ to: `/service-review/${latest.id}` as const, label: "View the second look" }]
        : []),
    ],
  };
  return view.links.length > 0 ? view : null;
}

function formatOffer({ turnaroundHours, until }: { turnaroundHours: number; until: Date }): string {
  return (
    "Send your new version. A reviewer, the same one if possible, compares it with these remarks and reviews it " +
    `within ${turnaroundHours} hours. You can buy it until ${formatShortDate(until)}.`
  );
}

type OwnResultView = ResultView & Pick<ReviewResult, "done" | "rating">;

export const action = createFormActions({ "tick-remark": tickForm, rate: rateForm });

export const shouldRevalidate = revalidateAfterRefusal;

export default function ReviewResult({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  const refusedRating = refused?.values.intent === "rate" ? refused : undefined;
  useFocusFirstError(refused?.errors);
  useRevalidateOnReturn();
  if ("problem" in loaderData) {
    return (
      <Page title="Review" back={<Back />}>
        <EmptyState title={loaderData.problem} drawing="lost" />
      </Page>
    );
  }
  return <OwnReview {...loaderData} refusedRating={refusedRating} />;
}

type FoundReview = Exclude<Route.ComponentProps["loaderData"], { problem: string }>;
type RefusedRating = ComponentProps<typeof RateReview>["refused"];

/** A review with its customer's own ticks. */
function OwnReview({
  review,
  brief,
  result,
  reviewer,
  signature,
  views,
  question,
  isAskable,
  secondLook,
  files,
  refusedRating,
}: FoundReview & { refusedRating: RefusedRating }) {
  const done = useTicked(result?.done ?? []);
  // Pages with remarks take the full width.
  const isMarked = result !== null && hasAnnotations(result);
  const hasRemarks = result !== null && result.marked.remarks.length > 0;
  const materials = (
    <div className={styles.sent}>
      <h2>What you sent</h2>
      <MaterialLinks materials={review.materials} />
      {views.length > 0 && (
        <ul className={styles.views}>
          {views.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ul>
      )}
      <YourBrief brief={brief} isAnswered={result !== null} />
      {hasRemarks && <h2>Remarks as files</h2>}
      <MaterialLinks materials={files} />
    </div>
  );
  return (
    <Page
      back={<Back />}
      title={getServiceLabel(review.serviceType)}
      intro={<ReviewFacts {...review} />}
      actions={
        <>
          {result?.solved && (
            <ButtonLink to={`/service-review/${review.id}/comparison`}>{result.solved}</ButtonLink>
          )}
          {hasRemarks && <TickProgress remarks={result.marked.remarks} done={done} />}
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
          {hasRemarks && (
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
        </>
      }
      aside={isMarked ? undefined : materials}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {!isMarked && reviewer && <YourReviewer reviewer={reviewer} />}
      {result ? (
        <ReviewResultView
          result={result}
          signature={signature}
          done={done}
          renderTick={(remark, isDone) => <TickForm remark={remark} isDone={isDone} />}
          renderAsk={
            isAskable
              ? ({ number }) => <AskAbout reviewId={review.id} number={number} />
              : undefined
          }
          aside={
            <div>
              {reviewer && <YourReviewer reviewer={reviewer} />}
              {materials}
            </div>
          }
        >
          {question && <QuestionPart reviewId={review.id} question={question} />}
          <RateReview reviewId={review.id} rating={result.rating} refused={refusedRating} />
          {secondLook && <SecondLookOffer {...secondLook} />}
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

function canShare(result: OwnResultView | null, refund: RefundState | null): boolean {
  if (isRefundApproved(refund)) return false;
  return result?.marked.remarks.some(({ target }) => target?.kind === "page") ?? false;
}

type ReviewFactsProps = {
  secondLookOf: string | null;
  status: string;
  submittedOn: string;
  refund: RefundState | null;
  due: DueView | null;
};

function ReviewFacts({ secondLookOf, status, submittedOn, refund, due }: ReviewFactsProps) {
  const badge = toStatusBadge(status);
  return (
    <span className={styles.facts}>
      <SecondLookBadge secondLookOf={secondLookOf} />
      {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
      <RefundBadge refund={refund} />
      <span>Submitted on {submittedOn}</span>
      <DueDate due={due} withDate />
      {secondLookOf && (
        <Link to={`/service-review/${secondLookOf}`} reloadDocument>
          Earlier review
        </Link>
      )}
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
