import { UploadField } from "../../files/field/upload-field.tsx";
import { noteLimit } from "../assign/rules.ts";

/** Screenshots are chosen, dropped or pasted, several at once, each with its annotation. */
export function ScreenshotUpload({ reviewId }: { reviewId: string }) {
  return (
    <UploadField
      purpose="review-image"
      target={reviewId}
      label="Add screenshots"
      next={`/reviewer/submission/${reviewId}`}
      note={{ label: "Annotation (optional)", maxLength: noteLimit }}
      multiple
      allowPaste
    />
  );
}

export function FileUpload({ reviewId }: { reviewId: string }) {
  return (
    <UploadField
      purpose="review-file"
      target={reviewId}
      label="Attach files"
      next={`/reviewer/submission/${reviewId}`}
      note={{ label: "Description (optional)", maxLength: noteLimit }}
      multiple
    />
  );
}
