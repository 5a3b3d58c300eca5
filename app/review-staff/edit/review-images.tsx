import { type RefObject, useRef, useState } from "react";
import { type FetcherWithComponents, useFetcher } from "react-router";
import { Icon } from "../../ui/brand/icon.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, TextAreaField } from "../../ui/form/field.tsx";
import { noteLimit } from "../../reviews/staff-rules.ts";
import { Picture } from "../../reviews/picture.tsx";
import type { EditableImage } from "./completed-reviews.server.ts";
import { useOpened } from "./use-opened.ts";
import * as styles from "./edit-review.module.css";

/** The images of a completed review, with forms to add, edit and delete them. */
export function ReviewImages({ reviewId, images }: { reviewId: string; images: EditableImage[] }) {
  return (
    <section className={styles.part} aria-labelledby="review-images">
      <h3 id="review-images">Review Images</h3>
      {images.length === 0 && <p className="text-ink-soft">No images yet.</p>}
      <ul className={styles.images}>
        {images.map((image, index) => (
          <ReviewImageItem
            key={image.id}
            reviewId={reviewId}
            image={image}
            name={`Image ${index + 1}`}
          />
        ))}
      </ul>
      <AddImage reviewId={reviewId} />
    </section>
  );
}

/** An image of a review, with its name on the screen. */
type OfImage = { reviewId: string; image: EditableImage; name: string };

function ReviewImageItem({ reviewId, image, name }: OfImage) {
  const { href, annotation } = image;
  return (
    <li>
      <figure>
        {href && (
          <a href={href} target="_blank" rel="noopener noreferrer" className={styles.pictureFrame}>
            <Picture address={href} alt={name} />
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        )}
        <figcaption>{annotation ?? name}</figcaption>
      </figure>
      <div className={styles.imageActions}>
        <EditImage reviewId={reviewId} image={image} name={name} />
        <DeleteImage reviewId={reviewId} image={image} name={name} />
      </div>
    </li>
  );
}

function EditImage({ reviewId, image, name }: OfImage) {
  const fetcher = useFetcher<ImageAnswer>();
  const form = useRef<HTMLFormElement>(null);
  const opened = useOpened(form, toImageFields(image));
  return (
    // The saved text replaces the typed one.
    <details className={styles.imageAction} name={`image ${image.id}`} key={opened.version}>
      <summary aria-description={name}>
        <Icon name="edit" />
        Edit
      </summary>
      <ImageForm
        form={form}
        fetcher={fetcher}
        reviewId={reviewId}
        image={{ id: image.id, ...opened }}
        intent="update-image"
        submitLabel="Save"
        pendingLabel="Saving..."
      />
    </details>
  );
}

/** Asks for confirmation in place, which works without scripts and inside a dialog. */
function DeleteImage({ reviewId, image: { id, version }, name }: OfImage) {
  const fetcher = useFetcher();
  return (
    <details className={styles.imageAction} name={`image ${id}`}>
      <summary aria-description={name}>
        <Icon name="trash" />
        Delete
      </summary>
      <fetcher.Form method="post" preventScrollReset>
        <input type="hidden" name="reviewId" value={reviewId} />
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="version" value={version} />
        <p>Are you sure you want to delete this image?</p>
        <SubmitButton
          intent="delete-image"
          variant="danger"
          size="sm"
          pending={fetcher.state !== "idle"}
          pendingLabel="Deleting..."
        >
          Delete image
        </SubmitButton>
      </fetcher.Form>
    </details>
  );
}

function AddImage({ reviewId }: { reviewId: string }) {
  const fetcher = useFetcher<ImageAnswer>();
  const [previous, setPrevious] = useState(fetcher.data);
  const [added, setAdded] = useState(0);
  if (previous !== fetcher.data) {
    setPrevious(fetcher.data);
    if (fetcher.data?.ok) setAdded(added + 1);
  }
  return (
    <div className={styles.addImage}>
      <h4>Add an image</h4>
      <ImageForm
        key={added}
        fetcher={fetcher}
        reviewId={reviewId}
        intent="add-image"
        submitLabel="Add image"
        pendingLabel="Adding..."
      />
    </div>
  );
}

/** Returns the fields of an image's form, with the image's version. */
function toImageFields({ href, annotation, version }: EditableImage) {
  return { imageUrl: href ?? "", annotation: annotation ?? "", version };
}

type ImageAnswer = { ok?: true; errors?: Record<string, string> };

/** The form for an image's address and annotation, to add or edit it. */
function ImageForm({
  form,
  fetcher,
  reviewId,
  image,
  intent,
  submitLabel,
  pendingLabel,
}: {
  form?: RefObject<HTMLFormElement | null>;
  fetcher: FetcherWithComponents<ImageAnswer>;
  reviewId: string;
  /** Undefined for a new image. */
  image?: { id: string; imageUrl: string; annotation: string; version: string };
  intent: "add-image" | "update-image";
  submitLabel: string;
  pendingLabel: string;
}) {
  const errors = fetcher.data?.errors ?? {};
  // The saved text will replace the one in the field.
  const readOnly = fetcher.state !== "idle";
  return (
    <fetcher.Form method="post" ref={form} className={styles.imageForm} preventScrollReset>
      <FormAlert>{errors[""]}</FormAlert>
      <input type="hidden" name="reviewId" value={reviewId} />
      {image && <input type="hidden" name="id" value={image.id} />}
      {image && <input type="hidden" name="version" value={image.version} />}
      <Field
        label="Image URL"
        name="imageUrl"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        defaultValue={image?.imageUrl}
        readOnly={readOnly}
        error={errors.imageUrl}
      />
      <TextAreaField
        label="Annotation (optional)"
        name="annotation"
        rows={2}
        maxLength={noteLimit}
        defaultValue={image?.annotation}
        readOnly={readOnly}
        error={errors.annotation}
      />
      <SubmitButton
        intent={intent}
        variant="secondary"
        size="sm"
        pending={fetcher.state !== "idle"}
        pendingLabel={pendingLabel}
      >
        {submitLabel}
      </SubmitButton>
    </fetcher.Form>
  );
}
