import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { completedReview } from "../../../tests/support/rows/review-states.ts";
import { storedFile } from "../../../tests/support/rows/reviews.ts";
import { order as insertOrder } from "../../../tests/support/rows/refunds.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { hour, now, formatMonthDay, formatShortDateTime } from "../../platform/clock.ts";
import { createPaidReview } from "./create-paid-review.server.ts";
import { changeDraft, savePortfolioUrl } from "./drafts.server.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { getServiceKey } from "../../reviews/second-looks.server.ts";
import {
  reviewAssignments,
  reviewDrafts,
  reviewOrders,
  serviceReviews,
} from "../../reviews/tables.server.ts";
import type { OrderedMaterials } from "./review-payments.server.ts";
import { services } from "../../reviews/rules.ts";

const config = testConfig();
const { db } = await testDatabase();

test("a paid order makes one pending review of its materials and clears the draft", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "resume_review");
  await createPaidReview(db, config, order);
  const [made, ...others] = await reviewsOf(asha);
  expect(others).toHaveLength(0);
  expect(made).toMatchObject({
    orderId: order.orderId,
    serviceType: "resume_review",
    status: "pending",
    priority: 0,
    resumeFilePath: order.materials.resumeFilePath,
    portfolioUrl: null,
    portfolioFilePath: null,
    reviewerFeedback: null,
  });
  expect(await draftsOf(asha)).toHaveLength(0);
});

test("a combined review starts with high priority", async () => {
  const asha = await person(db, "Asha Verma");
  await createPaidReview(db, config, await orderFor(asha, "combined_review"));
  expect((await reviewsOf(asha))[0]?.priority).toBe(3);
});

test("buyers get one confirmation of their payment and materials, and admins are notified", async () => {
  const asha = await person(db, "Asha Verma");
  const gita = await person(db, "Gita Menon", { roles: ["god_admin"] });
  const order = await orderFor(asha, "resume_review");
  await createPaidReview(db, config, order);
  await createPaidReview(db, config, order);
  const [mail, ...more] = await mailsTo(db, asha.email);
  expect(more).toEqual([]);
  expect(mail!.subject).toBe("We received your payment for your Resume Review");
  const [review] = await reviewsOf(asha);
  for (const fact of [
    "₹199",
    order.orderId,
    "my resumes.pdf",
    formatShortDateTime(review!.dueAt!),
    `Paid on ${formatMonthDay(review!.createdAt)} → With a reviewer → Ready by `,
    `${config.origin}/service-review/${review!.id}`,
    `${config.origin}/profile/payments/${order.orderId}`,
  ])
    expect(mail!.text).toContain(fact);
  const toAdmin = await mailsTo(db, gita.email);
  expect(toAdmin.map(({ subject }) => subject)).toEqual(["New order: Resume Review, ₹199"]);
  expect(toAdmin[0]!.text).toContain(order.orderId);
});

test.for([
  ["resume_review", 48],
  ["portfolio_review", 48],
  ["combined_review", 24],
] as const)("a %s is promised for %d hours after it was paid", async ([serviceType, hours]) => {
  const asha = await person(db, "Asha Verma");
  // A payment may have succeeded while its notice was on the way.
  const settledAt = new Date("2026-03-01T10:00:00Z");
  await createPaidReview(db, config, { ...(await orderFor(asha, serviceType)), settledAt });
  const [review] = await reviewsOf(asha);
  expect(review?.dueAt?.getTime()).toBe(settledAt.getTime() + hours * hour);
});

test("an order that is delivered several times creates one review", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "resume_review");
  await Promise.all(
    Array.from({ length: 5 }, () => db.transaction((tx) => createPaidReview(tx, config, order))),
  );
  expect(await reviewsOf(asha)).toHaveLength(1);
});

test("a draft that changed after the payment started stays", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "combined_review");
  await savePortfolioUrl(db, asha, services.combined_review, "https://newer.example");
  await createPaidReview(db, config, order);
  expect((await reviewsOf(asha))[0]?.portfolioUrl).toBeNull();
  expect(await draftsOf(asha)).toHaveLength(1);
});

test("a second payment for the same materials makes a second review, and its buyer gets one email", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "resume_review");
  const second = await orderOf(asha, order.materials);
  await Promise.all(
    [order, second, second].map((one) => db.transaction((tx) => createPaidReview(tx, config, one))),
  );
  expect(await reviewsOf(asha)).toHaveLength(2);
  const [mail, ...more] = await mailsOfSecondPayments(asha);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    subject: "You paid twice for your Resume Review",
    replyTo: config.product.supportEmail,
  });
  expect(mail!.text).toContain(order.orderId);
  expect(mail!.text).toContain(second.orderId);
  const paid = await db
    .select({ reason: orders.reasonToResolve })
    .from(orders)
    .where(eq(orders.buyerId, asha.id));
  expect(paid.filter(({ reason }) => reason === "paid twice")).toHaveLength(1);
});

test("buying reviews of different materials in a row sends no warning", async () => {
  const asha = await person(db, "Asha Verma");
  await createPaidReview(db, config, await orderFor(asha, "resume_review"));
  await createPaidReview(db, config, await orderFor(asha, "resume_review"));
  expect(await reviewsOf(asha)).toHaveLength(2);
  expect(await mailsOfSecondPayments(asha)).toEqual([]);
});

test("a second look has its own hours and no priority, whatever its earlier review", async () => {
  const { asha, earlier } = await customerWithReview("combined_review");
  const settledAt = new Date("2026-03-01T10:00:00Z");
  await createPaidReview(db, config, { ...(await lookFor(asha, earlier)), settledAt });
  const [look] = await looksOf(earlier);
  expect(look).toMatchObject({ serviceType: "combined_review", status: "pending", priority: 0 });
  expect(look!.dueAt?.getTime()).toBe(settledAt.getTime() + 48 * hour);
  expect(await draftsOf(asha)).toHaveLength(0);
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.subject).toBe("We received your payment for your Second look: Combined Review");
});

test("two payments for one second look create one, and an admin refunds the second", async () => {
  const { asha, earlier } = await customerWithReview("resume_review");
  const first = await lookFor(asha, earlier);
  const sameDraft = await orderOf(asha, first.materials);
  const otherDraft = await orderOf(asha, { ...first.materials, draftId: randomUUID() });
  const paid = [first, sameDraft, otherDraft];
  await Promise.all(
    [...paid, ...paid].map((one) => db.transaction((tx) => createPaidReview(tx, config, one))),
  );
  expect(await looksOf(earlier)).toHaveLength(1);
  const rows = await db
    .select({ reason: orders.reasonToResolve })
    .from(orders)
    .where(eq(orders.buyerId, asha.id));
  expect(rows.filter(({ reason }) => reason === "paid twice")).toHaveLength(2);
  const mails = await mailsOfSecondPayments(asha);
  expect(mails).toHaveLength(2);
  for (const mail of mails) {
    expect(mail.subject).toBe("You paid twice for your Second look: Resume Review");
    expect(mail.text).toContain("The second one bought nothing. We refund TXN_");
  }
});

test("a late second payment for the same files delivers nothing after the second look was completed", async () => {
  const { asha, earlier } = await customerWithReview("resume_review");
  const first = await lookFor(asha, earlier);
  await createPaidReview(db, config, first);
  await db
    .update(serviceReviews)
    .set({ status: "completed" })
    .where(eq(serviceReviews.secondLookOf, earlier));
  await createPaidReview(db, config, await orderOf(asha, first.materials));
  expect(await looksOf(earlier)).toHaveLength(1);
  expect(await mailsOfSecondPayments(asha)).toHaveLength(1);
  // Other files are another second look.
  await createPaidReview(db, config, await lookFor(asha, earlier));
  expect(await looksOf(earlier)).toHaveLength(2);
});

test("a second look that was refunded can be bought again", async () => {
  const { asha, earlier } = await customerWithReview("resume_review");
  const first = await lookFor(asha, earlier);
  await createPaidReview(db, config, first);
  await db
    .update(serviceReviews)
    .set({ withdrawnAt: now() })
    .where(eq(serviceReviews.secondLookOf, earlier));
  await createPaidReview(db, config, await orderOf(asha, first.materials));
  expect(await looksOf(earlier)).toHaveLength(2);
  expect(await mailsOfSecondPayments(asha)).toEqual([]);
});

test.each([
  ["the window is over", { completedAt: new Date(0) }],
  ["the earlier review was refunded", { withdrawnAt: now() }],
])("a second look is delivered although %s since the payment started", async (_, change) => {
  const { asha, earlier } = await customerWithReview("resume_review");
  const order = await lookFor(asha, earlier);
  const { withdrawnAt, completedAt } = { withdrawnAt: null, completedAt: now(), ...change };
  await db.update(serviceReviews).set({ withdrawnAt }).where(eq(serviceReviews.id, earlier));
  await db
    .update(reviewAssignments)
    .set({ completedAt })
    .where(eq(reviewAssignments.reviewId, earlier));
  await createPaidReview(db, config, order);
  expect(await looksOf(earlier)).toHaveLength(1);
});

test("if the earlier review was deleted since the payment started, a review by itself is delivered", async () => {
  const { asha, earlier } = await customerWithReview("resume_review");
  const order = await lookFor(asha, earlier);
  await db.delete(serviceReviews).where(eq(serviceReviews.id, earlier));
  await createPaidReview(db, config, order);
  expect(await reviewsOf(asha)).toMatchObject([{ secondLookOf: null, orderId: order.orderId }]);
});

test("an order of a deleted account creates no review and no error, and support is notified once", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "resume_review");
  for (const repeated of [order, order])
    await createPaidReview(db, config, { ...repeated, buyerId: null });
  expect(await reviewsOf(asha)).toHaveLength(0);
  expect(await mailsTo(db, config.product.supportEmail)).toMatchObject([
    { subject: `Order ${order.orderId} was paid from a deleted account` },
  ]);
});

test("an order for something else is rejected", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "resume_review");
  await db.delete(reviewOrders).where(eq(reviewOrders.orderId, order.orderId));
  await expect(createPaidReview(db, config, order)).rejects.toThrow("is not for a review");
  expect(await reviewsOf(asha)).toHaveLength(0);
});

async function customerWithReview(type: ServiceType) {
  const asha = await person(db, "Asha Verma");
  const meera = await person(db, "Meera Rao", { roles: ["reviewer"] });
  return { asha, earlier: await completedReview(db, asha, meera, { type }) };
}

async function lookFor(buyer: Actor, secondLookOf: string) {
  const key = await getServiceKey(db, buyer, secondLookOf);
  return orderFor(buyer, key.type, secondLookOf);
}

function looksOf(reviewId: string) {
  return db.select().from(serviceReviews).where(eq(serviceReviews.secondLookOf, reviewId));
}

async function orderFor(
  buyer: Actor,
  serviceType: ServiceType,
  secondLookOf: string | null = null,
) {
  const file = await storedFile(db, buyer, "resumes");
  await changeDraft(db, buyer.id, { type: serviceType, secondLookOf }, { resumeFileId: file.id });
  const [draft] = await draftsOf(buyer);
  return orderOf(buyer, {
    draftId: draft!.id,
    draftRevision: draft!.revision,
    serviceType,
    resumeFilePath: file.path,
    portfolioUrl: null,
    portfolioFilePath: null,
    brief: null,
    secondLookOf,
  });
}

async function orderOf(buyer: Actor, materials: OrderedMaterials) {
  const orderId = await insertOrder(db, buyer);
  await db.insert(reviewOrders).values({ orderId, ...materials });
  return { orderId, buyerId: buyer.id, purpose: { kind: "review" }, settledAt: now(), materials };
}

async function mailsOfSecondPayments({ email }: Actor) {
  return (await mailsTo(db, email)).filter(({ subject }) => subject.includes("paid twice"));
}

function reviewsOf({ id }: Actor) {
  return db.select().from(serviceReviews).where(eq(serviceReviews.userId, id));
}

function draftsOf({ id }: Actor) {
  return db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, id));
}
