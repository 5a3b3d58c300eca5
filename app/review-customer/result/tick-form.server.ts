import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { tickRemark } from "../../annotations/remarks/remarks.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormIntent } from "../../platform/forms.server.ts";
import { getOwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { readReviewId } from "../../reviews/addresses.ts";

/**
 * Ticks a remark off. The form sends the new state, not a toggle, so two tabs or a repeated submit do no harm. Without
 * scripts the page returns to the remark.
 */
export const tickForm = createFormIntent({
  schema: z.object({
    remark: z.string(),
    done: z.enum(["yes", "no"]),
    /** The number of the remark to return to; empty when the screen stays. */
    back: z.string().regex(/^\d{0,3}$/),
  }),
  run({ context, params, url, value: { remark, done } }) {
    const reviewId = readReviewId({ params, url }) ?? "";
    const ticked = { reviewId, id: remark, isDone: done === "yes" };
    return tickRemark(context.get(appContext).db, getSignedInActor(context), ticked);
  },
  done: (_, { url, value: { back } }) => ({
    data: back ? redirect(`${getOwnPath(url)}#remark-${back}`) : { ok: true as const },
  }),
  failed: "We couldn't save that tick",
});
