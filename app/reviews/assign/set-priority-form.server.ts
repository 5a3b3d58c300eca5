import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { setPriority } from "./set-priority.server.ts";
import { attemptAndToast } from "../../platform/attempt-and-toast.server.ts";

const priorityForm = z.object({
  reviewId: z.string().catch(""),
  // No number is no priority, which the command refuses.
  priority: z.coerce.number().catch(-1),
});

/** Answers the form of the dialog that sets a priority. */
export function changePriority(context: Readonly<RouterContextProvider>, form: FormData) {
  const { db } = context.get(appContext);
  const fields = priorityForm.parse(Object.fromEntries(form));
  return attemptAndToast(context, () => setPriority(db, context.get(currentActor), fields), {
    done: () => ({ kind: "success", title: "Review updated successfully" }),
    failed: "Failed to update review",
  });
}
