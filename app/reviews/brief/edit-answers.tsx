import { useFetcher } from "react-router";
import { SubmitButton } from "../../ui/form/button.tsx";
import { TextAreaField } from "../../ui/form/field.tsx";
import { ReviewBriefPart } from "./review-brief.tsx";
import { briefLimits, type Question, type ReviewBrief } from "./rules.ts";

/** The brief of a completed review, its answers each in a form of its own. */
export function EditAnswers({ reviewId, brief }: { reviewId: string; brief: ReviewBrief | null }) {
  return (
    <ReviewBriefPart brief={brief} level="h3">
      {brief?.questions.map((question) => (
        // What is typed gives way once the answer has changed.
        <EditAnswer
          key={`${question.position} ${question.answer}`}
          reviewId={reviewId}
          question={question}
        />
      ))}
    </ReviewBriefPart>
  );
}

function EditAnswer({
  reviewId,
  question: { position, question, answer },
}: {
  reviewId: string;
  question: Question;
}) {
  const fetcher = useFetcher<{ errors?: Record<string, string> }>();
  return (
    <fetcher.Form method="post" className="answer" preventScrollReset>
      <input type="hidden" name="reviewId" value={reviewId} />
      <input type="hidden" name="position" value={position} />
      <input type="hidden" name="seen" value={answer ?? ""} />
      <TextAreaField
        label={question}
        name="answer"
        rows={2}
        maxLength={briefLimits.answer}
        // What is saved takes the place of what stands here.
        readOnly={fetcher.state !== "idle"}
        defaultValue={answer ?? ""}
        error={fetcher.data?.errors?.answer}
      />
      <SubmitButton
        name="intent"
        value="answer"
        variant="secondary"
        size="sm"
        pending={fetcher.state !== "idle"}
        pendingLabel="Saving..."
      >
        Save answer
      </SubmitButton>
    </fetcher.Form>
  );
}
