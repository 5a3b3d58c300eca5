import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import { person } from "../../tests/support/people.ts";
import { storedFile } from "../../tests/support/reviews.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { orders } from "../payments/tables.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { createPaidReview } from "./create-paid-review.server.ts";
import { changeDraft, savePortfolioUrl } from "./drafts.server.ts";
import type { ServiceType } from "./rules.ts";
import { reviewDrafts, serviceReviews } from "./tables.server.ts";

let db: Database;

beforeAll(async () => {
  ({ db } = await testDatabase());
});

test("a paid order makes one pending review of its materials and clears the draft", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "resume_review");
  await createPaidReview(db, order);
  const [made, ...others] = await reviewsOf(asha);
  expect(others).toHaveLength(0);
  expect(made).toMatchObject({
    orderId: order.orderId,
    serviceType: "resume_review",
    status: "pending",
    priority: 0,
    resumeFilePath: order.purpose.resumePath,
    portfolioUrl: null,
    portfolioFilePath: null,
    reviewerFeedback: null,
  });
  expect(await draftsOf(asha)).toHaveLength(0);
});

test("a combined review starts with high priority", async () => {
  const asha = await person(db, "Asha Verma");
  await createPaidReview(db, await orderFor(asha, "combined_review"));
  expect((await reviewsOf(asha))[0]?.priority).toBe(3);
});

test("however often an order is delivered, it makes one review", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "resume_review");
  await Promise.all(
    Array.from({ length: 5 }, () => db.transaction((tx) => createPaidReview(tx, order))),
  );
  expect(await reviewsOf(asha)).toHaveLength(1);
});

test("a draft that changed after the payment began stays", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "combined_review");
  await savePortfolioUrl(db, asha, "combined_review", "https://newer.example");
  await createPaidReview(db, order);
  expect((await reviewsOf(asha))[0]?.portfolioUrl).toBeNull();
  expect(await draftsOf(asha)).toHaveLength(1);
});

test("an order whose buyer is gone makes no review and no error", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "resume_review");
  await createPaidReview(db, { ...order, buyerId: null });
  expect(await reviewsOf(asha)).toHaveLength(0);
});

test("an order for something else is refused", async () => {
  const asha = await person(db, "Asha Verma");
  const order = await orderFor(asha, "resume_review");
  const purpose = { ...order.purpose, serviceType: "another_review" };
  await expect(createPaidReview(db, { ...order, purpose })).rejects.toThrow();
  expect(await reviewsOf(asha)).toHaveLength(0);
});

async function orderFor(buyer: Actor, serviceType: ServiceType) {
  const file = await storedFile(db, buyer, "resumes");
  await changeDraft(db, buyer.id, serviceType, { resumeFileId: file.id });
  const [draft] = await draftsOf(buyer);
  const purpose = {
    kind: "review",
    draftId: draft!.id,
    draftRevision: draft!.revision,
    serviceType,
    resumePath: file.path,
    portfolioPath: null,
    portfolioUrl: null,
  };
  const orderId = `TXN_${randomUUID().slice(0, 21)}`;
  await db.insert(orders).values({
    orderId,
    buyerId: buyer.id,
    amount: "199.00",
    status: "success",
    purpose,
    createdAt: now(),
    checkoutFields: {},
  });
  return { orderId, buyerId: buyer.id, purpose };
}

function reviewsOf({ id }: Actor) {
  return db.select().from(serviceReviews).where(eq(serviceReviews.userId, id));
}

function draftsOf({ id }: Actor) {
  return db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, id));
}
