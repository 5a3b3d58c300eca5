import { Form } from "react-router";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { type ReplyAnswer, type ReplyOutcome, replyLabels } from "./rules.ts";
import * as styles from "./tracker.module.css";

/** Asks a person if a company replied to them, or shows their answer with the ways to change it. */
export function ReplyQuestion({
  id,
  company,
  about,
  answer = null,
}: {
  id: string;
  company: string;
  /** The sentence under the question. */
  about: string;
  /** The answer that they gave; null while they are asked. */
  answer?: ReplyOutcome | null;
}) {
  const answers = Object.keys(replyLabels) as ReplyAnswer[];
  return (
    <Card title={`Did ${company} answer?`} className={styles.reply}>
      <p>{about}</p>
      <Form method="post" preventScrollReset className={styles.replyAnswers}>
        <input type="hidden" name="intent" value="reply" />
        <input type="hidden" name="id" value={id} />
        {answers
          .filter((outcome) => outcome !== answer)
          .map((outcome) => (
            <SubmitButton
              key={outcome}
              name="outcome"
              value={outcome}
              variant="secondary"
              pendingLabel="Saving..."
            >
              {replyLabels[outcome]}
            </SubmitButton>
          ))}
      </Form>
      {answer && answer !== "withdrawn" && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="id" value={id} />
          <SubmitButton
            intent="withdraw-reply"
            variant="ghost"
            size="sm"
            pendingLabel="Withdrawing..."
          >
            Withdraw your answer
          </SubmitButton>
        </Form>
      )}
      <p className={styles.replyNote}>
        Only you see your answer. Once five people have answered, the job says how many got a reply.
      </p>
    </Card>
  );
}
