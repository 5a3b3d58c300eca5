import { eq } from "drizzle-orm";
import type { Database } from "../../../app/platform/database.server.ts";
import { getMonthAway, parseMonth } from "../../../app/platform/months.ts";
import { savePan } from "../../../app/review-staff/earnings/pan.server.ts";
import { reviewAssignments, serviceReviews } from "../../../app/reviews/tables.server.ts";
import { testConfig } from "../product/config.ts";
import { person } from "./people.ts";
import { completedReview } from "./review-states.ts";

/** The month before the current one. */
export const lastMonth = () => getMonthAway(parseMonth(null), -1);

type Fee = {
  at: Date;
  paise?: number;
  /** The time of the review's refund. */
  refundedAt?: Date;
};

/** Creates a submitted review with its fee. @returns the review's id */
export async function fee(
  db: Database,
  buyer: { id: string },
  reviewer: { id: string },
  { at, paise = 80_00, refundedAt }: Fee,
): Promise<string> {
  const id = await completedReview(db, buyer, reviewer, { createdAt: at });
  await db
    .update(reviewAssignments)
    .set({ completedAt: at, feePaise: paise })
    .where(eq(reviewAssignments.reviewId, id));
  if (refundedAt)
    await db
      .update(serviceReviews)
      .set({ withdrawnAt: refundedAt })
      .where(eq(serviceReviews.id, id));
  return id;
}

/** The PAN of test people, in the format of a person's. */
export const testPan = "ABCPD1234E";

/** Creates a reviewer with a PAN and the unpaid fee of a refunded review of the last month. */
export async function feeToPay(db: Database) {
  const reviewer = await person(db, "Spare Reviewer", { roles: ["reviewer"] });
  const buyer = await person(db, "Spare Customer");
  const { key, start } = lastMonth();
  const reviewId = await fee(db, buyer, reviewer, { at: start, refundedAt: start });
  await savePan({ db, config: testConfig() }, reviewer, testPan);
  return { reviewerId: reviewer.id, reviewId, month: key, paise: 80_00 };
}
