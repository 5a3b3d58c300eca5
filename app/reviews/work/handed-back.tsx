import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { isElsewhere, Picture } from "../buy/picture.tsx";
import type { UploadKind } from "./remove-upload.server.ts";
import { FileUpload, ScreenshotUpload } from "./upload-areas.tsx";
import type { HandedFile, HandedImage } from "./uploads.server.ts";

type Workspace = { reviewId: string; isOpen: boolean; images: HandedImage[]; files: HandedFile[] };

/** What the reviewer gives back beside the feedback: screenshots and files. */
export function HandedBack({ workspace }: { workspace: Workspace }) {
  const { reviewId, isOpen, images, files } = workspace;
  return (
    <>
      <Part
        title="Screenshots"
        isEmpty={!isOpen && images.length === 0}
        nothing="No screenshots were added."
      >
        {isOpen && <ScreenshotUpload reviewId={reviewId} />}
        <ul className="screenshots">
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
        {isOpen && <FileUpload reviewId={reviewId} />}
        <ul className="attached-files">
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
    <section className="handed-back" aria-label={title}>
      <h2>{title}</h2>
      {isEmpty ? <p className="text-ink-soft">{nothing}</p> : children}
    </section>
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
            {isElsewhere(image.href) ? "Open image" : <Picture address={image.href} alt={name} />}
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

/** Asks once, in place: it works before any script, and nothing else moves. */
function Remove({ kind, id, name }: { kind: UploadKind; id: string; name: string }) {
  const fetcher = useFetcher();
  return (
    <details className="remove">
      <summary>
        <span className="remove-ask">
          <Icon name="trash" />
          Remove <span className="sr-only">{name}</span>
        </span>
        <span className="remove-keep">Keep it</span>
      </summary>
      <fetcher.Form method="post">
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="id" value={id} />
        <p>Remove “{name}”? This cannot be undone.</p>
        <SubmitButton
          name="intent"
          value="remove"
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
