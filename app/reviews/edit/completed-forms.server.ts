import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { addImage } from "./add-image.server.ts";
import { deleteImage } from "./delete-image.server.ts";
import { updateImage } from "./update-image.server.ts";
import { updateReview } from "./update-review.server.ts";
import { attemptAndToast } from "../../platform/attempt-and-toast.server.ts";

const text = z.string().catch("");
const fields = z.object({
  reviewId: text,
  // No number is no priority, which the command refuses.
  priority: z.coerce.number().catch(-1),
  feedback: text,
  version: text,
  id: text,
  imageUrl: text,
  annotation: text,
});

const success = (title: string) => () => ({ kind: "success" as const, title });

/** Answers each form of the dialog that edits a completed review. */
export function editCompleted(context: Readonly<RouterContextProvider>, form: FormData) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const typed = fields.parse(Object.fromEntries(form));
  switch (form.get("intent")) {
    case "add-image":
      return attemptAndToast(context, () => addImage(db, actor, typed), {
        done: success("Image added successfully"),
        failed: "Failed to add image",
      });
    case "update-image":
      return attemptAndToast(context, () => updateImage(db, actor, typed), {
        done: success("Image updated successfully"),
        failed: "Failed to update image",
      });
    case "delete-image":
      return attemptAndToast(context, () => deleteImage(db, actor, typed), {
        done: success("Image deleted successfully"),
        failed: "Failed to delete image",
      });
    default:
      return attemptAndToast(context, () => updateReview(db, actor, typed), {
        done: success("Review updated successfully"),
        failed: "Failed to update review",
      });
  }
}
