import { parse } from "csv-parse/sync";
import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { fee } from "../../../tests/support/rows/fees.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { assignedReview } from "../../../tests/support/rows/review-states.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { changeRole } from "../../accounts/bans-and-roles.server.ts";
import { openPdfium, type PdfDocument } from "../../files/inspect/pdfium.server.ts";
import { formatCsv } from "../../platform/csv.server.ts";
import { Conflict, Denied, Invalid, NotFound } from "../../platform/errors.ts";
import { parseMonth } from "../../platform/months.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { createReceiptProcess } from "../../review-customer/payments/receipt-routes.server.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { findCompletedReview } from "../edit/completed-reviews.server.ts";
import { updateReview } from "../edit/edit-review.server.ts";
import { getDraftVersion } from "../workspace/own-review.server.ts";
import { submitReview } from "../workspace/submit-review.server.ts";
import { getOwnEarnings } from "./earnings.server.ts";
import {
  createPayoutFile,
  getPayee,
  listPayeeMonths,
  recordPayout,
  withdrawFee,
} from "./payouts.server.ts";
import { listStatementRows, toStatementDocument } from "./statement.ts";
import { payouts } from "./tables.server.ts";

const { db, asha, meera, kabir, gita } = await testPeople();
const config = testConfig({ FEE_RESUME: "80.10", FEE_PORTFOLIO: "90", FEE_COMBINED: "140" });
const october = parseMonth("2026-10");
const november = parseMonth("2026-11");
/** The last moment of October in India, and the first of November. */
const [last, first] = [new Date("2026-10-31T18:29:59.999Z"), new Date("2026-10-31T18:30:00.000Z")];

const setClock = (moment: string) => {
  vi.useFakeTimers({ now: new Date(moment), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
};

beforeEach(async () => {
  await db.delete(payouts);
  await db.delete(auditEvents);
  await db.delete(serviceReviews);
});

const recordOctober = { month: "2026-10", paidOn: "2026-11-05", reference: "UTR 77" };
const pay = (paise: number, reviewerId = meera.id) =>
  recordPayout(db, gita, { ...recordOctober, reviewerId, paise });
const ownMonth = async (month = november) => (await getOwnEarnings(db, meera, month)).month;
const assignmentOf = async (reviewId: string) =>
  (await db.select().from(reviewAssignments).where(eq(reviewAssignments.reviewId, reviewId)))[0]!;

const submit = async (settings: Pick<typeof config, "reviewFees">) => {
  const reviewId = await assignedReview(db, asha, meera);
  const sent = { reviewId, feedback: "Lead with the work.", version: getDraftVersion(null) };
  await submitReview(db, meera, sent, { ...config, ...settings });
  return reviewId;
};

test("the fee is stored when the review is submitted, and later settings don't change it", async () => {
  const first = await submit(config);
  const raised = testConfig({ FEE_RESUME: "95", FEE_PORTFOLIO: "95", FEE_COMBINED: "95" });
  const second = await submit(raised);
  const third = await submit({ reviewFees: null });
  const stored = await Promise.all([first, second, third].map(assignmentOf));
  expect(stored.map(({ feePaise }) => feePaise)).toEqual([80_10, 95_00, null]);
});

test("editing a completed review changes no fee", async () => {
  const reviewId = await submit(config);
  const { version } = (await findCompletedReview(db, gita, reviewId))!;
  await updateReview(db, gita, {
    reviewId,
    priority: 2,
    feedback: "Lead with the numbers.",
    version,
  });
  expect((await assignmentOf(reviewId)).feePaise).toBe(80_10);
});

test("a month ends at midnight in India, and a financial year on March 31", async () => {
  await fee(db, asha, meera, { at: last, paise: 80_10 });
  await fee(db, asha, meera, { at: first, paise: 90_00 });
  await fee(db, asha, meera, { at: new Date("2027-03-31T18:29:59.999Z"), paise: 1 });
  await fee(db, asha, meera, { at: new Date("2027-03-31T18:30:00.000Z"), paise: 2 });
  const { lines, month } = await getOwnEarnings(db, meera, october);
  expect(lines).toMatchObject([{ at: last, paise: 80_10 }]);
  expect(month).toMatchObject({ paise: 80_10, reviews: 1, duePaise: 80_10 });
  const { years, months } = await getOwnEarnings(db, meera, november);
  expect(years.map(({ year, feesPaise }) => [year, feesPaise])).toEqual([
    ["2027-28", 2],
    ["2026-27", 170_11],
  ]);
  expect(months.map(({ month: key }) => key)).toEqual(["2027-04", "2027-03", "2026-11", "2026-10"]);
});

test("an open month can't be paid", async () => {
  await fee(db, asha, meera, { at: last });
  setClock("2026-10-31T18:29:59.999Z");
  await expect(pay(80_00)).rejects.toThrow(Conflict);
  await expect(createPayoutFile(db, gita, october)).rejects.toThrow(Conflict);
  vi.setSystemTime(first);
  await recordPayout(db, gita, {
    ...recordOctober,
    reviewerId: meera.id,
    paise: 80_00,
    paidOn: "2026-11-01",
  });
  expect(await db.$count(payouts)).toBe(1);
});

test("a payout that is sent twice, also from two tabs, is recorded once", async () => {
  setClock("2026-11-10T00:00:00Z");
  await fee(db, asha, meera, { at: last });
  await Promise.all([pay(80_00), pay(80_00)]);
  await pay(80_00);
  expect(await db.select().from(payouts)).toMatchObject([
    { ...recordOctober, reviewerId: meera.id, paise: 80_00, recordedBy: gita.id },
  ]);
  expect(await db.select().from(auditEvents)).toMatchObject([
    {
      event: "payout.record",
      actorId: gita.id,
      subjectId: meera.id,
      after: { ...recordOctober, paise: 80_00 },
    },
  ]);
  const other = { ...recordOctober, reviewerId: meera.id, paise: 80_00, reference: "UTR 78" };
  await expect(recordPayout(db, gita, other)).rejects.toThrow(/UTR 77/);
  expect(await db.$count(payouts)).toBe(1);
});

test("only the sum that is due, and a day after the month, can be recorded", async () => {
  setClock("2026-11-10T00:00:00Z");
  await fee(db, asha, meera, { at: last });
  await expect(pay(79_99)).rejects.toThrow(/₹80 is due/);
  await expect(pay(0, kabir.id)).rejects.toThrow(Conflict);
  for (const paidOn of ["2026-10-31", "2026-11-11", "2026-11-31x", ""])
    await expect(
      recordPayout(db, gita, { ...recordOctober, reviewerId: meera.id, paise: 80_00, paidOn }),
    ).rejects.toThrow(Invalid);
  await expect(pay(80_00, "none")).rejects.toThrow(NotFound);
  expect(await db.$count(payouts)).toBe(0);
});

test("a refunded review keeps its fee until an admin takes it back with a reason", async () => {
  setClock("2026-10-20T00:00:00Z");
  const at = new Date("2026-10-10T00:00:00Z");
  const refunded = await fee(db, asha, meera, { at, refundedAt: at });
  const delivered = await fee(db, asha, meera, { at });
  expect(await ownMonth(october)).toMatchObject({ paise: 160_00, reviews: 2 });
  const { refundedIds } = await getPayee(db, gita, meera.id, october);
  expect(refundedIds).toEqual([refunded]);
  const reason = "Copied from another review.";
  await expect(withdrawFee(db, gita, { reviewId: delivered, reason })).rejects.toThrow(Conflict);
  await withdrawFee(db, gita, { reviewId: refunded, reason });
  await withdrawFee(db, gita, { reviewId: refunded, reason: "Again." });
  expect(await ownMonth(october)).toMatchObject({ paise: 80_00, duePaise: 80_00 });
  expect(await assignmentOf(refunded)).toMatchObject({
    feePaise: 80_00,
    feeTakenBackReason: reason,
  });
  expect(await db.select().from(auditEvents)).toMatchObject([
    { event: "payout.withdraw-fee", before: { feePaise: 80_00 }, after: { reason } },
  ]);
});

test("a fee that is taken back after its payout is a negative line of the current month", async () => {
  const october10 = new Date("2026-10-10T00:00:00Z");
  const refunded = await fee(db, asha, meera, { at: october10, refundedAt: october10 });
  setClock("2026-11-10T00:00:00Z");
  await pay(80_00);
  await withdrawFee(db, gita, { reviewId: refunded, reason: "Copied." });
  const paid = await getOwnEarnings(db, meera, october);
  expect(paid.month).toMatchObject({ paise: 80_00, payout: { paise: 80_00 } });
  const { month, lines } = await getOwnEarnings(db, meera, november);
  expect(lines).toMatchObject([{ reviewId: refunded, paise: -80_00, reason: "Copied." }]);
  expect(month).toMatchObject({ paise: -80_00, duePaise: 0, reviews: 0 });

  await fee(db, asha, meera, { at: new Date("2026-12-10T00:00:00Z"), paise: 90_00 });
  expect(await ownMonth(parseMonth("2026-12"))).toMatchObject({
    carriedPaise: -80_00,
    duePaise: 10_00,
  });
});

test("a person who is no longer a reviewer is still paid", async () => {
  const former = await person(db, "Nila Former", { roles: ["reviewer"] });
  await fee(db, asha, former, { at: last });
  await changeRole(db, former.email, "reviewer", "revoke");
  setClock("2026-11-10T00:00:00Z");
  expect(await listPayeeMonths(db, gita, october)).toMatchObject([
    { payee: { id: former.id, name: "Nila Former" }, duePaise: 80_00, payout: null },
  ]);
  await pay(80_00, former.id);
  const { month } = await getPayee(db, gita, former.id, october);
  expect(month.payout).toMatchObject({ paise: 80_00 });
  await expect(getOwnEarnings(db, { ...former, isReviewer: false }, october)).rejects.toThrow(
    Denied,
  );
});

test("the bank's file has each unpaid sum to the paisa, and its download is in the audit log", async () => {
  setClock("2026-11-10T00:00:00Z");
  for (const paise of [80_10, 90_00, 1]) await fee(db, asha, kabir, { at: last, paise });
  await fee(db, asha, meera, { at: last });
  await fee(db, asha, meera, { at: first });
  await pay(80_00);
  await db.delete(auditEvents);
  const rows: Record<string, string>[] = parse(await createPayoutFile(db, gita, october), {
    bom: true,
    columns: true,
  });
  expect(rows).toEqual([
    {
      Name: "Kabir Shah",
      Email: kabir.email,
      Amount: "170.11",
      Purpose: "Review fees, October 2026",
      ID: kabir.id,
    },
  ]);
  expect(await db.select().from(auditEvents)).toMatchObject([
    { event: "payout.export", subjectId: "2026-10", after: { payouts: 1 } },
  ]);
});

const receipts = createReceiptProcess();
afterAll(() => receipts.close());

test("a statement has each fee, the deduction, the sum and who decides about tax", async () => {
  setClock("2026-11-10T00:00:00Z");
  const refunded = await fee(db, asha, meera, { at: last, refundedAt: last });
  await withdrawFee(db, gita, { reviewId: refunded, reason: "Copied." });
  for (const paise of [80_10, 140_00]) await fee(db, asha, meera, { at: first, paise });
  const earnings = await getOwnEarnings(db, meera, november);
  const { product } = config;
  const content = toStatementDocument(product, meera, november, earnings);
  expect(content.amounts.at(-1)).toEqual({ label: "Due", amount: "₹140.10", isTotal: true });
  const pdf = await receipts.make(content, meera.id);
  const document = (await openPdfium()).open(pdf) as PdfDocument;
  const text = document.openPage(0)!.text().text.replaceAll(/\s+/g, " ");
  for (const part of [
    "November 2026",
    "Meera Iyer",
    "Nov 1, 2026: Resume Review",
    "taken back: Copied.",
    "-₹80",
    "₹140.10",
    "withholds no tax",
  ])
    expect(text).toContain(part);

  const rows: string[][] = parse(formatCsv(listStatementRows(earnings)), { bom: true });
  const sums = rows.slice(1, -1).map(([, , , fees, deduction]) => Number(fees) - Number(deduction));
  expect(sums.reduce((sum, one) => sum + one, 0).toFixed(2)).toBe("140.10");
  expect(rows.at(-1)).toEqual(["", "Due", "", "140.10", "", ""]);
  expect(rows.flat().join()).not.toContain("Asha");
});
