import { useSearchParams } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { askForm } from "../../annotations/follow-up/ask-question.server.ts";
import { FollowUpFields } from "../../annotations/follow-up/follow-up-form.tsx";
import { FollowUpQuote, UnsentText } from "../../annotations/follow-up/follow-up-text.tsx";
import { findOwnFollowUp } from "../../annotations/follow-up/questions.server.ts";
import { followUpLimits, type FollowUpText } from "../../annotations/follow-up/rules.ts";
import { toResultView } from "../../annotations/marked-sheet/result-view.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { createFormActions } from "../../platform/forms.server.ts";
import { getServiceLabel } from "../../reviews/rules.ts";
import { Button } from "../../ui/form/button.tsx";
import { CheckboxField, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { findOwnReview } from "./own-reviews.server.ts";
import type { Route } from "./+types/question.screen.ts";
import { describeWaiting } from "./describe-follow-up.server.ts";
import * as styles from "../../annotations/follow-up/follow-up.module.css";
import * as otherTextStyles from "../../ui/form/other-text.module.css";

const title = "Your question";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const [followUp, own] = await Promise.all([
    findOwnFollowUp(db, actor, id),
    findOwnReview(db, actor, id),
  ]);
  if (!followUp || !own?.result) throw new NotFound();
  const { remarks } = toResultView(own.result).marked;
  return {
    service: getServiceLabel(own.review.serviceType),
    followUp,
    waiting:
      followUp.state === "asked" || followUp.state === "refunded"
        ? describeWaiting(followUp)
        : null,
    remarks: remarks.map((remark) => ({
      id: remark.id,
      number: remark.number,
      text: remark.text,
    })),
  };
}

export const action = createFormActions({ ask: askForm });

export const shouldRevalidate = revalidateAfterRefusal;

export default function AskQuestion({ loaderData, actionData, params }: Route.ComponentProps) {
  const { service, followUp, waiting, remarks } = loaderData;
  const isAskable = followUp.state === "askable";
  const [search] = useSearchParams();
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(refused?.errors);
  const chosen = remarks.find(({ number }) => String(number) === search.get("about"));
  return (
    <Page
      title={isAskable ? "Ask your reviewer one question" : title}
      intro={
        followUp.state === "askable" && (
          <p>
            {`About your ${service}, until ${followUp.until} (Indian time). Your reviewer answers within 48 hours.`}
          </p>
        )
      }
      back={
        <BackLink to={`/service-review/${params.id}`} prefetch="intent">
          Back to the review
        </BackLink>
      }
    >
      {followUp.state === "askable" ? (
        <FollowUpFields
          action={`/service-review/${params.id}/question`}
          intent="ask"
          saving={{
            address: "/profile/changes",
            fields: { intent: "save-question", reviewId: params.id },
          }}
          draft={followUp.draft}
          remarks={remarks}
          chosen={chosen?.id}
          labels={{
            text: "Your question",
            remark: "About",
            none: "The complete review",
            send: "Ask the question",
            hint: "20 to 1,000 characters. You can ask once.",
          }}
          maxLength={followUpLimits.question}
          refused={refused}
        />
      ) : (
        <>
          <UnsentText refused={refused} />
          {followUp.state === "ended" ? (
            <>
              <p>You could ask until {followUp.until}. Your draft wasn&apos;t sent:</p>
              <blockquote className={otherTextStyles.otherText}>{followUp.text}</blockquote>
            </>
          ) : (
            <section aria-label="Your question">
              <FollowUpQuote
                content={followUp.question}
                verb="Asked"
                remarks={remarks}
                page={`/service-review/${params.id}`}
              />
              {followUp.state === "answered" ? (
                <Answer answer={followUp.answer} remarks={remarks} reviewId={params.id} />
              ) : (
                <p>{waiting}</p>
              )}
            </section>
          )}
        </>
      )}
    </Page>
  );
}

type AnswerProps = {
  answer: FollowUpText;
  remarks: readonly { id: string; number: number }[];
  reviewId: string;
};

/** The answer, and the form that downloads the review as a PDF with it. */
function Answer({ answer, remarks, reviewId }: AnswerProps) {
  return (
    <>
      <h2>The answer</h2>
      <FollowUpQuote
        content={answer}
        verb="Answered"
        remarks={remarks}
        page={`/service-review/${reviewId}`}
      />
      {remarks.length > 0 && (
        <form className={styles.pdf} action={`/service-review/${reviewId}/annotated.pdf`}>
          <CheckboxField label="With my question and its answer" name="question" value="yes" />
          <Button type="submit" variant="secondary" size="sm">
            Download the PDF
          </Button>
        </form>
      )}
    </>
  );
}
