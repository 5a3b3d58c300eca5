import { useEffect, useState } from "react";
import { useFetcher } from "react-router";

/** How a payment stands, as the result screen learns it. */
export type PaymentResult =
  | {
      status: "pending" | "success" | "failed";
      txnId: string;
      amountPaise: number;
      /** Only its buyer learns where to try again. */
      retryPath: string | null;
      signedIn: boolean;
    }
  /** There is no such order, or too many were asked for. */
  | { status: "unknown"; txnId: string | null }
  /** It could not be read this time. */
  | { status: "unread"; txnId: string | null };

const firstCheckAfter = 500;
const nextCheckAfter = 2000;
const patience = 10_000;

/**
 * Loads the result at `address` again and again while it is open, for about ten seconds.
 *
 * @returns null as long as it may still turn out; then what was last learnt.
 */
export function useWatchedResult(address: string): PaymentResult | null {
  const { load, state, data } = useFetcher<PaymentResult>();
  const [patient, setPatient] = useState(true);
  const open = !data || data.status === "pending" || data.status === "unread";

  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), patience);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    if (!open || !patient || state !== "idle") return undefined;
    const timer = setTimeout(() => void load(address), data ? nextCheckAfter : firstCheckAfter);
    return () => clearTimeout(timer);
  }, [open, patient, state, data, load, address]);

  if (data && !open) return data;
  return patient ? null : (data ?? { status: "unread", txnId: null });
}
