import { and, gt, isNotNull } from "drizzle-orm";
import { countAnswersOnTime } from "../../annotations/follow-up/answer-figures.server.ts";
import { countDecisions } from "../../checks/removed/list-removals.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { getRefundFigures } from "../../payments/refunds/refund-figures.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, readSparingly } from "../../platform/database.server.ts";
import { getRecentServiceFigures } from "../../reviews/due-dates/due-dates.server.ts";
import { figuresFor } from "../../reviews/rules.ts";
import { countMetDeadlines } from "../../support/answer/deadlines.server.tsx";

export type TrustFigures = Awaited<ReturnType<typeof countTrustFigures>>;

/** Returns how often the promises of the last 90 days were met, at most a minute old. */
export function getTrustFigures(db: Database): Promise<TrustFigures> {
  return readSparingly(db, "trust figures", () => countTrustFigures(db));
}

async function countTrustFigures(db: Database) {
  const since = new Date(now().getTime() - figuresFor);
  const isChecked = and(isNotNull(jobs.checkedAt), gt(jobs.checkDueAt, now()));
  const [reviews, questions, refunds, complaints, reports, openJobs, checkedJobs] =
    await Promise.all([
      getRecentServiceFigures(db),
      countAnswersOnTime(db, since),
      getRefundFigures(db, since),
      countMetDeadlines(db, "complaint"),
      countDecisions(db, since),
      db.$count(jobs, isOpen),
      db.$count(jobs, and(isOpen, isChecked)),
    ]);
  return {
    reviews: { inTime: reviews.onTime, total: reviews.completed },
    questions,
    refunds,
    complaints: complaints.settled,
    reports,
    listings: { inTime: checkedJobs, total: openJobs },
  };
}
