import { z } from "zod";
import { getSignedInActor } from "../accounts/actor.server.ts";
import { requireSignIn } from "../accounts/guards.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { createChangeAction } from "../platform/forms.server.ts";
import { briefSchema, saveBrief } from "../reviews/brief/brief.server.ts";
import { serviceTypes } from "../reviews/rules.ts";

export const middleware = [requireSignIn];

/** The changes that a customer's screens save while they are open. */
const change = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save-brief"),
    service: z.enum(serviceTypes),
    ...briefSchema,
  }),
]);

export const action = createChangeAction(change, ({ context, value: { service, ...brief } }) =>
  saveBrief(context.get(appContext).db, getSignedInActor(context), service, brief),
);
