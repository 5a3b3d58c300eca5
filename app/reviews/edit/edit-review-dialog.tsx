import { useState } from "react";
import { serviceLabel } from "../rules.ts";
import type { EditableReview } from "./completed-review.server.ts";
import { feedbackLimit } from "../assign/rules.ts";
import type { HandedFile, HandedImage } from "../work/uploads.server.ts";
import { TextAreaField } from "../../ui/form/field.tsx";
import { FormDialog } from "../../ui/feedback/dialog.tsx";
import { PriorityField } from "../assign/priority-dialog.tsx";
import { ReviewFileTabs } from "./review-file-tabs.tsx";
import { ReviewImages } from "./review-images.tsx";

export type Edited = { review: EditableReview; images: HandedImage[]; files: HandedFile[] };

/** Edits a completed review; without one it is closed. */
export function EditReviewDialog({
  edited,
  ...way
}: {
  edited: Edited | null;
  closed: string;
  onSaved(): void;
}) {
  return (
    <FormDialog
      {...way}
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
          </>
        )
      }
    >
      {edited && <Fields key={edited.review.id} review={edited.review} />}
    </FormDialog>
  );
}

function Fields({ review }: { review: EditableReview }) {
  // What was opened counts, also when the page has read a newer state since.
  const [{ version, priority, feedback }] = useState(review);
  return (
    <>
      <input type="hidden" name="reviewId" value={review.id} />
      <input type="hidden" name="version" value={version} />
      <PriorityField
        value={priority}
        hint={`${serviceLabel(review.serviceType)}, review ${review.id}`}
      />
      <TextAreaField
        label="Reviewer Feedback"
        name="feedback"
        rows={7}
        maxLength={feedbackLimit}
        defaultValue={feedback}
      />
    </>
  );
}
