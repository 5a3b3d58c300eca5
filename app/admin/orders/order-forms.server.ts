import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { payments } from "../../payments/payments.server.ts";
import { longestReason } from "../../payments/refunds/rules.ts";
import { askAboutOrder } from "../../payments/unsettled-orders.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formActions, formIntent, type Posted, succeeded } from "../../platform/forms.server.ts";
import {
  approveAskedRefund,
  declineAskedRefund,
  refundOrder,
} from "../../reviews/refunds/decide-refund.server.ts";
import { refundLooks } from "./order-copy.ts";

/** Which the screen is about. */
const orderId = ({ params }: Pick<Posted, "params">) => params.orderId ?? "";

const outcomes = {
  pending: "It is still pending",
  success: "It is paid and delivered",
  failed: "It has failed",
};

const words = (least: number, missing: string) =>
  z.string().trim().min(least, missing).max(longestReason, `At most ${longestReason} characters`);

const ask = formIntent({
  schema: z.object({}),
  run: (sent) =>
    askAboutOrder(
      sent.context.get(appContext),
      sent.context.get(payments),
      sent.context.get(currentActor),
      orderId(sent),
    ),
  done: ({ status, refund: asked }) =>
    succeeded(asked ? `Its refund: ${refundLooks[asked].label}` : outcomes[status]),
  failed: "Failed to ask about the payment",
});

const refund = formIntent({
  schema: z.object({ reason: words(3, "Say why: the history keeps it") }),
  run(sent) {
    const { db, config } = sent.context.get(appContext);
    const asked = { orderId: orderId(sent), reason: sent.value.reason };
    return refundOrder(db, sent.context.get(currentActor), asked, config);
  },
  done: () => succeeded("The refund is under way, and a mail tells the customer"),
  failed: "Failed to refund the payment",
});

const approve = formIntent({
  schema: z.object({ refundId: z.string(), answer: words(0, "") }),
  run(sent) {
    const { db, config } = sent.context.get(appContext);
    return approveAskedRefund(db, sent.context.get(currentActor), sent.value, config);
  },
  done: () => succeeded("The refund is under way, and a mail tells the customer"),
  failed: "Failed to approve the refund",
});

const decline = formIntent({
  schema: z.object({
    refundId: z.string(),
    answer: words(3, "Say why: the customer gets it by mail"),
  }),
  run(sent) {
    const { db, config } = sent.context.get(appContext);
    return declineAskedRefund(db, sent.context.get(currentActor), sent.value, config);
  },
  done: () => succeeded("The refund is declined, and a mail tells the customer why"),
  failed: "Failed to decline the refund",
});

/** The action of an order's own page. */
export const changeOrder = formActions({
  ask,
  refund,
  "approve-refund": approve,
  "decline-refund": decline,
});
