import { type KeyboardEvent, useContext, useId, useRef, useState } from "react";
import { useFetcher } from "react-router";
import type { OwnAddress } from "../../platform/own-path.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { InPage } from "../../ui/feedback/dialog.tsx";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { TextAreaField } from "../../ui/form/field.tsx";
import { Link } from "../../ui/link.tsx";
import { PriorityField } from "../assign/reviews-list.tsx";
import { ReviewBriefPart } from "../../reviews/brief/review-brief.tsx";
import { briefLimits, type Question, type ReviewBrief } from "../../reviews/brief.ts";
import type { HandedFile } from "../../reviews/materials.server.ts";
import { Picture } from "../../reviews/picture.tsx";
import { GivenRating } from "../../reviews/rating/given-rating.tsx";
import type { RatingView } from "../../reviews/rating/rules.ts";
import { getServiceLabel } from "../../reviews/rules.ts";
import { feedbackLimit } from "../../reviews/staff-rules.ts";
import type { EditableImage, EditableReview } from "./completed-reviews.server.ts";
import { ReviewImages } from "./review-images.tsx";
import { useOpened } from "./use-opened.ts";
import * as styles from "./edit-review.module.css";
import * as reviewBriefStyles from "../../reviews/brief/review-brief.module.css";

type Edited = {
  review: EditableReview;
  images: EditableImage[];
  files: HandedFile[];
  brief: ReviewBrief | null;
  rating: RatingView | null;
};

/** The dialog that edits a completed review; null closes it. */
export function EditReviewDialog({
  edited,
  ...dialogProps
}: {
  edited: Edited | null;
  closed: OwnAddress;
}) {
  return (
    <FormDialog
      {...dialogProps}
      open={edited !== null}
      title="Edit Review"
      intent="update-review"
      submitLabel="Save Changes"
      pendingLabel="Saving..."
      width="wide"
      beside={
        edited && (
          <>
            <ReviewFileTabs key={edited.review.id} files={edited.files} />
            <ReviewImages reviewId={edited.review.id} images={edited.images} />
            <BriefAndRating key={`${edited.review.id} brief`} {...edited} />
          </>
        )
      }
    >
      {edited && <EditReviewFields key={edited.review.id} review={edited.review} />}
    </FormDialog>
  );
}

function EditReviewFields({ review }: { review: EditableReview }) {
  // Keeps the version that was opened, even when the page reads a newer one.
  const [{ version, priority, feedback }] = useState(review);
  return (
    <>
      <input type="hidden" name="reviewId" value={review.id} />
      <input type="hidden" name="version" value={version} />
      <PriorityField
        value={priority}
        hint={`${getServiceLabel(review.serviceType)}, review ${review.id}`}
      />
      <TextAreaField
        label="Reviewer Feedback"
        name="feedback"
        rows={7}
        maxLength={feedbackLimit}
        defaultValue={feedback}
      />
      <Link to={`/admin/reviews/${review.id}/remarks`}>Edit remarks on the pages</Link>
    </>
  );
}

function BriefAndRating({ review, brief, rating }: Edited) {
  return (
    <div className={styles.beside}>
      <EditAnswers reviewId={review.id} brief={brief} />
      <GivenRating rating={rating} level="h3" />
    </div>
  );
}

/** The reviewer's files: in tabs, or one below another when the dialog is a page. */
function ReviewFileTabs({ files }: { files: HandedFile[] }) {
  const isList = useContext(InPage);
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const current = Math.min(chosen, files.length - 1);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (current + step + files.length) % files.length;
    setChosen(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  }

  return (
    <section className={styles.part} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>Review Files</h3>
      {files.length === 0 && <p className="text-ink-soft">No files were attached.</p>}
      {!isList && files.length > 0 && (
        <div
          className={styles.fileTabs}
          role="tablist"
          aria-label="Review Files"
          tabIndex={-1}
          onKeyDown={onKeyDown}
        >
          {files.map((file, index) => (
            <button
              key={file.id}
              type="button"
              role="tab"
              id={`${id}-tab-${index}`}
              aria-controls={`${id}-panel-${index}`}
              aria-selected={index === current}
              tabIndex={index === current ? 0 : -1}
              onClick={() => setChosen(index)}
            >
              {`File ${index + 1}`}
            </button>
          ))}
        </div>
      )}
      {files.map((file, index) => (
        <div
          key={file.id}
          role={isList ? undefined : "tabpanel"}
          id={`${id}-panel-${index}`}
          aria-labelledby={isList ? undefined : `${id}-tab-${index}`}
          hidden={!isList && index !== current}
        >
          <FileFacts file={file} />
        </div>
      ))}
    </section>
  );
}

function FileFacts({ file: { href, name, type, description } }: { file: HandedFile }) {
  return (
    <div className={styles.fileFacts}>
      {href ? (
        <a href={href} target="_blank" rel="noopener noreferrer">
          <Icon name="file" />
          {name}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      ) : (
        <p>{name}</p>
      )}
      <p className="text-ink-faint">{type}</p>
      {href && type.startsWith("image/") && (
        <div className={styles.pictureFrame}>
          <Picture address={href} alt={name} />
        </div>
      )}
      {description && <p className={styles.description}>{description}</p>}
    </div>
  );
}

/** The brief of a completed review, with a form for each answer. */
function EditAnswers({ reviewId, brief }: { reviewId: string; brief: ReviewBrief | null }) {
  return (
    <ReviewBriefPart brief={brief} level="h3">
      {brief?.questions.map((question) => (
        <EditAnswer key={question.position} reviewId={reviewId} question={question} />
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
  const form = useRef<HTMLFormElement>(null);
  const opened = useOpened(form, { answer: answer ?? "" });
  const { errors } = fetcher.data ?? {};
  return (
    <fetcher.Form
      // The saved text replaces the typed one.
      key={opened.answer}
      method="post"
      ref={form}
      className={reviewBriefStyles.answer}
      preventScrollReset
    >
      <input type="hidden" name="reviewId" value={reviewId} />
      <input type="hidden" name="position" value={position} />
      <input type="hidden" name="seen" value={opened.answer} />
      <TextAreaField
        label={question}
        name="answer"
        rows={2}
        maxLength={briefLimits.answer}
        // The saved text will replace the one in the field.
        readOnly={fetcher.state !== "idle"}
        defaultValue={opened.answer}
        error={errors?.answer ?? errors?.[""]}
      />
      <SubmitButton
        intent="answer"
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
