import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { person } from "../../tests/support/rows/people.ts";
import {
  assignedReview,
  completedReview,
  pendingReview,
} from "../../tests/support/rows/review-states.ts";
import { review } from "../../tests/support/rows/reviews.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { day, now } from "../platform/clock.ts";
import { Conflict, NotFound } from "../platform/errors.ts";
import { services } from "./rules.ts";
import { formatSecondLookOffer, getService } from "./second-looks.ts";
import {
  findSecondLook,
  getOffer,
  getServiceKey,
  secondLookRefusals,
} from "./second-looks.server.ts";
import { reviewAssignments, serviceReviews } from "./tables.server.ts";

const config = testConfig();
const { db } = await testDatabase();
let asha: Actor;
let meera: Actor;

beforeAll(async () => {
  asha = await person(db, "Asha Verma");
  meera = await person(db, "Meera Rao", { roles: ["reviewer"] });
});

test("a completed review is offered a second look at its own price, path and hours, without priority", async () => {
  const id = await completedReview(db, asha, meera, { type: "combined_review" });
  expect(await findSecondLook(db, config, asha, id)).toMatchObject({
    type: "combined_review",
    secondLookOf: id,
    path: `/service-review/${id}/second-look`,
    label: "Second look: Combined Review (Resume & Portfolio)",
    shortLabel: "Second look: Combined Review",
    pricePaise: 149_00,
    turnaroundHours: 48,
    startPriority: 0,
    needs: { resume: true, portfolio: true },
  });
});

test("a first review is offered as before", async () => {
  const { combined_review: combined } = services;
  expect(getService(combined)).toBe(combined);
  expect(await getOffer(db, config, asha, combined)).toEqual({
    ...combined,
    secondLookOf: null,
    pricePaise: 299_00,
  });
});

test.each([
  ["is pending", () => pendingReview(db, asha)],
  ["is under review", () => assignedReview(db, asha, meera)],
  ["was refunded", () => completedWith({ withdrawnAt: now() })],
  ["was imported as completed, without a reviewer", () => imported()],
  ["is another person's", async () => completedReview(db, await person(db, "Ravi Nair"), meera)],
  ["does not exist", async () => "00000000-0000-4000-8000-000000000000"],
  ["has no id", async () => "1' or '1'='1"],
])("a review that %s is offered none", async (_, make) => {
  const id = await make();
  expect(await findSecondLook(db, config, asha, id)).toBeNull();
  const key = { type: "resume_review", secondLookOf: id } as const;
  await expect(getOffer(db, config, asha, key)).rejects.toThrow(NotFound);
});

test("without a price, a kind of review is offered none", async () => {
  const one = testConfig({ PRICE_SECOND_LOOK_ONE: "49.50" });
  const unset = {
    ...one,
    secondLooks: {
      ...one.secondLooks,
      prices: { ...one.secondLooks.prices, combined_review: null },
    },
  };
  const resume = await completedReview(db, asha, meera);
  const both = await completedReview(db, asha, meera, { type: "combined_review" });
  expect(await findSecondLook(db, unset, asha, resume)).toMatchObject({ pricePaise: 49_50 });
  expect(await findSecondLook(db, unset, asha, both)).toBeNull();
  const key = { type: "combined_review", secondLookOf: both } as const;
  await expect(getOffer(db, unset, asha, key)).rejects.toThrow(NotFound);
});

test("the offer ends some days after the completion, at that moment", async () => {
  const id = await completedReview(db, asha, meera);
  const key = { type: "resume_review", secondLookOf: id } as const;
  const { days } = config.secondLooks;
  await completedAt(id, new Date(now().getTime() - days * day + 60_000));
  expect(await findSecondLook(db, config, asha, id)).not.toBeNull();
  await completedAt(id, new Date(now().getTime() - days * day));
  expect(await findSecondLook(db, config, asha, id)).toBeNull();
  await expect(getOffer(db, config, asha, key)).rejects.toThrow(
    new Conflict(secondLookRefusals.over),
  );
});

test("one second look is open at a time, and each can have a next one", async () => {
  const id = await completedReview(db, asha, meera);
  const key = { type: "resume_review", secondLookOf: id } as const;
  const { id: look } = await review(db, asha, { secondLookOf: id });
  expect(await findSecondLook(db, config, asha, id)).toBeNull();
  await expect(getOffer(db, config, asha, key)).rejects.toThrow(
    new Conflict(secondLookRefusals.open),
  );
  await db.update(serviceReviews).set({ withdrawnAt: now() }).where(eq(serviceReviews.id, look));
  expect(await findSecondLook(db, config, asha, id)).not.toBeNull();

  const completed = await completedReview(db, asha, meera);
  await db.update(serviceReviews).set({ secondLookOf: id }).where(eq(serviceReviews.id, completed));
  expect(await findSecondLook(db, config, asha, completed)).toMatchObject({
    secondLookOf: completed,
    shortLabel: "Second look: Resume Review",
  });
});

test("a draft is for a type of review, or for the person's own completed review", async () => {
  const own = await completedReview(db, asha, meera, { type: "portfolio_review" });
  expect(await getServiceKey(db, asha, "resume_review")).toEqual({
    type: "resume_review",
    secondLookOf: null,
  });
  expect(await getServiceKey(db, asha, own)).toEqual({
    type: "portfolio_review",
    secondLookOf: own,
  });
  for (const target of [await pendingReview(db, asha), "other_review", ""])
    await expect(getServiceKey(db, asha, target)).rejects.toThrow(NotFound);
  const ravi = await person(db, "Ravi Nair");
  await expect(getServiceKey(db, ravi, own)).rejects.toThrow(NotFound);
});

test("the email about a completed review names the price and the last day", () => {
  const completed = new Date("2026-11-28T10:00:00Z");
  const format = (settings = config.secondLooks) =>
    formatSecondLookOffer(settings, { serviceType: "resume_review" }, completed);
  expect(format()).toBe(
    "Until Jan 27, 2027, you can buy a second look at your new version for ₹99.",
  );
  const { prices } = config.secondLooks;
  expect(format({ days: 60, prices: { ...prices, resume_review: null } })).toBeNull();
});

async function completedWith(fields: Partial<typeof serviceReviews.$inferInsert>) {
  const id = await completedReview(db, asha, meera);
  await db.update(serviceReviews).set(fields).where(eq(serviceReviews.id, id));
  return id;
}

async function imported() {
  const { id } = await review(db, asha, { status: "completed" });
  return id;
}

async function completedAt(reviewId: string, moment: Date) {
  await db
    .update(reviewAssignments)
    .set({ completedAt: moment })
    .where(eq(reviewAssignments.reviewId, reviewId));
}
