import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formIntent, succeeded } from "../../platform/forms.server.ts";
import { setPriority } from "./set-priority.server.ts";

/** Answers the form of the dialog that sets a priority. */
export const changePriority = formIntent({
  schema: z.object({
    reviewId: z.string(),
    // No number is no priority, which the command refuses.
    priority: z.coerce.number().catch(-1),
  }),
  run: ({ context, value }) =>
    setPriority(context.get(appContext).db, context.get(currentActor), value),
  done: () => succeeded("Review updated successfully"),
  failed: "Failed to update review",
});
