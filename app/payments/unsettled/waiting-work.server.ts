import { eq } from "drizzle-orm";
import { authorize } from "../../accounts/permissions.server.ts";
import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { countUpTo } from "../../platform/lists/list.server.ts";
import { refunds } from "../refunds/tables.server.ts";
import { countOrdersToResolve } from "./unsettled-orders.server.ts";

export const refundsToDecide: WaitingWork = {
  name: "refunds",
  one: "refund request to decide",
  several: "refund requests to decide",
  action: "Decide",
  to: "/admin/orders?state=refund-asked",
  async count(db, actor) {
    authorize(actor, "order.refund");
    return countUpTo(db, refunds, eq(refunds.state, "asked"));
  },
};

/** Payments that need a decision other than on a requested refund. */
export const paymentsToResolve: WaitingWork = {
  name: "payments",
  one: "payment to resolve",
  several: "payments to resolve",
  action: "Resolve",
  to: "/admin/payments",
  async count(db, actor) {
    authorize(actor, "order.look-into");
    return countOrdersToResolve(db);
  },
};
