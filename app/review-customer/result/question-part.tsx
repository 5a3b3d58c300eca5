import { useSearchParams } from "react-router";
import type { OwnFollowUp } from "../../annotations/follow-up/questions.server.ts";
import {
  FollowUpFields,
  type RefusedFollowUp,
} from "../../annotations/follow-up/follow-up-form.tsx";
import { FollowUpQuote, UnsentText } from "../../annotations/follow-up/follow-up-text.tsx";
import { followUpLimits } from "../../annotations/follow-up/rules.ts";
import type { NumberedRemark } from "../../annotations/marked.ts";
import { Button } from "../../ui/form/button.tsx";
import { CheckboxField } from "../../ui/form/field.tsx";
import { Link } from "../../ui/link.tsx";
import * as styles from "../../annotations/follow-up/follow-up.module.css";
import * as otherTextStyles from "../../ui/form/other-text.module.css";

/** The customer's question after a review: its form, or the question with its answer. */
export function QuestionPart({
  reviewId,
  followUp,
  remarks,
  refused,
}: {
  reviewId: string;
  followUp: OwnFollowUp;
  remarks: readonly NumberedRemark[];
  refused: RefusedFollowUp | undefined;
}) {
  const [params] = useSearchParams();
  const isAskable = followUp.state === "askable";
  const chosen = remarks.find(({ number }) => String(number) === params.get("about"));
  return (
    <section id="question" aria-labelledby="question-title">
      <h2 id="question-title">{isAskable ? "Ask your reviewer one question" : "Your question"}</h2>
      {!isAskable && <UnsentText refused={refused} />}
      {followUp.state === "askable" ? (
        <>
          <p>
            {`You can ask until ${followUp.until} (Indian time). Your reviewer answers within 48 hours.`}
          </p>
          <FollowUpFields
            action={`/service-review/${reviewId}`}
            intent="ask"
            saving={{ address: "/profile/changes", fields: { intent: "save-question", reviewId } }}
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
        </>
      ) : followUp.state === "ended" ? (
        <>
          <p>You could ask until {followUp.until}. Your draft wasn&apos;t sent:</p>
          <blockquote className={otherTextStyles.otherText}>{followUp.text}</blockquote>
        </>
      ) : (
        <SentQuestion reviewId={reviewId} followUp={followUp} remarks={remarks} />
      )}
    </section>
  );
}

function SentQuestion({
  reviewId,
  followUp,
  remarks,
}: {
  reviewId: string;
  followUp: Exclude<OwnFollowUp, { state: "askable" | "ended" }>;
  remarks: readonly NumberedRemark[];
}) {
  return (
    <>
      <FollowUpQuote content={followUp.question} verb="Asked" remarks={remarks} />
      {followUp.state === "answered" ? (
        <>
          <h3>The answer</h3>
          <FollowUpQuote content={followUp.answer} verb="Answered" remarks={remarks} />
          {remarks.length > 0 && (
            <form className={styles.pdf} action={`/service-review/${reviewId}/annotated.pdf`}>
              <CheckboxField label="With my question and its answer" name="question" value="yes" />
              <Button type="submit" variant="secondary" size="sm">
                Download the PDF
              </Button>
            </form>
          )}
        </>
      ) : (
        <p>{formatWaiting(followUp)}</p>
      )}
    </>
  );
}

function formatWaiting({
  state,
  due,
  isLate,
}: Extract<OwnFollowUp, { state: "asked" | "refunded" }>): string {
  if (state === "refunded") return "This review was refunded, so the question isn't answered.";
  return isLate
    ? `The answer was due on ${due} (Indian time). We're sorry it's late. Our team knows about it.`
    : `Your reviewer answers by ${due} (Indian time). We'll email you.`;
}

/** The link beside a remark that asks the question about it. */
export function AskAbout({ number }: { number: number }) {
  return (
    <p className={styles.ask}>
      <Link to={`?about=${number}#question`}>
        Ask about this<span className="sr-only">{` remark, number ${number}`}</span>
      </Link>
    </p>
  );
}
