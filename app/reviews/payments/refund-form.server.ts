import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { decidedWithin, refundTakes } from "../../payments/refunds/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { hour } from "../../platform/clock.ts";
import { formIntent, succeeded } from "../../platform/forms.server.ts";
import { askForRefund } from "../refunds/ask-for-refund.server.ts";

const said = {
  approved: { title: "Your money is on its way back", description: `It takes ${refundTakes}.` },
  asked: { title: "Asked for", description: `We decide within ${decidedWithin / hour} hours.` },
} as const;

/** Takes back the money of a payment, or asks for it; which of both the terms say. */
export const refundForm = formIntent({
  schema: z.object({ orderId: z.string(), reason: z.string() }),
  run({ context, value: { orderId, reason } }) {
    const { db, config } = context.get(appContext);
    return askForRefund(db, context.get(currentActor), orderId, reason, config);
  },
  done: (became) => succeeded({ kind: "success", ...said[became] }),
  failed: "No money went back",
});
