import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { formActions, formIntent, succeeded } from "../../platform/forms.server.ts";
import { answerQuestion } from "../brief/answers.server.ts";
import { addImage, deleteImage, updateImage, updateReview } from "./edit-review.server.ts";

const text = z.string().catch("");
const schema = z.object({
  reviewId: text,
  // No number is no priority, which the command refuses.
  priority: z.coerce.number().catch(-1),
  feedback: text,
  version: text,
  id: text,
  imageUrl: text,
  annotation: text,
  position: z.coerce.number().catch(0),
  answer: text,
  seen: text,
});

type Command = (
  db: Database,
  actor: Actor | null,
  fields: z.output<typeof schema>,
) => Promise<unknown>;

const row = (command: Command, copy: { done: string; failed: string }) =>
  formIntent({
    schema,
    run: ({ context, value }) =>
      command(context.get(appContext).db, context.get(currentActor), value),
    done: () => succeeded(copy.done),
    failed: copy.failed,
  });

/** The action of the dialog that edits a completed review. */
export const editCompleted = formActions({
  "add-image": row(addImage, {
    done: "Image added successfully",
    failed: "Failed to add image",
  }),
  "update-image": row(updateImage, {
    done: "Image updated successfully",
    failed: "Failed to update image",
  }),
  "delete-image": row(deleteImage, {
    done: "Image deleted successfully",
    failed: "Failed to delete image",
  }),
  answer: row(answerQuestion, {
    done: "Answer updated successfully",
    failed: "Failed to update answer",
  }),
  "": row(updateReview, {
    done: "Review updated successfully",
    failed: "Failed to update review",
  }),
});
