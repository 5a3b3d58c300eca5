/** The way of an order for a review; safe for the browser. */
import type { Station } from "../../ui/layout/station-line.tsx";
import type { DueView } from "./due-dates.ts";

/**
 * Lists the stations of a paid review: paid, with a reviewer, ready.
 *
 * @param due null for a review without a due date, and for a completed one
 */
export function listStations({ status, due }: { status: string; due: DueView | null }): {
  stations: Station[];
  isLate: boolean;
} {
  const reached = { pending: 0, under_review: 1, completed: 2 }[status] ?? 0;
  const isReady = status === "completed";
  return {
    stations: ["Paid", "With a reviewer", "Ready"].map((label, index) => ({
      label,
      state: index < reached || isReady ? "passed" : index === reached ? "current" : "ahead",
    })),
    isLate: due?.isOverdue ?? false,
  };
}
