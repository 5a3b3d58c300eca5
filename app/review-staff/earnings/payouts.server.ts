import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import { formatDecimalRupees, formatRupees } from "../../payments/money.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import {
  formatMonthOfYear,
  formatShortDate,
  getDayStart,
  now,
  toIsoDay,
} from "../../platform/clock.ts";
import { formatCsv } from "../../platform/csv.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { type Month, parseMonth } from "../../platform/months.ts";
import { lockReview } from "../../reviews/locks.server.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { type Earnings, getEarnings, listMonthSums } from "./earnings.server.ts";
import { buildMonths, type EarnedMonth, isOver } from "./fees.ts";
import { findPanDate } from "./pan.server.ts";
import { payouts } from "./tables.server.ts";

/** A current or former reviewer. `name` is null for a closed account. */
type Payee = { id: string; name: string | null; email: string | null };

export type PayeeMonth = EarnedMonth & { payee: Payee };

/** Lists what reviewers earned in a month, by name. Former reviewers and closed accounts stay in the list. */
export async function listPayeeMonths(
  db: Database,
  actor: Actor | null,
  month: Month,
): Promise<PayeeMonth[]> {
  authorize(actor, "payout.manage");
  const sums = await listMonthSums(db, { until: month.end });
  const paid = await db.select().from(payouts);
  const isOf = (id: string) => (one: { reviewerId: string }) => one.reviewerId === id;
  const ids = new Set([...sums, ...paid].map(({ reviewerId }) => reviewerId));
  const earlier = paid.filter(({ month: key }) => key <= month.key);
  const rows = [...ids].map((id) => {
    const months = buildMonths(sums.filter(isOf(id)), earlier.filter(isOf(id)), month.key);
    return { id, ...months.at(-1)! };
  });
  const listed = rows.filter(
    ({ reviews, paise, duePaise, payout }) => reviews || paise || duePaise || payout,
  );
  const payees = await listPayees(
    db,
    listed.map(({ id }) => id),
  );
  return listed
    .map(({ id, ...row }) => ({ ...row, payee: payees.find((payee) => payee.id === id)! }))
    .toSorted((one, other) => comparePayees(one.payee, other.payee));
}

function comparePayees(one: Payee, other: Payee): number {
  return `${one.name ?? ""} ${one.id}`.localeCompare(`${other.name ?? ""} ${other.id}`, "en");
}

async function listPayees(db: Database, ids: string[]): Promise<Payee[]> {
  const rows = await db
    .select({
      id: users.id,
      name: profiles.fullName,
      email: users.email,
      closedAt: users.closedAt,
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(inArray(users.id, ids));
  return rows.map(({ id, name, email, closedAt }) =>
    closedAt ? { id, name: null, email: null } : { id, name: name?.trim() || email, email },
  );
}

type PayeeDetails = Earnings & {
  payee: Payee;
  /** When they gave their PAN; null without one. */
  panSavedAt: Date | null;
  /** The refunded reviews of the month whose fee can be taken back. */
  refundedIds: string[];
};

/**
 * Returns the earnings of one reviewer.
 *
 * @throws {NotFound} for a person without fees.
 */
export async function getPayee(
  db: Database,
  actor: Actor | null,
  reviewerId: string,
  month: Month,
): Promise<PayeeDetails> {
  authorize(actor, "payout.manage");
  const [payee] = isUuid(reviewerId) ? await listPayees(db, [reviewerId]) : [];
  if (!payee) throw new NotFound();
  const earnings = await getEarnings(db, reviewerId, month);
  if (earnings.months.length === 0) throw new NotFound();
  const refunded = await db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .innerJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .where(
      and(
        inArray(
          serviceReviews.id,
          earnings.lines.map(({ reviewId }) => reviewId),
        ),
        isNotNull(serviceReviews.withdrawnAt),
        isNull(reviewAssignments.feeTakenBackAt),
      ),
    );
  return {
    ...earnings,
    payee,
    panSavedAt: await findPanDate(db, reviewerId),
    refundedIds: refunded.map(({ id }) => id),
  };
}

type PayoutForm = {
  reviewerId: string;
  /** "2026-11" */
  month: string;
  /** The sum that the form showed. */
  paise: number;
  /** The day of the transfer. */
  paidOn: string;
  reference: string;
};

/**
 * Records that a reviewer was paid for a month that is over. Recording the same again changes nothing.
 *
 * @throws {Invalid} for a day before the month ended, or in the future.
 * @throws {Conflict} before the month is over, if another sum is due, or if another payout is recorded.
 */
export async function recordPayout(
  db: Database,
  actor: Actor | null,
  form: PayoutForm,
): Promise<void> {
  authorize(actor, "payout.manage");
  const { reviewerId, month: monthKey, paise, paidOn, reference } = form;
  if (!isUuid(reviewerId)) throw new NotFound();
  const month = parseMonth(monthKey);
  if (month.key !== monthKey || !isOver(month, now()))
    throw new Conflict("This month isn't over yet.");
  const [first, last] = [toIsoDay(month.end), toIsoDay(now())];
  if (!isDay(paidOn) || paidOn < first || paidOn > last)
    throw new Invalid({
      paidOn: `Enter a day from ${formatShortDate(month.end)} to ${formatShortDate(now())}`,
    });
  await db.transaction(async (tx) => {
    const stored = { reviewerId, month: monthKey, paise, paidOn, reference };
    const isOfMonth = and(eq(payouts.reviewerId, reviewerId), eq(payouts.month, monthKey));
    // The person's row makes two tabs take turns.
    await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, reviewerId))
      .for("no key update");
    const [earlier] = await tx.select().from(payouts).where(isOfMonth);
    if (earlier) {
      if (isSamePayout(earlier, form)) return;
      const { paidOn: day, reference: other } = earlier;
      throw new Conflict(
        `Already recorded as paid on ${formatShortDate(getDayStart(day))}, reference ${other}.`,
      );
    }
    const { month: due } = await getEarnings(tx, reviewerId, month);
    if (due.duePaise !== paise || paise === 0)
      throw new Conflict(`${formatRupees(due.duePaise)} is due for this month. Check it again.`);
    await tx.insert(payouts).values({ ...stored, recordedBy: actor.id, recordedAt: now() });
    await recordAuditEvents(tx, [
      {
        actor,
        event: "payout.record",
        subject: { type: "user", id: reviewerId },
        after: { month: monthKey, paise, paidOn, reference },
      },
    ]);
  });
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function isSamePayout(one: Omit<PayoutForm, "reviewerId" | "month">, other: PayoutForm): boolean {
  return (
    one.paise === other.paise && one.paidOn === other.paidOn && one.reference === other.reference
  );
}

/**
 * Takes back the fee of a refunded review. It is deducted from the current month, even if its own month was paid.
 * Taking it back again changes nothing.
 *
 * @throws {NotFound} for a review without a fee.
 * @throws {Conflict} for a review that wasn't refunded.
 */
export async function withdrawFee(
  db: Database,
  actor: Actor | null,
  { reviewId, reason }: { reviewId: string; reason: string },
): Promise<void> {
  authorize(actor, "payout.manage");
  await db.transaction(async (tx) => {
    const review = await lockReview(tx, reviewId);
    const isOfReview = and(
      eq(reviewAssignments.reviewId, reviewId),
      isNotNull(reviewAssignments.feePaise),
    );
    const [fee] = await tx.select().from(reviewAssignments).where(isOfReview);
    if (!fee) throw new NotFound("This review has no fee");
    if (!review.withdrawnAt)
      throw new Conflict("Only the fee of a refunded review can be taken back.");
    const changed = await tx
      .update(reviewAssignments)
      .set({ feeTakenBackAt: now(), feeTakenBackReason: reason })
      .where(and(isOfReview, isNull(reviewAssignments.feeTakenBackAt)))
      .returning({ id: reviewAssignments.id });
    if (changed.length === 0) return;
    await recordAuditEvents(tx, [
      {
        actor,
        event: "payout.withdraw-fee",
        subject: { type: "review", id: reviewId },
        before: { feePaise: fee.feePaise },
        after: { reason },
      },
    ]);
  });
}

/**
 * Creates the file for the bank: CSV with each unpaid sum of a month that is over.
 *
 * @throws {Conflict} before the month is over.
 */
export async function createPayoutFile(
  db: Database,
  actor: Actor | null,
  month: Month,
): Promise<string> {
  authorize(actor, "payout.manage");
  if (!isOver(month, now())) throw new Conflict("This month isn't over yet.");
  return db.transaction(async (tx) => {
    const rows = await listPayeeMonths(tx, actor, month);
    const unpaid = rows.filter(({ duePaise, payout }) => duePaise > 0 && !payout);
    const subject = { type: "month", id: month.key };
    const after = { payouts: unpaid.length };
    await recordAuditEvents(tx, [{ actor, event: "payout.export", subject, after }]);
    const purpose = `Review fees, ${formatMonthOfYear(month.start)}`;
    return formatCsv([
      ["Name", "Email", "Amount", "Purpose", "ID"],
      ...unpaid.map(({ payee, duePaise }) => [
        payee.name ?? "Closed account",
        payee.email,
        formatDecimalRupees(duePaise),
        purpose,
        payee.id,
      ]),
    ]);
  });
}
