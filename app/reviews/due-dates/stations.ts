/** The way of an order for a review; safe for the browser. */
import type { MailStation } from "../../mail/mail-layout.tsx";
import { formatMonthDay, formatShortDate, formatYear } from "../../platform/clock.ts";
import type { Station } from "../../ui/layout/station-line.tsx";
import {
  type DueView,
  formatDueMoment,
  getEffectiveDueAt,
  type Promised,
  toDueView,
} from "./due-dates.ts";

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

/**
 * Lists the same stations for an email, with the dates that the customer's screens show.
 *
 * @param review.createdAt when it was paid
 * @param moment when the email is written; for a completed review, when it was completed
 */
export function listMailStations(
  review: Promised & { createdAt: Date },
  moment: Date,
): { stations: MailStation[]; isLate: boolean } {
  const { status, createdAt } = review;
  const formatDay = (date: Date) =>
    formatYear(date) === formatYear(moment) ? formatMonthDay(date) : formatShortDate(date);
  const dueAt = getEffectiveDueAt(review);
  const promised = dueAt ? `by ${formatDueMoment(dueAt, moment)}` : undefined;
  const details = [
    `on ${formatDay(createdAt)}`,
    undefined,
    status === "completed" ? `on ${formatDay(moment)}` : promised,
  ];
  const { stations, isLate } = listStations({ status, due: toDueView(review, moment) });
  return {
    stations: stations.map((station, index) => ({ ...station, detail: details[index] })),
    isLate,
  };
}
