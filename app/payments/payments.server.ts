import { createContext } from "react-router";
import type { PayuSettings } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import type { Station } from "../ui/layout/station-line.tsx";
import type { Verification } from "./payu.server.ts";

/** A paid order, as passed to `deliver`. */
export type PaidOrder = {
  orderId: string;
  buyerId: string | null;
  purpose: unknown;
  settledAt: Date;
};

/** A fact about a purchase that only its buyer sees. */
export type PurchaseFact = {
  name: string;
  words: string;
  /** The way of the purchase until it is delivered. */
  way: { stations: Station[]; isLate: boolean };
};

/** A refund as PayU knows it. */
export type RefundCall = {
  /** PayU's id of the payment. */
  paymentId: string;
  /** Our own id, at most 23 characters. PayU refunds each token once. */
  token: string;
  amountPaise: number;
};

/** The result of a refund call. Only "refused" means that PayU surely didn't accept it. */
export type RefundAnswer =
  | { outcome: "queued"; requestId: string | null }
  | { outcome: "refused"; reason: string }
  | { outcome: "unknown"; reason: string };

/** PayU's state of an earlier refund call. */
export type RefundStatus =
  | { outcome: "queued" | "settled"; requestId: string | null }
  | { outcome: "failed"; requestId: string | null; reason: string }
  | { outcome: "not found" }
  | { outcome: "unknown"; reason: string };

/** The parts that payments need: the provider, and the effects of a settled order. */
export type Payments = {
  settings: PayuSettings;
  /** Asks the provider for a transaction's status. Never called inside a database transaction. */
  verify(txnId: string): Promise<Verification>;
  /** Asks the provider for a refund. Never called inside a database transaction. */
  refund(call: RefundCall): Promise<RefundAnswer>;
  /** Asks the provider for a refund's status. Never called inside a database transaction. */
  refundStatus(call: RefundCall & { requestId: string | null }): Promise<RefundStatus>;
  /**
   * Delivers the purchase in the transaction that settles the order (server/services/deliver-purchase.ts).
   * Payments doesn't know what was bought.
   */
  deliver(tx: Database, order: PaidOrder): Promise<void>;
  /** Returns details of a delivered purchase for the buyer's result page. */
  describe(db: Database, order: Pick<PaidOrder, "orderId" | "purpose">): Promise<PurchaseFact[]>;
};

/** For screens: `context.get(payments)` */
export const payments = createContext<Payments>();
