import { data } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { ensureReviewPages } from "../../annotations/document-pages/pages.server.ts";
import { listPageNotices } from "../../annotations/document-pages/page-notices.server.ts";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { sendAnswerForm } from "../../annotations/follow-up/answer-question.server.ts";
import { findQuestionToAnswer } from "../../annotations/follow-up/questions.server.ts";
import { FollowUpFields } from "../../annotations/follow-up/follow-up-form.tsx";
import { FollowUpQuote, UnsentText } from "../../annotations/follow-up/follow-up-text.tsx";
import { followUpLimits } from "../../annotations/follow-up/rules.ts";
import { buildMarkedSheets } from "../../annotations/mark-sheets.server.ts";
import { getMarkedReview } from "../../annotations/remarks/read-annotations.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { createFormActions, withFallback } from "../../platform/forms.server.ts";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import { recordReviewViews } from "../../reviews/file-views/file-views.server.ts";
import { listMaterials, resolveDisplayModes } from "../../reviews/materials.server.ts";
import { getServiceLabel } from "../../reviews/rules.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/question.screen.ts";
import { GivenRemarks } from "./given-remarks.tsx";
import { Materials } from "./materials-panel.tsx";
import * as dashboardStyles from "./dashboard.module.css";
import * as feedbackStyles from "./feedback.module.css";
import * as styles from "./workspace.module.css";

const title = "A customer's question";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ params: { reviewId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const row = await findQuestionToAnswer(db, actor, reviewId);
  if (!row) return data({ question: null }, { status: 404 });
  const { review, ...question } = row;
  const isOpen = !question.answer && !question.isRefunded;
  // Another reviewer may have written the review, so it is shown only until the question is answered.
  const work = isOpen ? await loadReview(db, review) : null;
  if (isOpen) {
    await withFallback(context, () => ensureReviewPages(db, reviewId), undefined);
    await withFallback(context, () => recordReviewViews(db, actor, reviewId), undefined);
  }
  return data({
    question: { reviewId, service: getServiceLabel(review.serviceType), work, ...question },
  });
}

type Review = NonNullable<Awaited<ReturnType<typeof findQuestionToAnswer>>>["review"];

async function loadReview(db: Database, review: Review) {
  const { pages, screenshots, remarks, scores } = await getMarkedReview(db, review);
  const parts = pages.flatMap((part) => part.pages);
  return {
    materials: await resolveDisplayModes(db, listMaterials(review)),
    feedback: review.reviewerFeedback ?? "",
    marked: buildMarkedSheets(parts, screenshots, remarks),
    scores,
    notices: listPageNotices(pages),
    isComing: [...pages, ...screenshots].some(({ isComing }) => isComing),
  };
}

export const action = createFormActions({ "send-answer": sendAnswerForm });

export const shouldRevalidate = revalidateAfterRefusal;

export default function QuestionScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { question } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(refused?.errors);
  useComingPages(question?.work?.isComing ?? false);
  if (!question) {
    return (
      <Page title={title} back={<DashboardLink />}>
        <UnsentText refused={refused} />
        <EmptyState title="This question isn't yours to answer" drawing="lost">
          An admin may have given it to another reviewer, or its customer left.
        </EmptyState>
      </Page>
    );
  }
  const {
    reviewId,
    service,
    customer,
    question: text,
    answer,
    isRefunded,
    due,
    draft,
    work,
  } = question;
  const remarks = work?.marked.remarks ?? [];
  return (
    <Page
      title={title}
      back={<DashboardLink />}
      intro={
        <div className={dashboardStyles.workFacts}>
          <span>{service}</span>
          <span>{`From ${customer}`}</span>
          {work && <DueDate due={due} withDate />}
        </div>
      }
    >
      <section className={dashboardStyles.question} aria-labelledby="question-title">
        <h2 id="question-title">The question</h2>
        <FollowUpQuote content={text} verb="Asked" remarks={remarks} />
        {work ? (
          <FollowUpFields
            action={`/reviewer/questions/${reviewId}`}
            intent="send-answer"
            saving={{
              address: `/reviewer/submission/${reviewId}/remarks`,
              fields: { intent: "save-answer" },
            }}
            draft={draft}
            remarks={remarks}
            labels={{
              text: "Your answer",
              remark: "Link a remark (optional)",
              none: "None",
              send: "Send the answer",
              hint: "20 to 2,000 characters. You answer once.",
            }}
            maxLength={followUpLimits.answer}
            refused={refused}
          />
        ) : (
          <>
            <UnsentText refused={refused} />
            {answer && (
              <>
                <h3>Your answer</h3>
                <FollowUpQuote content={answer} verb="Answered" remarks={remarks} />
              </>
            )}
            {!answer && isRefunded && <p>This review was refunded. There is nothing to do.</p>}
          </>
        )}
      </section>
      {work && (
        <>
          <div className={styles.workspace}>
            <Materials materials={work.materials} />
            <div className={styles.work}>
              <section aria-labelledby="feedback">
                <h2 id="feedback">Feedback</h2>
                <div className={feedbackStyles.submittedFeedback}>
                  {work.feedback || "No feedback"}
                </div>
              </section>
            </div>
          </div>
          <GivenRemarks {...work} />
        </>
      )}
    </Page>
  );
}

function DashboardLink() {
  return <BackLink to="/reviewer">Back to Dashboard</BackLink>;
}
