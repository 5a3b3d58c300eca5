import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formIntent, succeeded } from "../../platform/forms.server.ts";
import { hideReviewer } from "./introductions.server.ts";

/** The button beside what a reviewer says of themselves. */
const hiding = (hide: boolean) =>
  formIntent({
    schema: z.object({ reviewerId: z.string() }),
    run: ({ context, value: { reviewerId } }) =>
      hideReviewer(context.get(appContext).db, context.get(currentActor), { reviewerId, hide }),
    done: () => succeeded(hide ? "Hidden from customers" : "Shown to customers again"),
    failed: "Nothing was changed",
  });

export const hideForm = hiding(true);
export const showForm = hiding(false);
