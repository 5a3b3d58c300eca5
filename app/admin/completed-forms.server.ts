import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { currentActor } from "../accounts/actor.server.ts";
import { machine } from "../platform/machine.server.ts";
import { addImage } from "../reviews/staff/add-image.server.ts";
import { deleteImage } from "../reviews/staff/delete-image.server.ts";
import { updateImage } from "../reviews/staff/update-image.server.ts";
import { updateReview } from "../reviews/staff/update-review.server.ts";
import { attemptAndTell } from "./attempt-and-tell.server.ts";

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
  const { db } = context.get(machine);
  const actor = context.get(currentActor);
  const typed = fields.parse(Object.fromEntries(form));
  switch (form.get("intent")) {
    case "add-image":
      return attemptAndTell(context, () => addImage(db, actor, typed), {
        done: success("Image added successfully"),
        failed: "Failed to add image",
      });
    case "update-image":
      return attemptAndTell(context, () => updateImage(db, actor, typed), {
        done: success("Image updated successfully"),
        failed: "Failed to update image",
      });
    case "delete-image":
      return attemptAndTell(context, () => deleteImage(db, actor, typed), {
        done: success("Image deleted successfully"),
        failed: "Failed to delete image",
      });
    default:
      return attemptAndTell(context, () => updateReview(db, actor, typed), {
        done: success("Review updated successfully"),
        failed: "Failed to update review",
      });
  }
}
