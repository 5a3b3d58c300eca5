import type { Payments, RefundCall } from "../../../app/payments/payments.server.ts";

/** The connection to the provider: intact, losing answers, or losing calls. */
export type Line = "whole" | "answers are lost" | "calls are lost";

/**
 * An in-memory provider. It accepts each token once, as PayU promises, and any amount, so that tests notice a
 * refund of too much.
 */
export function refundProvider() {
  const accepted = new Map<string, RefundCall & { requestId: string; status: string }>();
  const provider: Pick<Payments, "refund" | "refundStatus"> & {
    line: Line;
    /** Refuses new refunds. */
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
      if (accepted.has(call.token)) return { outcome: "unknown", reason: "Token already exists." };
      if (provider.refuses) return { outcome: "refused", reason: "Invalid amount" };
      const requestId = String(131278422 + accepted.size);
      accepted.set(call.token, { ...call, requestId, status: "queued" });
      return provider.line === "whole" ? { outcome: "queued", requestId } : unknown;
    },

    async refundStatus({ paymentId, token }) {
      if (provider.line === "calls are lost") return unknown;
      const found = accepted.get(token);
      if (!found || found.paymentId !== paymentId) return { outcome: "not found" };
      const { requestId, status } = found;
      if (status === "success") return { outcome: "settled", requestId };
      if (status === "failure") return { outcome: "failed", requestId, reason: "failure" };
      return { outcome: "queued", requestId };
    },

    end(status) {
      for (const one of accepted.values()) if (one.status === "queued") one.status = status;
    },

    goneOf(paymentId) {
      const own = [...accepted.values()].filter((one) => one.paymentId === paymentId);
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
