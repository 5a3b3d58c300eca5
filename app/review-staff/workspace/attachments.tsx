import { type ReactNode, useEffect } from "react";
import { useFetcher, useSearchParams } from "react-router";
import { UploadField, useRemovals } from "../../files/upload-ui/upload-field.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { useDelayedNavigation } from "../../ui/departure.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import type { HandedFile, HandedImage } from "../../reviews/materials.server.ts";
import { isExternalAddress, Picture } from "../../reviews/picture.tsx";
import { noteLimit, submittedPauseMs } from "../../reviews/staff-rules.ts";
import type { Workspace } from "./find.server.ts";
import type { UploadKind } from "./review-uploads.server.ts";
import { deleteUnsaved } from "./use-draft.ts";
import * as styles from "./attachments.module.css";
import * as feedbackStyles from "./feedback.module.css";

/** The submitted feedback. Right after submitting, it redirects to the dashboard. */
export function SubmittedFeedback({
  workspace,
}: {
  workspace: { assignmentId: string; feedback: string };
}) {
  const [params] = useSearchParams();
  const isJustSubmitted = params.has("submitted");
  useEffect(() => deleteUnsaved(workspace.assignmentId), [workspace.assignmentId]);
  useDelayedNavigation(isJustSubmitted ? "/reviewer" : null, submittedPauseMs);
  return (
    <section aria-labelledby="feedback">
      <h2 id="feedback">Feedback</h2>
      <div className={feedbackStyles.submittedFeedback}>{workspace.feedback || "No feedback"}</div>
      {isJustSubmitted && (
        <noscript>
          <meta httpEquiv="refresh" content="2;url=/reviewer" />
        </noscript>
      )}
    </section>
  );
}

/** The reviewer's screenshots and files beside the feedback. */
export function Attachments({
  workspace,
}: {
  workspace: Pick<Workspace, "reviewId" | "isOpen" | "images" | "files">;
}) {
  const { reviewId, isOpen, images, files } = workspace;
  const removedImages = useRemovals(images.length);
  const removedFiles = useRemovals(files.length);
  return (
    <>
      <Part
        title="Screenshots"
        isEmpty={!isOpen && images.length === 0}
        nothing="No screenshots were added."
      >
        {isOpen && <ScreenshotUpload reviewId={reviewId} removals={removedImages} />}
        <ul className={styles.screenshots}>
          {images.map((image, index) => (
            <Screenshot key={image.id} image={image} place={index + 1} isOpen={isOpen} />
          ))}
        </ul>
      </Part>
      <Part
        title="Attached files"
        isEmpty={!isOpen && files.length === 0}
        nothing="No files were attached."
      >
        {isOpen && <FileUpload reviewId={reviewId} removals={removedFiles} />}
        <ul className={styles.attachedFiles}>
          {files.map((file) => (
            <AttachedFile key={file.id} file={file} isOpen={isOpen} />
          ))}
        </ul>
      </Part>
    </>
  );
}

function Part({
  title,
  isEmpty,
  nothing,
  children,
}: {
  title: string;
  isEmpty: boolean;
  nothing: string;
  children: ReactNode;
}) {
  return (
    <section
      className={styles.attachments}
      id={title.toLowerCase().replace(" ", "-")}
      aria-label={title}
    >
      <h2>{title}</h2>
      {isEmpty ? <p className="text-ink-soft">{nothing}</p> : children}
    </section>
  );
}

/** Uploads screenshots: chosen, dropped or pasted, several at once, each with an annotation. */
function ScreenshotUpload({ reviewId, removals }: { reviewId: string; removals: number }) {
  return (
    <UploadField
      purpose="review-image"
      target={reviewId}
      label="Add screenshots"
      next={`/reviewer/submission/${reviewId}`}
      note={{ label: "Annotation (optional)", maxLength: noteLimit }}
      multiple
      allowPaste
      removals={removals}
      isSlim
    />
  );
}

function FileUpload({ reviewId, removals }: { reviewId: string; removals: number }) {
  return (
    <UploadField
      purpose="review-file"
      target={reviewId}
      label="Attach files"
      next={`/reviewer/submission/${reviewId}`}
      note={{ label: "Description (optional)", maxLength: noteLimit }}
      multiple
      removals={removals}
      isSlim
    />
  );
}

function Screenshot({
  image,
  place,
  isOpen,
}: {
  image: HandedImage;
  place: number;
  isOpen: boolean;
}) {
  const name = `Screenshot ${place}`;
  return (
    <li>
      <figure>
        {image.href && (
          <a href={image.href} target="_blank" rel="noopener noreferrer">
            {isExternalAddress(image.href) ? (
              "Open image"
            ) : (
              <Picture address={image.href} alt={name} />
            )}
          </a>
        )}
        <figcaption>{image.annotation ?? name}</figcaption>
      </figure>
      {isOpen && <Remove kind="image" id={image.id} name={image.annotation ?? name} />}
    </li>
  );
}

function AttachedFile({ file, isOpen }: { file: HandedFile; isOpen: boolean }) {
  return (
    <li>
      <div>
        {file.href ? (
          <a href={file.href} target="_blank" rel="noopener noreferrer">
            {file.name}
          </a>
        ) : (
          file.name
        )}
        {file.description && <p>{file.description}</p>}
      </div>
      {isOpen && <Remove kind="file" id={file.id} name={file.name} />}
    </li>
  );
}

/** Asks for confirmation in place, which works without scripts and moves nothing else. */
function Remove({ kind, id, name }: { kind: UploadKind; id: string; name: string }) {
  const fetcher = useFetcher();
  return (
    <details className={styles.remove}>
      <summary aria-description={name}>
        <span className={styles.removeAsk}>
          <Icon name="trash" />
          Remove
        </span>
        <span className={styles.removeKeep}>Keep it</span>
      </summary>
      <fetcher.Form method="post">
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="id" value={id} />
        <p>Remove “{name}”? This cannot be undone.</p>
        <SubmitButton
          intent="remove"
          variant="danger"
          size="sm"
          pending={fetcher.state !== "idle"}
          pendingLabel="Removing..."
        >
          Remove
        </SubmitButton>
      </fetcher.Form>
    </details>
  );
}
