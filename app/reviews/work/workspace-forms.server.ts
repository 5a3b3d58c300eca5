import { redirect, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { attempt, type Refusal } from "../../platform/forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { toast } from "../../platform/toasts.server.ts";
import { removeUpload } from "./remove-upload.server.ts";
import { messages } from "../assign/rules.ts";
import { saveDraftFeedback } from "./save-draft-feedback.server.ts";
import { submitReview } from "./submit-review.server.ts";

type Context = Readonly<RouterContextProvider>;

const writtenFields = { feedback: z.string().default(""), version: z.string().default("") };

type Written = { feedback: string; version: string };

/** What can be sent from the workspace; which button was pressed says what is meant. */
export const workspaceForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("submit"), ...writtenFields }),
  z.object({ intent: z.literal("save-draft"), ...writtenFields }),
  z.object({ intent: z.literal("remove"), kind: z.enum(["image", "file"]), id: z.string() }),
]);

/** Completes the review, and comes back to see it as it was submitted. */
export async function submit(context: Context, reviewId: string, { feedback, version }: Written) {
  const { db, config } = context.get(appContext);
  const submitted = await attempt(
    context,
    () => submitReview(db, context.get(currentActor), { reviewId, feedback, version }, config),
    { values: { feedback, version }, fallback: "Please try again later." },
  );
  if (!submitted.ok) {
    toast(context, {
      kind: "error",
      title: "Failed to submit review",
      description: submitted.message,
    });
    return writtenFromNow(submitted.refusal);
  }
  toast(context, { kind: "success", title: "Review submitted successfully" });
  return redirect(`/reviewer/submission/${reviewId}?submitted`);
}

/** For browsers without scripts: the others save as one types. */
export async function saveDraft(
  context: Context,
  reviewId: string,
  { feedback, version }: Written,
) {
  const { db } = context.get(appContext);
  const saved = await attempt(
    context,
    () => saveDraftFeedback(db, context.get(currentActor), { reviewId, feedback, version }),
    { values: { feedback, version }, fallback: "Please try again later." },
  );
  if (!saved.ok) return writtenFromNow(saved.refusal);
  toast(context, { kind: "success", title: "Draft saved" });
  return redirect(`/reviewer/submission/${reviewId}`);
}

/** Who is told that the draft was changed sees what it is now, and goes on from there. */
function writtenFromNow(refusal: Refusal): Refusal {
  const { errors, values } = refusal.data;
  if (errors[""] === messages.draftChanged) delete values.version;
  return refusal;
}

/** The list below is read anew, so there is nothing to return. */
export async function remove(context: Context, upload: Parameters<typeof removeUpload>[2]) {
  const { db } = context.get(appContext);
  const removed = await attempt(
    context,
    () => removeUpload(db, context.get(currentActor), upload),
    {
      fallback: "Please try again later.",
    },
  );
  const name = upload.kind === "image" ? "image" : "file";
  if (removed.ok) {
    toast(context, {
      kind: "success",
      title: `${name === "image" ? "Image" : "File"} removed successfully`,
    });
    return null;
  }
  toast(context, {
    kind: "error",
    title: `Failed to remove ${name}`,
    description: removed.message,
  });
  return null;
}
