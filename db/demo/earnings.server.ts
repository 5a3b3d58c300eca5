import { and, eq, isNotNull } from "drizzle-orm";
import { recordAuditEvents } from "../../app/platform/audit.server.ts";
import { day } from "../../app/platform/clock.ts";
import type { ReviewPrices } from "../../app/platform/config.server.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { getMonthAway, parseMonth } from "../../app/platform/months.ts";
import { listMonthSums } from "../../app/review-staff/earnings/earnings.server.ts";
import { payouts } from "../../app/review-staff/earnings/tables.server.ts";
import { serviceTypes } from "../../app/reviews/rules.ts";
import { reviewAssignments } from "../../app/reviews/tables.server.ts";
import { demoPeople } from "./people.ts";
import type { DemoIds } from "./reviews.server.ts";

/** Gives each submitted review its fee, and pays every month but the last one that is over. */
export async function loadDemoEarnings(
  tx: Database,
  ids: DemoIds,
  fees: ReviewPrices | null,
): Promise<void> {
  if (!fees) return;
  for (const type of serviceTypes)
    await tx
      .update(reviewAssignments)
      .set({ feePaise: fees[type] })
      .where(
        and(eq(reviewAssignments.serviceType, type), isNotNull(reviewAssignments.completedAt)),
      );
  const gita = { id: ids.get("gita")!, fullName: getName("gita") };
  const until = getMonthAway(parseMonth(null), -1).start;
  for (const { reviewerId, month, paise } of await listMonthSums(tx, { until })) {
    const recordedAt = new Date(parseMonth(month).end.getTime() + 4.5 * day);
    const paidOn = `${getMonthAway(parseMonth(month), 1).key}-05`;
    const payout = { month, paise, paidOn, reference: `UTR${paidOn.replaceAll("-", "")}` };
    await tx.insert(payouts).values({ reviewerId, ...payout, recordedBy: gita.id, recordedAt });
    const subject = { type: "user", id: reviewerId };
    await recordAuditEvents(tx, [
      { actor: gita, event: "payout.record", subject, after: payout, at: recordedAt },
    ]);
  }
}

const getName = (key: string) => demoPeople.find((person) => person.key === key)!.fullName;
