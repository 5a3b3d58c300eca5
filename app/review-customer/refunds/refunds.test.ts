import { expect, onTestFinished, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { eventsOf } from "../../../tests/support/payments/payments.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { type Bought, order, paidReview, refundsOf } from "../../../tests/support/rows/refunds.ts";
import { reviewRow } from "../../../tests/support/rows/review-states.ts";
import { setBan, tomorrow } from "../../../tests/support/rows/admin-things.ts";
import {
  countOrdersToResolve,
  listOrdersToResolve,
} from "../../payments/resolve/orders-to-resolve.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { assignReviews } from "../../review-staff/assign/assign-reviews.server.ts";
import { countReviews, listPendingReviews } from "../../review-staff/assign/lists.server.ts";
import { listReviewerFigures } from "../../reviews/rating/rating.server.ts";
import { findOwnReview } from "../result/own-reviews.server.ts";
import { findOpenShare } from "../../annotations/share/find-shares.server.ts";
import { createShare } from "../../annotations/share/shares.server.ts";
import { getDraftVersion } from "../../review-staff/workspace/own-review.server.ts";
import { submitReview } from "../../review-staff/workspace/submit-review.server.ts";
import {
  approveRequestedRefund,
  requestRefund,
  declineRequestedRefund,
  listRefundTerms,
  refundOrder,
} from "./refunds.server.ts";

const config = testConfig();
const { db, ...who } = await testPeople();
const theirs = { buyer: who.asha, reviewer: who.meera };

const bought = (state: Bought, completedAt?: Date) =>
  paidReview(db, theirs, { state, ...(completedAt && { completedAt }) });
const ask = (orderId: string, reason = "", actor = who.asha) =>
  requestRefund(db, actor, orderId, reason, config);
const refund = (orderId: string) =>
  refundOrder(db, who.gita, { orderId, reason: "Paid by mistake" }, config);

test.each([
  ["pending", "not begun"],
  ["overdue", "overdue"],
  ["overdue, assigned", "overdue"],
] as const)("a review that is %s is refunded immediately, as %s", async (state, grounds) => {
  const { orderId, reviewId } = await bought(state);
  expect(await ask(orderId)).toBe("approved");
  const [made, ...others] = await refundsOf(db, orderId);
  expect(others).toEqual([]);
  expect(made).toMatchObject({
    state: "approved",
    grounds,
    amountPaise: 19900,
    reason: null,
    askedBy: who.asha.id,
    decidedBy: null,
    token: expect.stringMatching(/^R_[A-Z0-9]{8}\d{13}$/),
  });
  expect(made!.nextCheckAt).toEqual(made!.decidedAt);
  const { review, assignment } = await reviewRow(db, reviewId);
  expect(review).toMatchObject({ status: "pending", withdrawnAt: expect.any(Date) });
  expect(assignment).toBeNull();
  expect(await eventsOf(db, orderId)).toEqual([
    { source: "refund", said: grounds, outcome: "approved" },
  ]);
  const mail = (await mailsTo(db, who.asha.email)).find(
    ({ subject }) => subject === "Your refund of ₹199 is on its way",
  );
  // A refunded order has no way to go, as on the profile.
  expect(mail!.text).not.toContain("With a reviewer");
});

test("the reviewer of a refunded review is notified, and cannot submit it any more", async () => {
  const { orderId, reviewId } = await bought("overdue, assigned");
  await ask(orderId);
  expect(await mailsTo(db, who.meera.email)).toContainEqual(
    expect.objectContaining({ subject: expect.stringContaining("no longer yours") }),
  );
  await expect(submit(reviewId)).rejects.toThrow("This review is no longer open to you.");
});

test("a review in progress that is not late is not refunded", async () => {
  const { orderId, reviewId } = await bought("assigned");
  await expect(ask(orderId, "Too slow")).rejects.toThrow("A reviewer has started.");
  expect((await reviewRow(db, reviewId)).assignment).not.toBeNull();
});

test("a requested refund is emailed to support when no god admin can sign in", async () => {
  const { orderId } = await bought("completed");
  await setBan(db, who.gita.id, tomorrow());
  onTestFinished(async () => {
    await setBan(db, who.gita.id, null);
  });
  await ask(orderId, "It is about another resume.");
  const subject = `Refund requested for order ${orderId}`;
  const [toDecide] = await mailsTo(db, config.product.supportEmail);
  expect(toDecide).toMatchObject({ subject });
  expect(await mailsTo(db, who.gita.email)).not.toContainEqual(
    expect.objectContaining({ subject }),
  );
});

test("a delivered review can be refunded within two days, with a reason and an admin's decision", async () => {
  const { orderId, reviewId } = await bought("completed");
  await expect(ask(orderId)).rejects.toThrow(Invalid);
  expect(await ask(orderId, "It is about another resume.")).toBe("asked");
  const [toDecide] = await mailsTo(db, who.gita.email);
  expect(toDecide!.subject).toBe(`Refund requested for order ${orderId}`);
  expect(toDecide!.text).toContain("It is about another resume.");
  expect(await mailsTo(db, config.product.supportEmail)).not.toContainEqual(
    expect.objectContaining({ subject: toDecide!.subject }),
  );
  const [made] = await refundsOf(db, orderId);
  expect(made).toMatchObject({ state: "asked", grounds: "delivered", nextCheckAt: null });
  expect((await reviewRow(db, reviewId)).review.withdrawnAt).toBeNull();
  expect(await listOrdersToResolve(db, 10)).toContainEqual(
    expect.objectContaining({ orderId, why: expect.stringMatching(/^Refund requested/) }),
  );

  const late = await bought("completed", new Date(now().getTime() - 2 * day - hour));
  await expect(ask(late.orderId, "Late")).rejects.toThrow("within 2 days of delivery");
});

test("an approved refund is sent; the review stays readable, and its share link is closed", async () => {
  const { orderId, reviewId } = await bought("completed");
  await createShare(db, who.asha, { reviewId, hidden: [], withFeedback: false });
  await ask(orderId, "It is about another resume.");
  const refundId = (await refundsOf(db, orderId))[0]!.id;
  await approveRequestedRefund(db, who.gita, { refundId, answer: "" }, config);
  expect((await refundsOf(db, orderId))[0]).toMatchObject({
    state: "approved",
    decidedBy: who.gita.id,
    nextCheckAt: expect.any(Date),
  });
  const { review, assignment } = await reviewRow(db, reviewId);
  expect(review).toMatchObject({ status: "completed", withdrawnAt: expect.any(Date) });
  expect(assignment?.completedAt).toBeInstanceOf(Date);
  expect(await findOpenShare(db, reviewId)).toBeNull();
  await expect(
    createShare(db, who.asha, { reviewId, hidden: [], withFeedback: false }),
  ).rejects.toThrow(Conflict);
});

test("a declined refund is answered by email, changes nothing, and cannot be requested again", async () => {
  const { orderId, reviewId } = await bought("completed");
  await ask(orderId, "I do not like it.");
  const refundId = (await refundsOf(db, orderId))[0]!.id;
  const decline = (answer: string) =>
    declineRequestedRefund(db, who.gita, { refundId, answer }, config);
  await expect(decline(" ")).rejects.toThrow(Invalid);
  await decline("It says all that was promised.");
  expect((await refundsOf(db, orderId))[0]).toMatchObject({
    state: "declined",
    answer: "It says all that was promised.",
  });
  expect((await reviewRow(db, reviewId)).review.withdrawnAt).toBeNull();
  expect(await mailsTo(db, who.asha.email)).toContainEqual(
    expect.objectContaining({ text: expect.stringContaining("It says all that was promised.") }),
  );
  await expect(ask(orderId, "Please")).rejects.toThrow("We declined");
  await expect(
    approveRequestedRefund(db, who.gita, { refundId, answer: "" }, config),
  ).rejects.toThrow(Conflict);
});

test("an admin refunds the captured amount, even if it differs from the price", async () => {
  const wrong = await order(db, who.asha, { status: "failed", capturedPaise: 19800 });
  await refund(wrong);
  expect((await refundsOf(db, wrong))[0]).toMatchObject({ amountPaise: 19800, grounds: "decided" });
  const unpaid = await order(db, who.asha, { status: "failed", capturedPaise: null });
  await expect(refund(unpaid)).rejects.toThrow("We have no captured payment");
  await expect(ask(wrong)).rejects.toThrow(Conflict);
});

test("a refund settles an order that was flagged as paid twice or without an account", async () => {
  const orphaned = await order(db, null, { reasonToResolve: "no account" });
  const twin = await order(db, who.asha, { reasonToResolve: "paid twice" });
  const before = await countOrdersToResolve(db);
  expect(await listOrdersToResolve(db, 50)).toContainEqual(
    expect.objectContaining({
      orderId: twin,
      why: "Paid for the same materials as an earlier payment.",
    }),
  );
  await refund(orphaned);
  await refund(twin);
  expect(await countOrdersToResolve(db)).toBe(before - 2);
});

test("a refunded review is in no queue and no figure, and cannot be assigned", async () => {
  const { orderId, reviewId } = await bought("pending");
  const waiting = async () => {
    const { rows } = await listPendingReviews(db, who.gita, { type: null, after: null });
    return rows.map(({ id }) => id);
  };
  expect(await waiting()).toContain(reviewId);
  const { pending } = await countReviews(db, who.gita);
  await ask(orderId);
  expect(await waiting()).not.toContain(reviewId);
  expect((await countReviews(db, who.gita)).pending.counted).toBe(pending.counted - 1);
  const assigned = assignReviews(
    db,
    who.gita,
    { reviewIds: [reviewId], reviewerId: who.kabir.id },
    config,
  );
  await expect(assigned).rejects.toThrow(Conflict);

  const delivered = await bought("completed");
  const completedBy = async () => {
    const figures = await listReviewerFigures(db, who.gita);
    return figures.find(({ id }) => id === who.meera.id)!.completed;
  };
  const before = await completedBy();
  await refund(delivered.orderId);
  expect(await completedBy()).toBe(before - 1);
});

test("the customer sees the refund's state beside the review's status", async () => {
  const { orderId, reviewId } = await bought("completed");
  const read = async () => (await findOwnReview(db, who.asha, reviewId))!;
  expect((await read()).review.refund).toBeNull();
  await ask(orderId, "It is about another resume.");
  expect((await read()).review.refund).toBe("asked");
  const refundId = (await refundsOf(db, orderId))[0]!.id;
  await approveRequestedRefund(db, who.gita, { refundId, answer: "" }, config);
  const { review, result } = await read();
  expect([review.refund, review.status]).toEqual(["approved", "completed"]);
  expect(result?.feedback).toBe("Lead with the case study.");
});

test("double clicks and two admins at once create one refund", async () => {
  const { orderId } = await bought("pending");
  const asks = await Promise.allSettled([
    ask(orderId),
    ask(orderId),
    refund(orderId),
    refund(orderId),
  ]);
  expect(asks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refundsOf(db, orderId)).toHaveLength(1);
});

test("a refund that is approved and declined at the same moment is decided once", async () => {
  const { orderId } = await bought("completed");
  await ask(orderId, "It is about another resume.");
  const refundId = (await refundsOf(db, orderId))[0]!.id;
  const decided = await Promise.allSettled([
    approveRequestedRefund(db, who.gita, { refundId, answer: "" }, config),
    declineRequestedRefund(db, who.gita, { refundId, answer: "Not this time." }, config),
  ]);
  expect(decided.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await eventsOf(db, orderId)).toHaveLength(2);
});

test("a submit and a refund at the same moment: one succeeds, the other gets an error", async () => {
  for (let round = 0; round < 8; round++) {
    const { orderId, reviewId } = await bought("overdue, assigned");
    const [submitted, asked] = await Promise.allSettled([submit(reviewId), ask(orderId)]);
    const { review } = await reviewRow(db, reviewId);
    const isSubmitted = submitted.status === "fulfilled";
    // A review that was submitted first is delivered, so it is not refunded immediately.
    expect(asked.status).toBe(isSubmitted ? "rejected" : "fulfilled");
    expect(review.status).toBe(isSubmitted ? "completed" : "pending");
    expect(review.withdrawnAt === null).toBe(isSubmitted);
    expect(await refundsOf(db, orderId)).toHaveLength(isSubmitted ? 0 : 1);
  }
});

test("a person can neither request nor see a refund of another person's order", async () => {
  const { orderId } = await bought("pending");
  await expect(ask(orderId, "", who.ravi)).rejects.toThrow(NotFound);
  await expect(ask("TXN_NONE")).rejects.toThrow(NotFound);
  expect(await listRefundTerms(db, who.ravi, [orderId])).toEqual(new Map());
});

test("the terms list the available action, and then the refund's state", async () => {
  const { orderId } = await bought("pending");
  const paid = await listRefundTerms(db, who.asha, [orderId]);
  expect(paid.get(orderId)).toEqual({
    orderId,
    terms: { may: "at once", grounds: "not begun" },
    refund: null,
  });
  await ask(orderId);
  const asked = await listRefundTerms(db, who.asha, [orderId]);
  expect(asked.get(orderId)).toMatchObject({
    terms: { may: "no", why: "A refund for this payment is already in progress." },
    refund: { state: "approved", amountPaise: 19900 },
  });
});

test("an order without a due date cannot be refunded automatically", async () => {
  const bare = await order(db, who.asha);
  await expect(ask(bare)).rejects.toThrow("Please contact us");
});

function submit(reviewId: string) {
  const sent = { reviewId, feedback: "Lead with the work.", version: getDraftVersion(null) };
  return submitReview(db, who.meera, sent, config);
}
