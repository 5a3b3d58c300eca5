import { eq } from "drizzle-orm";
import { authorize } from "../../accounts/permissions.server.ts";
import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { countUpTo } from "../../platform/lists/list.server.ts";
import { refunds } from "../refunds/tables.server.ts";
import { countOthersToResolve } from "./orders-to-resolve.server.ts";

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

/** Orders to resolve, without those whose requested refund has to be decided first. */
export const ordersToResolve: WaitingWork = {
  name: "payments",
  one: "payment to resolve",
  several: "payments to resolve",
  action: "Resolve",
  to: "/admin/payments",
  async count(db, actor) {
    authorize(actor, "order.resolve");
    return countOthersToResolve(db);
  },
};
