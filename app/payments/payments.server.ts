import { createContext } from "react-router";
import type { PayuSettings } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import type { Verification } from "./payu.server.ts";
import type { RefundAnswer, RefundCall, RefundStatus } from "./refunds/payu-refunds.server.ts";

/** A paid order, for the one who hands over what was bought. */
export type PaidOrder = {
  orderId: string;
  buyerId: string | null;
  purpose: unknown;
  settledAt: Date;
};

/** Something that only the buyer of a paid order is told of what was bought. */
export type PurchaseFact = { name: string; words: string };

/** What payments works with: the provider, and what a settled order causes. */
export type Payments = {
  settings: PayuSettings;
  /** Asks the provider what became of a transaction. Never called inside a database transaction. */
  verify(txnId: string): Promise<Verification>;
  /** Asks the provider to give money back. Never called inside a database transaction. */
  refund(call: RefundCall): Promise<RefundAnswer>;
  /** Asks the provider what became of a refund. Never called inside a database transaction. */
  refundStatus(call: RefundCall & { requestId: string | null }): Promise<RefundStatus>;
  /**
   * Hands over what was bought, in the transaction that settles the order: server/deliver-purchase.ts.
   * Payments does not know what it is.
   */
  deliver(tx: Database, order: PaidOrder): Promise<void>;
  /** Says of what was bought and delivered what its buyer wants to know at once. */
  describe(db: Database, order: Pick<PaidOrder, "orderId" | "purpose">): Promise<PurchaseFact[]>;
};

/** For screens: `context.get(payments)` */
export const payments = createContext<Payments>();
