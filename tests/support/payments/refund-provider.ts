import type { Payments, RefundCall } from "../../../app/payments/payments.server.ts";

/** The provider's answers: delivered, lost after the work, or lost before it. */
export type Line = "whole" | "answers are lost" | "calls are lost";

/**
 * A provider that only remembers what it accepted: each token once, as PayU promises, and any amount, so that
 * asking for too much succeeds.
 */
export function refundProvider() {
  const taken = new Map<string, RefundCall & { requestId: string; status: string }>();
  const provider: Pick<Payments, "refund" | "refundStatus"> & {
    line: Line;
    /** Refuses what is new. */
    refuses: boolean;
    /** Ends the queued refunds. */
    end(status: "success" | "failure"): void;
    /** Returns the accepted refunds of a payment that have not failed. */
    goneOf(paymentId: string): { paise: number; settled: number; open: number };
  } = {
    line: "whole",
    refuses: false,

    async refund(call) {
      if (provider.line === "calls are lost") return unknown;
      if (taken.has(call.token)) return { outcome: "unknown", reason: "Token already exists." };
      if (provider.refuses) return { outcome: "refused", reason: "Invalid amount" };
      const requestId = String(131278422 + taken.size);
      taken.set(call.token, { ...call, requestId, status: "queued" });
      return provider.line === "whole" ? { outcome: "queued", requestId } : unknown;
    },

    async refundStatus({ paymentId, token }) {
      if (provider.line === "calls are lost") return unknown;
      const found = taken.get(token);
      if (!found || found.paymentId !== paymentId) return { outcome: "not found" };
      const { requestId, status } = found;
      if (status === "success") return { outcome: "settled", requestId };
      if (status === "failure") return { outcome: "failed", requestId, reason: "failure" };
      return { outcome: "queued", requestId };
    },

    end(status) {
      for (const one of taken.values()) if (one.status === "queued") one.status = status;
    },

    goneOf(paymentId) {
      const own = [...taken.values()].filter((one) => one.paymentId === paymentId);
      const going = own.filter(({ status }) => status !== "failure");
      return {
        paise: going.reduce((sum, { amountPaise }) => sum + amountPaise, 0),
        settled: own.filter(({ status }) => status === "success").length,
        open: own.filter(({ status }) => status === "queued").length,
      };
    },
  };
  return provider;
}

const unknown = { outcome: "unknown", reason: "no answer" } as const;
