import { countNoun } from "../../platform/count-noun.ts";
import { minCasesForFigures } from "../../reviews/due-dates/due-dates.ts";
import { formatHours, formatShare } from "../../reviews/rating/rules.ts";
import type { TrustFigures } from "./trust-figures.server.ts";

/** A figure of the page. */
export type Figure = {
  name: string;
  /** Null with too few cases. */
  value: string | null;
  about: string;
};

/** Describes the figures for the page, each only with enough cases. */
export function describeFigures(figures: TrustFigures): Figure[] {
  const { reviews, questions, refunds, complaints, reports, listings } = figures;
  const share = ({ inTime, total }: { inTime: number; total: number }) =>
    total < minCasesForFigures ? null : formatShare(inTime, total)!;
  return [
    {
      name: "Reviews on time",
      value: share(reviews),
      about:
        "Delivered by the first time that we promised, counted from payment. Refunded reviews aren't counted.",
    },
    {
      name: "Questions answered on time",
      value: share(questions),
      about:
        "Questions after a review, answered within 48 hours. One that is still open after that counts as late.",
    },
    {
      name: "Refunds",
      value:
        refunds.settled < minCasesForFigures
          ? null
          : `Half within ${formatHours(Math.ceil(refunds.medianHours ?? 0))}`,
      about: "From the request until PayU reports that the money was returned.",
    },
    {
      name: "Complaints settled within a month",
      value: share(complaints),
      about:
        "Counted from the day of the complaint. One that is still open after a month counts as late.",
    },
    {
      name: "Reported listings",
      value:
        reports.decided < minCasesForFigures
          ? null
          : `${countNoun(reports.removed, "listing")} removed of ${reports.decided}`,
      about: "Listings that people reported and that we decided about.",
    },
    {
      name: "Listings confirmed as open",
      value: share(listings),
      about:
        "Jobs on the board today that our team or their contact confirmed, and whose next check isn't due.",
    },
  ];
}
