import type { FetcherWithComponents } from "react-router";
import type { HandedImage } from "../work/uploads.server.ts";
import { noteLimit } from "../assign/rules.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field, TextAreaField } from "../../ui/form/field.tsx";

export type ImageAnswer = { ok?: true; errors?: Record<string, string> };

/** The address and the annotation of an image, to add it or to change it. */
export function ImageForm({
  fetcher,
  reviewId,
  image,
  intent,
  submitLabel,
  pendingLabel,
}: {
  fetcher: FetcherWithComponents<ImageAnswer>;
  reviewId: string;
  /** Left out for one that is being added. */
  image?: HandedImage;
  intent: "add-image" | "update-image";
  submitLabel: string;
  pendingLabel: string;
}) {
  const errors = fetcher.data?.errors ?? {};
  return (
    <fetcher.Form method="post" className="image-form" preventScrollReset>
      <input type="hidden" name="reviewId" value={reviewId} />
      {image && <input type="hidden" name="id" value={image.id} />}
      <Field
        label="Image URL"
        name="imageUrl"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        defaultValue={image?.href ?? ""}
        error={errors.imageUrl}
      />
      <TextAreaField
        label="Annotation (optional)"
        name="annotation"
        rows={2}
        maxLength={noteLimit}
        defaultValue={image?.annotation ?? ""}
        error={errors.annotation}
      />
      <SubmitButton
        name="intent"
        value={intent}
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
